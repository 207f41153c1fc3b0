import Foundation
import Testing
import UnderstudyTestSupport

/// Coverage in Markdown, as annotations and as a page, and what its gates print.
struct CoverageFormatTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    paths:
      /pets:
        get:
          operationId: listPets
          responses: {"200": {description: Pets.}, "404": {description: None.}}
        post:
          operationId: addPet
          requestBody: {content: {application/json: {}, text/plain: {}}}
          responses: {"201": {description: Added.}}

    """

  private static func entry(_ method: String, _ status: Int, _ type: String = "") -> String {
    let headers = type.isEmpty ? "" : #"{"name": "Content-Type", "value": "\#(type)"}"#
    let body = type.isEmpty ? "" : #", "postData": {"mimeType": "\#(type)", "text": "1"}"#
    return """
      {"startedDateTime": "2026-01-01T10:00:00Z",
      "request": {"method": "\(method)", "url": "http://h/pets", "headers": [\(headers)]\(body)},
      "response": {"status": \(status), "headers": [], "content": {"size": 0}}}
      """
  }

  private static let files = [
    "api.yaml": contract,
    "t.har":
      #"{"log": {"entries": [\#([entry("GET", 200), entry("GET", 500), entry("POST", 201, "text/plain")].joined(separator: ","))]}}"#,
  ]

  private func coverage(_ arguments: String...) throws -> Command.Result {
    try withProject(Self.files) { (folder) throws in
      try Command.run(Command.path, ["coverage", "api.yaml", "--har", "t.har"] + arguments, in: folder)
    }
  }

  @Test func `Markdown has the matrix, the shares and the lists`() throws {
    let result = try coverage("--format", "markdown")
    #expect(result.code == 0, "\(result.error)")
    let start = try #require(result.output.firstRange(of: "Of 4 documented"))
    let end = try #require(result.output.firstRange(of: "> read"))
    #expect(
      result.output[start.lowerBound..<end.lowerBound] == """
        Of 4 documented answers: fixture 0 (0 %), valid 0 (0 %), served 2 (50 %), asserted 2 (50 %); 4 answers in 3 cells: one for each media type of a request.

        <details open><summary>Operations and statuses</summary>

        | api | 200 | 201 | 404 | 500 |
        |---|:-:|:-:|:-:|:-:|
        | `GET /pets` | ··SA |  | ···· | \\! |
        | `POST /pets` |  | ··sa |  |  |

        F: has a fixture, V: it is valid, S: served, A: asserted. Capital letter: every media type of the request, small: some, ·: none, \\!: seen, not documented.

        </details>

        <details><summary>Documented, never tried: 1</summary>

        - `POST /pets (application/json) 201`

        </details>

        <details><summary>Seen, not documented: 1</summary>

        - `GET /pets 500`: 1 time

        </details>


        """)
  }

  @Test(arguments: ["github", "markdown", "html", "junit", "sarif"])
  func `a failed gate has line breaks in every format`(
    _ format: String
  ) throws {
    let result = try coverage("--format", format, "--min-coverage", "100")
    #expect(result.code == 5)
    #expect(!result.output.contains("u{A}"), "\(result.output)")
    #expect(result.output.contains("missing: GET /pets 404"))
    if format == "github" { #expect(result.output.contains("%0Amissing: POST /pets (application/json) 201")) }
  }

  @Test func `a page has a tile for each mark, the untried answers and the undocumented ones`() throws {
    let page = try coverage("--format", "html").output
    for tile in ["<b>0 %</b> fixture", "<b>0 %</b> valid", "<b>50 %</b> served", "<b>50 %</b> asserted"] {
      #expect(page.contains(tile))
    }
    #expect(page.contains("<summary>Documented, never tried: 1</summary>"))
    #expect(page.contains("<summary>Tried, never seen: 1</summary>"))
    #expect(page.contains("<summary>Seen, not documented: 1</summary>"))
    #expect(page.contains("<b class=\"stray\""))
  }

  @Test func `media types are on the page only within a cell that opens`() throws {
    let page = try coverage("--format", "html").output
    let cell = try #require(page.firstMatch(of: /<details class="types"><summary>.*?<\/details>/))
    #expect(cell.output.contains("<small>application/json</small>"))
    #expect(cell.output.contains("<i class=\"some\">S</i>"))
    #expect(!page.replacing(cell.output, with: "").contains("<small>application/json</small>"))
  }

  @Test func `a gate that is passed is reported`() throws {
    let result = try coverage("--min-coverage", "served=40", "--require", "listPets:200")
    #expect(result.code == 0)
    #expect(result.error.contains("served 50 % of 40 %: passed\n"), "\(result.error)")
    #expect(result.error.contains("listPets: 1 of 1 cells served: passed\n"))
  }

  @Test func `a failed gate lists at most 20 answers`() throws {
    let operations = (1...30).map { "  /p\($0): {get: {responses: {\"200\": {description: Yes.}}}}\n" }.joined()
    let contract = "openapi: 3.1.0\ninfo: {title: Many, version: \"1\"}\npaths:\n\(operations)"
    try withProject(["api.yaml": contract]) { (folder) throws in
      let result = try Command.run("coverage", "api.yaml", "--require", "*:200", in: folder)
      #expect(result.code == 5)
      #expect(result.error.components(separatedBy: "  missing: ").count == 21)
      #expect(result.error.contains("  and 10 more (--format json has all)\n"), "\(result.error)")
    }
  }

  @Test func `the banner, the routes and the coverage count the same cells`() throws {
    try withProject(["api.yaml": Self.contract, "fixtures/api/listPets/503.txt": "no"]) { (folder) throws in
      let mock = try ServedMock(["api.yaml"], in: folder)
      defer { mock.stop() }
      #expect(mock.printed.contains("2 operations, 3 cells (1 more by fixtures alone), 1 fixture"), "\(mock.printed)")
      let routes = try Command.run("routes", "api.yaml", in: folder)
      #expect(routes.output.contains("2 operations, 3 cells (1 more by fixtures alone), "))
      let coverage = try Command.run("coverage", "api.yaml", in: folder)
      #expect(coverage.output.contains("4 answers in 3 cells: one for each media type of a request\n"))
    }
  }
}

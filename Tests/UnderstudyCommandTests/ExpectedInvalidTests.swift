import Foundation
import Testing
import UnderstudyTestSupport

/// How `verify --har` reports a bad request that the server refused.
struct ExpectedInvalidTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    paths:
      /pets:
        get:
          operationId: listPets
          parameters: [{name: per_page, in: query, schema: {type: integer}}]
          responses: {"200": {description: Pets.}, "422": {description: No.}}

    """
  private static let har = """
    {"log": {"entries": [{"startedDateTime": "2026-01-01T10:00:00Z",
    "request": {"method": "GET", "url": "http://h/pets?per_page=abc"},
    "response": {"status": 422, "headers": [], "content": {"size": 0}}}]}}
    """

  private func verify(_ files: [String: String] = [:], _ arguments: String...) throws -> Command.Result {
    try withProject(["api.yaml": Self.contract, "t.har": Self.har].merging(files) { $1 }) { (folder) throws in
      try Command.run(Command.path, ["verify", "api.yaml", "--har", "t.har"] + arguments, in: folder)
    }
  }

  @Test func `a refused request without a mark is a warning, which a flag makes fail`() throws {
    let lenient = try verify()
    #expect(lenient.code == 0, "\(lenient.output)")
    #expect(
      lenient.output.contains(
        "/query/per_page: warning: the query parameter `per_page` must be an integer, found `abc`; the server refused it "
          + "with 422 [req.expected-invalid]"), "\(lenient.output)")
    #expect(lenient.output.contains("found: 0 errors, 1 warning, 0 notes"))
    #expect(try verify([:], "--fail-on", "warning").code == 1)
  }

  @Test func `the level error makes every unmarked refusal fail`() throws {
    let result = try verify(["understudy.yaml": "rules: {req.expected-invalid: error}\n"])
    #expect(result.code == 1)
    #expect(result.output.contains("error: the query parameter"), "\(result.output)")
  }

  @Test func `the level info marks the refusals of an operation as meant`() throws {
    let config = "operations: {listPets: {rules: {req.expected-invalid: info}}}\n"
    let result = try verify(["understudy.yaml": config], "--fail-on", "warning")
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("info: the query parameter"))
  }

  @Test(arguments: ["422.bad", "4XX.bad"]) func `a fixture with a when that fits marks a refusal as meant`(
    _ name: String
  ) throws {
    let files = [
      "understudy.yaml": "rules: {req.expected-invalid: error}\n",
      "fixtures/api/listPets/\(name).yaml": "when: {query: {per_page: abc}}\n",
    ]
    let result = try verify(files, "--fail-on", "warning")
    #expect(result.code == 0, "\(result.output)\(result.error)")
    #expect(result.output.contains("info: the query parameter"))
  }

  @Test(arguments: [
    ("422.bad", "when: {query: {per_page: xyz}}\n"), ("400.bad", "when: {query: {per_page: abc}}\n"),
    ("422", "headers: {X-A: b}\n"),
  ])
  func `a fixture for another request or status marks nothing`(_ name: String, _ text: String) throws {
    let result = try verify(["fixtures/api/listPets/\(name).yaml": text])
    #expect(result.output.contains("warning: the query parameter"), "\(result.output)")
  }

  @Test func `parts of a recording divide its entries, and their reports are the whole`() throws {
    let entries = (0..<5).map { number in
      Self.har.replacing("{\"log\": {\"entries\": [", with: "").replacing("]}}", with: "")
        .replacing("abc", with: "a\(number)")
    }
    let har = "{\"log\": {\"entries\": [\(entries.joined(separator: ","))]}}"
    try withProject(["api.yaml": Self.contract, "t.har": har]) { (folder) throws in
      for part in 1...2 {
        let result = try Command.run(
          "verify", "api.yaml", "--har", "t.har", "--shard", "\(part)/2", "--report", "json=\(part).json", in: folder)
        #expect(result.output.contains("read \(4 - part) of 5 exchanges, part \(part)/2"), "\(result.output)")
      }
      let merged = try Command.run("report", "merge", "1.json", "2.json", "--format", "json", in: folder)
      let whole = try Command.run("verify", "api.yaml", "--har", "t.har", "--format", "json", in: folder)
      func counts(_ text: String) -> [String] {
        text.components(separatedBy: "\n").filter { $0.contains("\"count\"") || $0.contains("\"tried\"") }
      }
      #expect(counts(merged.output) == counts(whole.output))
      #expect(counts(whole.output).contains { $0.contains("5") })
    }
  }
}

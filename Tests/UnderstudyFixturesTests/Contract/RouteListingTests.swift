import Foundation
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct RouteListingTests {
  private func listing(_ path: String) throws -> String {
    let contract = try #require(Contract.load(path, fixtures: "/none").contract, "\(path)")
    // A twin has its name in another folder, not another name.
    return JSONWriter.text(RouteListing.json([contract]), .pretty)
  }

  /// Twins whose documents themselves differ, and how.
  private static let unlike = [
    "3.1/json/parameters-style": "get in JSON, post in YAML",
    "tictactoe": "another callback",
    "v2.0/json/petstore.json": "another description of a response, from which its meaning is made",
    "3.0/json/response-examples.json": "responses in another order",
  ]

  @Test(
    .enabled(if: Corpora.isPresent, "skipped: no corpora"),
    arguments: [("OAI+learn.openapis.org", 12), ("readmeio+oas-examples", 40)])
  func `JSON and YAML twins have the same routes`(folder: String, least: Int) throws {
    let names = try FileManager.default.subpathsOfDirectory(atPath: Corpora.path(folder))
    var pairs = 0
    for name in names.sorted() where name.hasSuffix(".json") && !Self.unlike.keys.contains(where: name.contains) {
      let json = Corpora.path(folder + "/" + name)
      let yaml = json.replacing("/json/", with: "/yaml/").dropLast(5) + ".yaml"
      guard FileManager.default.fileExists(atPath: String(yaml)),
        OpenAPIReader.read(json, from: DocumentStore()).api != nil
      else { continue }
      let (a, b) = (try listing(json), try listing(String(yaml)))
      let difference = zip(a.split(separator: "\n"), b.split(separator: "\n")).first { $0 != $1 }
      #expect(a == b, "\(name): \(difference.map { "\($0) | \($1)" } ?? "")")
      pairs += 1
    }
    #expect(pairs >= least)
  }

  @Test func `a cell names what would answer it`() throws {
    try ContractFixture(MockContract.notes, fixtures: ["readNote/404.txt": "", "readNote/500.a.txt": ""]).withMock {
      mock in
      let contract = mock.contracts[0]
      let cells = contract.cells(of: try #require(contract.compiled.operations.first { $0.id == "readNote" }))
      #expect(cells.map(\.cell.status.description) == ["200", "404", "5XX", "500"])
      #expect(cells.map { RouteListing.answer($0) } == [.example, .fixture, .sample, .empty])
      #expect(cells.map(\.names) == [["first", "second"], [], [], ["a"]])
      #expect(cells.map { $0.cell.response != nil } == [true, true, true, false])
    }
  }

  @Test func `a table for people has operations, statuses and names`() throws {
    try ContractFixture(MockContract.notes, fixtures: ["writeNote/409.txt": "", "writeNote/200.b.txt": ""]).withMock {
      mock in
      let folder = mock.contracts[0].fixtures.folder
      #expect(
        RouteListing.text(mock.contracts, style: .plain) == """
          Notes (api, 2 operations, 5 cells (1 more by fixtures alone), fixtures in \(folder)/<operation>)

          GET    /notes/{id}  readNote
            200     found                 example + first, second
            404     lost                  empty
            5XX     broken                sample

          POST   /notes/{id}  writeNote
            204     written               empty
            409     somebodyElseWasFirst  409.txt
            200     (not documented)      empty + b

          """)
    }
  }
}

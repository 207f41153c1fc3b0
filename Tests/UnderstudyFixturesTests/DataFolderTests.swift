import Testing
import UnderstudyFixtures
import UnderstudyTestSupport

/// Folders of data files, each of which is a collection.
struct DataFolderTests {
  private func load(_ files: [String: String], _ folder: String = "data") throws -> (Contract?, [String]) {
    try withProject(files) { root in
      let (contract, diagnostics) = Contract.load("\(root)/\(folder)", fixtures: nil)
      return (
        contract,
        diagnostics.map { finding in
          let file = Path.name(of: finding.location?.path ?? "")
          return "\(file) \(finding.place) \(finding.message)"
        }
      )
    }
  }

  @Test func `each file is a collection with its name`() throws {
    let (contract, findings) = try load([
      "data/posts.json": #"[{"id": 1}]"#, "data/comments.json": #"[{"id": 1, "postId": 1}]"#,
      "data/profile.json": "{}", "data/notes.txt": "a",
    ])
    #expect(findings == [])
    let found = try #require(contract)
    #expect(found.name == "data")
    #expect(
      Set(found.compiled.operations.map(\.operation.path)) == [
        "/posts", "/posts/{id}", "/comments", "/comments/{id}", "/posts/{postId}/comments", "/profile",
      ])
    #expect(found.watched.contains { $0.hasSuffix("/data") })
    #expect(found.watched.contains { $0.hasSuffix("/data/posts.json") })
  }

  @Test func `a folder may be written with a slash`() throws {
    #expect(try load(["data/posts.json": "[]"], "data/").0?.name == "data")
  }

  @Test func `findings name the file of a collection`() throws {
    let (contract, findings) = try load([
      "data/a.json": #"[{"id": 1}, {"id": 1}]"#, "data/b.json": "[1]", "data/c.json": "[", "data/d.json": "3",
    ])
    #expect(try #require(contract).compiled.operations.count == 6)
    #expect(
      findings == [
        "a.json data.invalid 1:20 the id 1 of `a` is taken: the item is not served",
        "b.json data.invalid 1:2 expected an object for each item of `b`, found a number",
        "c.json spec.unparsable 1:2 expected a value, found the end of the text",
        "d.json data.invalid 1:1 expected a list of objects or an object for `d`, found a number",
      ])
  }

  @Test(arguments: [
    ["data/openapi.json": #"{"openapi": "3.1.0"}"#, "data/posts.json": "[]"],
    ["data/pet.json": #"{"$schema": "https://json-schema.org/draft/2020-12/schema"}"#],
    ["data/parameters.json": #"{"limit": {}}"#, "data/responses.json": "{}"], ["data/a.json": "3"],
    ["data/a.yaml": "posts: []"],
  ])
  func `a folder of other files is refused as before`(_ files: [String: String]) throws {
    let (contract, findings) = try load(files)
    #expect(contract == nil)
    #expect(findings == ["data config.unreadable  cannot read the contract: this is a folder; expected a file"])
  }
}

import Testing
import UnderstudySchema
import UnderstudyTestSupport

struct TextDocumentTests {
  private func read(_ text: String, _ path: String) throws(TextProblem) -> JSON {
    try TextDocument.read(SourceFile(path: path, text: text)).root
  }

  @Test(arguments: ["api.json", "api.yaml", "api.yml", "api"]) func `JSON is read with any extension`(
    _ path: String
  ) throws {
    #expect(try read(#" {"a": "\uD83D\uDE00"}"#, path) == ["a": "😀"])
    #expect(try read("\u{FEFF}[1]", path) == [1])
  }

  @Test(arguments: ["api.json", "api.yaml", "api"]) func `YAML is read with any extension`(_ path: String) throws {
    #expect(try read("a: 1\n", path) == ["a": 1])
  }

  @Test func `YAML in braces is read, except in a JSON file`() throws {
    #expect(try read("{a: 1, b: [x,],}", "api.yaml") == ["a": 1, "b": ["x"]])
    let found = try #require(throws: TextProblem.self) { try read("{\"a\": tru}", "API.JSON") }
    #expect(found.message == "expected `true`, found `t`")
  }

  @Test func `a text that is neither JSON nor YAML has the problem of its extension`() throws {
    let text = "{\"a\": 1 \"b\": 2"
    let yaml = try #require(throws: TextProblem.self) { try read(text, "api.yaml") }
    let json = try #require(throws: TextProblem.self) { try read(text, "api.json") }
    #expect(yaml.message.hasPrefix("expected `,` or `}` of the mapping"))
    #expect(json.message == "expected `,` or `}`, found `\"`")
  }

  @Test func `the same contract in JSON and YAML has equal values`() throws {
    let yaml = "openapi: 3.1.0\npaths:\n  /a:\n    get:\n      responses:\n        200: {description: ok}\n"
    let json = #"{"openapi":"3.1.0","paths":{"/a":{"get":{"responses":{"200":{"description":"ok"}}}}}}"#
    #expect(try read(yaml, "a.yaml") == read(json, "a.json"))
  }

  @Test(.enabled(if: Corpora.isPresent, "skipped: no corpora"))
  func `official descriptions in JSON and YAML are equal`() throws {
    let count = try compareTwins(Corpora.path("OAI+learn.openapis.org"))
    #expect(count > 5)
  }

  private func compareTwins(_ folder: String) throws -> Int {
    var count = 0
    for entry in try FileSystem.list(folder) {
      let path = folder + "/" + entry.name
      if entry.isFolder { count += try compareTwins(path) }
      guard path.utf8.suffix(5).elementsEqual(".yaml".utf8) else { continue }
      let twin = String(path.dropLast(5)) + ".json"
      // Upstream gave only one of these two a callback, a link and a webhook.
      guard FileSystem.exists(twin), entry.name != "tictactoe.yaml" else { continue }
      let yaml = try TextDocument.read(FileSystem.read(path))
      let json = try TextDocument.read(FileSystem.read(twin))
      #expect(yaml.root == json.root, "\(path)")
      count += 1
    }
    return count
  }
}

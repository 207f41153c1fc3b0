import Testing
import UnderstudyContract
import UnderstudyTestSupport

/// Data files, and the contracts that they are lowered into.
struct DataContractTests {
  private func read(_ data: String) -> (api: API?, diagnostics: [Diagnostic]) {
    ContractFixture(contracts: ["db.json": data]).read()
  }

  // MARK: - Contracts

  @Test func `lists, items and singular objects have operations`() throws {
    let (api, diagnostics) = read(
      #"{"posts": [{"id": 1, "title": "a"}], "comments": [{"id": 1, "postId": 1}], "profile": {}}"#)
    #expect(diagnostics == [])
    #expect(
      try #require(api).operations.map { "\($0.method) \($0.path) \($0.id)" } == [
        "GET /posts listPosts", "POST /posts createPosts", "GET /posts/{id} readPosts", "PUT /posts/{id} replacePosts",
        "PATCH /posts/{id} updatePosts", "DELETE /posts/{id} deletePosts", "GET /comments listComments",
        "POST /comments createComments", "GET /comments/{id} readComments", "PUT /comments/{id} replaceComments",
        "PATCH /comments/{id} updateComments", "DELETE /comments/{id} deleteComments",
        "GET /posts/{postId}/comments listPostComments", "POST /posts/{postId}/comments createPostComments",
        "GET /profile readProfile", "PUT /profile replaceProfile", "PATCH /profile updateProfile",
      ])
  }

  @Test func `the contract has no findings of its own`() throws {
    let api = try #require(
      read(#"{"posts": [{"id": "x", "tags": ["a"], "author": {"name": "Ada"}}], "me": {"a(b": null}}"#).api)
    #expect(Linter.lint(api).map(\.message) == [])
  }

  @Test(arguments: [
    (#"[{"id": 1, "a": "x"}]"#, #"{"id":{"type":"integer"},"a":{"type":["string","null"]}}"#),
    (#"[{"id": "x", "a": null}]"#, #"{"id":{"type":"string"},"a":{}}"#),
    (
      #"[{"id": 1, "a": 1}, {"id": "x", "a": "y"}]"#,
      #"{"id":{"type":["integer","string"]},"a":{"type":["string","number","null"]}}"#
    ),
    (#"[]"#, #"{"id":{"type":["integer","string"]}}"#),
    (
      #"[{"_id": 1, "a": [true]}]"#,
      #"{"_id":{"type":"integer"},"a":{"type":["array","null"],"items":{"type":["boolean","null"]}}}"#
    ),
    (
      #"[{"id": "123e4567-e89b-42d3-a456-426614174000", "a": {"b": 1.5}}]"#,
      #"{"id":{"type":"string","format":"uuid"},"a":{"type":["object","null"],"properties":{"b":{"type":["number","null"]}}}}"#
    ),
    (#"[{"a": 1}]"#, #"{"id":{"type":"integer"},"a":{"type":["number","null"]}}"#),
  ])
  func `a schema has the types of the data`(_ list: String, _ properties: String) throws {
    let root = try #require(read("{\"things\": \(list)}").api).root
    let schema = try #require(root["components"]?["schemas"]?["things"])
    #expect(schema["properties"].map { JSONWriter.text($0) } == properties)
  }

  @Test func `a map with a thousand keys gets no thousand properties`() throws {
    let members = (0..<1000).map { "\"k\($0)\": 1" }.joined(separator: ", ")
    let root = try #require(read("{\"things\": [{\"id\": 1, \"map\": {\(members)}}]}").api).root
    let schema = try #require(root["components"]?["schemas"]?["things"]?["properties"]?["map"])
    #expect(schema["properties"]?.count == 200)
  }

  @Test func `operations have the range of the key, and items keep their own range`() throws {
    let text = #"{"posts": [{"id": 1, "title": "a"}]}"#
    let root = try #require(read(text).api).root
    let path = try #require(root["paths"]?["/posts"]?["get"])
    #expect(path.range == 1..<8)
    let item = try #require(root["components"]?["examples"]?["posts"]?["value"]?[0]?["title"])
    #expect(item.range == text.utf8.count - 6..<text.utf8.count - 3)
  }

  // MARK: - References

  @Test(arguments: [
    ("postId", "posts"), ("post_id", "posts"), ("categoryId", "categories"), ("boxId", "boxes"), ("personId", "people"),
    ("newsId", "news"), ("authorId", nil), ("id", nil), ("Id", nil), ("postIds", nil),
  ])
  func `a member refers to the collection of its name`(_ member: String, _ collection: String?) throws {
    let root = try #require(
      read(
        """
        {"things": [{"id": 1, "\(member)": 1}],
         "posts": [], "categories": [], "boxes": [], "people": [], "news": [], "author": {}}
        """
      ).api
    ).root
    let references = root["x-understudy-resource"]?["things"]?["references"]
    #expect(references?[member]?.string == collection)
  }

  // MARK: - Findings

  @Test(arguments: [
    (#"{"a": [{"id": 1}, {"id": ↓1}]}"#, "the id 1 of `a` is taken: the item is not served"),
    (#"{"a": [{"id": 1}, {"id": ↓"1"}]}"#, "the id \"1\" of `a` is taken: the item is not served"),
    (#"{"a": [{"id": 1}, ↓{"b": 1}]}"#, "1 item of `a` without `id`, served with new ids"),
    (#"{"a": [{"id": ↓true}]}"#, "expected a number or a string for the id of an item of `a`, found a boolean"),
    (#"{"a": [{"id": ↓""}]}"#, "expected a number or a string for the id of an item of `a`, found an empty string"),
    (#"{"a": [], "b": [↓1]}"#, "expected an object for each item of `b`, found a number"),
    (#"{"a": [], "b": [{}, ↓[]]}"#, "expected an object for each item of `b`, found an array"),
    (#"{"a": [], ↓"b/c": []}"#, "\"b/c\" is not a segment of a path: the collection is not served"),
    (#"{"a": [], ↓"": []}"#, "\"\" is not a segment of a path: the collection is not served"),
    (#"{"a": [], ↓"..": []}"#, "\"..\" is not a segment of a path: the collection is not served"),
    (#"{"a": [], ↓"{x}": []}"#, "\"{x}\" is not a segment of a path: the collection is not served"),
    (#"{"a": [], ↓"ü": []}"#, "\"ü\" is not a segment of a path: the collection is not served"),
    (#"{"a": [], ↓"__admin": []}"#, "`__admin` is a path of the mock itself: the collection is not served"),
  ])
  func `a part that cannot be served has a finding with its range and advice`(
    _ data: String, _ message: String
  ) throws {
    let marked = MarkedText(data)
    let (api, diagnostics) = read(marked.text)
    #expect(api != nil)
    let finding = try #require(diagnostics.first)
    #expect(diagnostics.count == 1 && finding.rule.id == "data.invalid")
    #expect(finding.message == message)
    #expect(finding.help?.isEmpty == false)
    #expect([finding.location?.range?.lowerBound] == marked.offsets)
  }

  @Test(arguments: [
    (#"↓[{"id": 1}]"#, "a file of data has its lists in an object: {\"posts\": [...]}"),
    ("↓{}", "data that is served without a contract has lists of objects: {\"posts\": [{\"id\": 1}]}"),
    (#"{"posts": [{"id": 1}], "version": ↓3}"#, "remove `version`, or move it into an object"),
    (
      #"↓{"log": {"entries": []}}"#,
      "draft a contract from it: understudy record --from FILE --draft api.yaml; or record fixtures with one"
    ),
    (
      #"↓{"info": {}, "paths": {}}"#,
      "data that is served without a contract has lists of objects: {\"posts\": [{\"id\": 1}]}"
    ),
    (
      #"↓{"limitParam": {"name": {}}, "tagParam": {}}"#,
      "data that is served without a contract has lists of objects: {\"posts\": [{\"id\": 1}]}"
    ),
    (#"↓{"tags": ["a"]}"#, "data that is served without a contract has lists of objects: {\"posts\": [{\"id\": 1}]}"),
  ])
  func `a file that is neither contract nor data is refused with what was expected`(
    _ data: String, _ help: String
  ) throws {
    let marked = MarkedText(data)
    let (api, diagnostics) = read(marked.text)
    #expect(api == nil)
    let finding = try #require(diagnostics.first)
    #expect(finding.rule == .specUnparsable)
    #expect(finding.message.contains("expected `openapi: 3.0.x`"))
    #expect(finding.help == help)
    #expect([finding.location?.range?.lowerBound] == marked.offsets)
  }

  @Test func `data in YAML is refused with the name that it needs`() {
    let diagnostics = ContractFixture("posts: [{id: 1}]").read().diagnostics
    #expect(
      diagnostics.map(\.help) == [
        "name it NAME.json, and it is served as collections; lists of objects and objects are its members"
      ])
  }

  @Test func `a schema reference beside the collections is not a collection`() throws {
    let (api, diagnostics) = read(#"{"$schema": "./db.schema.json", "posts": [{"id": 1}]}"#)
    #expect(diagnostics == [])
    #expect(try #require(api).operations.count == 6)
  }

  @Test func `a key that appears twice is reported`() throws {
    let api = try #require(read(#"{"posts": [{"id": 1}], "posts": [{"id": 2}]}"#).api)
    #expect(Linter.lint(api).map(\.place) == ["spec.duplicate-key 1:24"])
  }

  // MARK: - Limits

  @Test func `a collection beyond the limit is not served, and its limit is named`() throws {
    let items = Array(repeating: "{}", count: 10_001).joined(separator: ",")
    let (api, diagnostics) = read("{\"a\": [], \"b\": [\(items)]}")
    #expect(try #require(api).operations.count == 6)
    #expect(
      diagnostics.map(\.message) == ["`b` has 10001 items: expected at most 10000, the limit of a collection"])
    #expect(diagnostics.map(\.place) == ["data.invalid 1:11"])
  }

  @Test func `the collections beyond the limit are reported once`() throws {
    let (api, diagnostics) = read("{\((0..<510).map { "\"c\($0)\": []" }.joined(separator: ","))}")
    #expect(try #require(api).operations.count == 6 * 500)
    #expect(
      diagnostics.map(\.message) == ["more than 500 collections: `c500` and the members after it are not served"])
  }

  @Test func `the references beyond the limit are plain members, and are reported once`() throws {
    // Lists of 30 references each, of which the first 16 and a part of the next one are within the limit.
    let members = (0..<30).map { "\"c\($0)Id\": 1" }.joined(separator: ",")
    let (api, diagnostics) = read(
      "{\((0..<30).map { "\"c\($0)\": [{\"id\": 1, \(members)}]" }.joined(separator: ","))}")
    #expect(try #require(api).operations.count == 6 * 30 + 2 * 500)
    #expect(
      diagnostics.map(\.message) == [
        "more than 500 references between collections: `c20Id` of `c16` and the references after it are plain members"
      ])
  }

  @Test func `a mistake in each item is reported twenty times and counted`() {
    let items = Array(repeating: "{\"id\": 1}", count: 100).joined(separator: ",")
    let diagnostics = read("{\"a\": [\(items)]}").diagnostics
    #expect(diagnostics.count == 21)
    #expect(diagnostics.last?.message == "79 more findings of this kind")
  }

  @Test func `data as deep as a document may be is served`() throws {
    let deep = String(repeating: "[", count: 990) + String(repeating: "]", count: 990)
    let (api, diagnostics) = read("{\"a\": [{\"id\": 1, \"b\": \(deep)}]}")
    #expect(diagnostics == [])
    #expect(try #require(api).operations.count == 6)
  }

  @Test func `data that is too deep is refused with its line and column`() {
    let deep = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
    let diagnostics = read("{\"a\": [{\"id\": 1, \"b\": \(deep)}]}").diagnostics
    #expect(diagnostics.map(\.message) == ["nested deeper than 1000 levels"])
    #expect(diagnostics.map(\.place) == ["spec.unparsable 1:1020"])
  }
}

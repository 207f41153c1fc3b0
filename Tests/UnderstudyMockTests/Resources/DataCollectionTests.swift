import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Data files as json-server serves them: requests to collections, singular objects and relations.
struct DataCollectionTests {
  private static let data = """
    {
      "posts": [
        {"id": 1, "title": "Hello", "author": {"name": "Ada"}, "views": 100, "tags": ["a", "b"]},
        {"id": 2, "title": "World", "author": {"name": "Bob"}, "views": 20, "tags": []},
        {"id": 3, "title": "Again", "author": {"name": "Ada"}, "views": 100, "tags": ["b"], "draft": true}
      ],
      "comments": [
        {"id": "x", "body": "one", "postId": 1}, {"id": "y", "body": "two", "postId": 1},
        {"id": "z", "body": "lost", "postId": 9}
      ],
      "profile": {"name": "typicode"}
    }
    """

  private func client(
    _ data: String = Self.data, configure: (inout Mock.Options) -> Void = { _ in }
  ) throws -> LaneClient {
    LaneClient(try ContractFixture(contracts: ["db.json": data]).mock(configure: configure))
  }

  private func send(
    _ method: HTTPRequest.Method, _ path: String, _ body: String, by client: LaneClient,
    type: String = "application/json"
  ) -> String {
    let reply = client.send(method, path, ["Content-Type": type], body: body)
    return "\(reply.status) \(reply.text)"
  }

  private func ids(_ path: String, by client: LaneClient) throws -> String {
    let reply = client.send(path)
    guard reply.status == 200 else { return "\(reply.status)" }
    return try JSONParser.parse(reply.body).root.elements.map { $0["id"]?.plainText ?? "-" }.joined(separator: " ")
  }

  // MARK: - Items

  @Test func `items are created, read, replaced, changed and deleted`() throws {
    let client = try client()
    #expect(send(.post, "/posts", #"{"title": "New"}"#, by: client) == #"201 {"title":"New","id":4}"#)
    #expect(client.send("/posts/4").text == #"{"title":"New","id":4}"#)
    #expect(send(.put, "/posts/4", #"{"id": 7, "views": 1}"#, by: client) == #"200 {"id":4,"views":1}"#)
    #expect(send(.patch, "/posts/4", #"{"views": null, "extra": [1]}"#, by: client) == #"200 {"id":4,"extra":[1]}"#)
    #expect(
      send(
        .patch, "/posts/4", #"[{"op": "add", "path": "/title", "value": "P"}]"#, by: client,
        type: "application/json-patch+json") == #"200 {"id":4,"extra":[1],"title":"P"}"#)
    #expect(send(.delete, "/posts/4", "", by: client) == #"200 {"id":4,"extra":[1],"title":"P"}"#)
    #expect(client.send("/posts/4").status == 404)
  }

  @Test(arguments: [
    #"[{"op": "test", "path": "/views", "value": 9999}]"#, #"[{"op": "add", "path": "/none/0", "value": 1}]"#,
  ])
  func `a patch that does not fit changes nothing, and gets 409`(patch: String) throws {
    let client = try client()
    let item = client.send("/posts/1").text
    #expect(
      send(.patch, "/posts/1", patch, by: client, type: "application/json-patch+json")
        == #"409 {"error":"The patch does not fit the item, or a test of it failed."}"#)
    #expect(client.send("/posts/1").text == item)
  }

  @Test func `a new item has a Location, below its own collection`() throws {
    let client = try client()
    let json = ["Content-Type": "application/json"]
    #expect(client.send(.post, "/posts", json, body: "{}").header("Location") == "/posts/4")
    let nested = client.send(.post, "/posts/4/comments", json, body: #"{"body": "n"}"#)
    #expect(nested.text == #"{"body":"n","postId":4,"id":"2"}"#)
    #expect(nested.header("Location") == "/comments/2")
    #expect(client.send("/comments/2").status == 200)
  }

  @Test(arguments: [
    ("[1, 2]", "3"), (#"["1", "9"]"#, "\"10\""), (#"["a", "b"]"#, "\"1\""), (#"["a", "1"]"#, "\"2\""), ("[]", "1"),
    (#"[1, "a"]"#, "2"), ("[9223372036854775807]", "1"),
  ])
  func `a new id is of the kind that the data has`(_ ids: String, _ new: String) throws {
    let items = try JSONParser.parse(Array(ids.utf8)).root.elements.map { "{\"id\": \(JSONWriter.text($0))}" }
    let client = try client("{\"things\": [\(items.joined(separator: ", "))]}")
    #expect(send(.post, "/things", "{}", by: client) == "201 {\"id\":\(new)}")
  }

  @Test func `an id of the client keeps its type, and a taken one is refused`() throws {
    let client = try client(#"{"things": []}"#)
    #expect(send(.post, "/things", #"{"id": 5}"#, by: client) == #"201 {"id":5}"#)
    #expect(send(.post, "/things", #"{"id": "a"}"#, by: client) == #"201 {"id":"a"}"#)
    #expect(
      send(.post, "/things", #"{"id": "5"}"#, by: client)
        == #"409 {"error":"The id is taken, or the collection is full."}"#)
  }

  @Test func `items without an id get one before clients see them`() throws {
    let client = try client(#"{"things": [{"a": 1}, {"id": 1, "a": 2}, {"id": null, "a": 3}]}"#)
    #expect(client.send("/things").text == #"[{"id":2,"a":1},{"id":1,"a":2},{"id":3,"a":3}]"#)
    #expect(client.send("/things/2").text == #"{"id":2,"a":1}"#)
  }

  @Test(arguments: [
    (HTTPRequest.Method.get, "/posts/9", ""),
    (.put, "/posts/9", "{}"), (.patch, "/posts/9", "{}"),
    (.delete, "/posts/9", ""), (.get, "/posts/x", ""), (.get, "/posts/9/comments", ""),
    (.post, "/posts/9/comments", "{}"),
  ])
  func `a missing item is a 404`(_ method: HTTPRequest.Method, _ path: String, _ body: String) throws {
    #expect(send(method, path, body, by: try client()) == #"404 {"error":"Not found."}"#)
  }

  @Test(arguments: ["[1]", "{", "null", "\"a\"", #"{"views": "many"}"#])
  func `a body that is no item is refused and changes nothing`(_ body: String) throws {
    let client = try client()
    #expect(send(.post, "/posts", body, by: client).hasPrefix("422 "))
    #expect(try ids("/posts", by: client) == "1 2 3")
  }

  @Test func `a member with an object is not taken for an envelope`() throws {
    let client = try client()
    #expect(send(.post, "/posts", #"{"meta": {"a": 1}}"#, by: client) == #"201 {"meta":{"a":1},"id":4}"#)
  }

  // MARK: - Singular objects

  @Test func `a singular object is read, changed and replaced`() throws {
    let client = try client(#"{"profile": {"name": "typicode"}, "empty": {}, "posts": []}"#)
    #expect(client.send("/profile").text == #"{"name":"typicode"}"#)
    #expect(send(.patch, "/profile", #"{"age": 3}"#, by: client) == #"200 {"name":"typicode","age":3}"#)
    #expect(send(.put, "/profile", #"{"other": 1}"#, by: client) == #"200 {"other":1}"#)
    #expect(client.send("/profile").text == #"{"other":1}"#)
    #expect(client.send("/empty").text == "{}")
    #expect(send(.delete, "/profile", "", by: client).hasPrefix("405 "))
  }

  // MARK: - Filters

  @Test(arguments: [
    ("", "1 2 3"), ("title=World", "2"), ("id=1&id=3", "1 3"), ("views=100", "1 3"), ("views=100&title=Again", "3"),
    ("author.name=Ada", "1 3"), ("tags=b", "1 3"), ("draft=true", "3"), ("title=nothing", ""),
    ("views_gte=100", "1 3"), ("views_lte=20", "2"), ("views_gt=100", ""), ("views_lt=100", "2"),
    ("views:gte=100", "1 3"), ("views:lt=100", "2"), ("views_gte=20&views_lt=100", "2"), ("id_gte=2", "2 3"),
    ("views_ne=100", "2"), ("id_ne=1&id_ne=2", "3"), ("draft_ne=true", "1 2"), ("author.name_ne=Ada", "2"),
    ("title_like=A", "3"), ("title_like=O", "1 2"), ("title:contains=orl", "2"), ("title:startsWith=he", "1"),
    ("title:endsWith=in", "3"), ("id:in=1,3", "1 3"), ("title:eq=Hello", "1"), ("tags_like=A", "1"),
    ("q=ada", "1 3"), ("q=world", "2"), ("q=nothing", ""),
    ("views=many", "422"), ("_page=0", "422"), ("_limit=x", "422"), ("_embed=nothing", "422"),
  ])
  func `a query filters items`(_ query: String, _ expected: String) throws {
    #expect(try ids("/posts?\(query)", by: try client()) == expected)
  }

  @Test func `a filter that names no member is reported with a suggestion and ignored`() throws {
    let reply = try client().send("/posts?titel=World")
    #expect(reply.diagnostics.map(\.message) == ["listPosts has no query parameter `titel`"])
    #expect(reply.diagnostics.map(\.help) == ["did you mean `title`?"])
    #expect(try ids("/posts?titel=World", by: try client()) == "1 2 3")
  }

  @Test func `members that requests add are filters as well`() throws {
    let client = try client(#"{"things": []}"#)
    _ = send(.post, "/things", #"{"a": 1, "b": {"c": 2}}"#, by: client)
    _ = send(.post, "/things", #"{"a": 2}"#, by: client)
    #expect(try ids("/things?a=2", by: client) == "2")
    #expect(try ids("/things?a_gt=1", by: client) == "2")
    #expect(try ids("/things?_sort=-a", by: client) == "2 1")
    #expect(try ids("/things?nothing=2", by: client) == "")
    #expect(client.send("/things?a=2").diagnostics == [])
  }

  // MARK: - Order and pages

  @Test(arguments: [
    ("_sort=title", "3 1 2"), ("_sort=-title", "2 1 3"), ("_sort=title&_order=desc", "2 1 3"), ("_sort=views", "2 1 3"),
    ("_sort=views,title", "2 3 1"), ("_sort=-views,title", "3 1 2"), ("_sort=views,title&_order=desc,desc", "1 3 2"),
    ("_sort=nothing", "1 2 3"), ("_limit=2", "1 2"), ("_start=1", "2 3"), ("_start=1&_end=2", "2"),
    ("_start=1&_limit=1", "2"), ("_end=2", "1 2"), ("_start=2&_end=1", ""), ("_page=1&_per_page=2", "1 2"),
    ("_page=2&_per_page=2", "3"), ("_page=2&_limit=2", "3"), ("_page=9&_per_page=2", ""), ("_page=1", "1 2 3"),
    ("_limit=0", ""), ("_page=9223372036854775807&_per_page=9223372036854775807", ""),
    ("_page=99999999999999999999&_per_page=1", ""), ("_start=99999999999999999999", ""),
    ("_end=99999999999999999999", "1 2 3"), ("_start=0&_limit=99999999999999999999", "1 2 3"),
  ])
  func `a query orders items and takes a part of them`(_ query: String, _ expected: String) throws {
    #expect(try ids("/posts?\(query)", by: try client()) == expected)
  }

  @Test func `a name that no item has sorts by nothing, and the reply names it`() throws {
    let reply = try client().send("/posts?_sort=titel,-views")
    #expect(reply.header("Understudy-Reply") == "resource posts, 3 of 3, not sorted by titel, which no item has")
    #expect(try ids("/posts?_sort=titel,-views", by: try client()) == "1 3 2")
  }

  @Test(arguments: [
    ("q=aab", "1 2"), ("q=AAB", "1 2"), ("q=abaabaaa", "2"), ("q=aba", "2 3"), ("t_like=aab", "1 2"),
    ("t_like=baab", "2"),
    ("q=aabb", ""), ("t_contains=%C3%A9", "3"),
  ])
  func `a search finds a string that repeats itself`(_ query: String, _ expected: String) throws {
    let client = try client(
      #"{"things": [{"id": 1, "t": "aaab"}, {"id": 2, "t": "abaabaaa"}, {"id": 3, "t": "\u00c9 aBa"}]}"#)
    #expect(try ids("/things?\(query)", by: client) == expected)
  }

  @Test func `a page has ten items by default`() throws {
    let items = (1...25).map { "{\"id\": \($0)}" }.joined(separator: ", ")
    let client = try client("{\"things\": [\(items)]}")
    #expect(try ids("/things?_page=3", by: client) == "21 22 23 24 25")
    #expect(try ids("/things", by: client).split(separator: " ").count == 25)
  }

  @Test(arguments: [
    (
      "_page=1&_limit=1",
      "</posts?_limit=1&_page=1>; rel=\"first\", </posts?_limit=1&_page=2>; rel=\"next\", </posts?_limit=1&_page=3>; rel=\"last\""
    ),
    (
      "_page=2&_limit=2&q=o",
      "</posts?_limit=2&q=o&_page=1>; rel=\"first\", </posts?_limit=2&q=o&_page=1>; rel=\"prev\", </posts?_limit=2&q=o&_page=1>; rel=\"last\""
    ),
    ("_limit=1", nil), ("", nil),
  ])
  func `a page links to the others`(_ query: String, _ links: String?) throws {
    #expect(try client().send("/posts?\(query)").header("Link") == links)
  }

  @Test func `the total counts the items of all pages`() throws {
    let client = try client()
    #expect(client.send("/posts?_page=1&_limit=1").header("X-Total-Count") == "3")
    #expect(client.send("/posts?views=100&_limit=1").header("X-Total-Count") == "2")
  }

  // MARK: - Relations

  @Test func `related items are embedded and expanded`() throws {
    let data =
      #"{"posts": [{"id": 1}, {"id": 2}], "comments": [{"id": 1, "postId": 1}, {"id": 2, "postId": 9}, {"id": 3}]}"#
    let client = try client(data)
    #expect(
      client.send("/posts?_embed=comments").text
        == #"[{"id":1,"comments":[{"id":1,"postId":1}]},{"id":2,"comments":[]}]"#)
    #expect(client.send("/posts/1?_embed=comments").text == #"{"id":1,"comments":[{"id":1,"postId":1}]}"#)
    let expanded = #"[{"id":1,"postId":1,"post":{"id":1}},{"id":2,"postId":9},{"id":3}]"#
    #expect(client.send("/comments?_expand=post").text == expanded)
    #expect(client.send("/comments?_embed=post").text == expanded)
    #expect(client.send("/comments/1?_expand=post").text == #"{"id":1,"postId":1,"post":{"id":1}}"#)
  }

  @Test func `relations show what requests have changed`() throws {
    let client = try client()
    _ = send(.post, "/comments", #"{"id": "n", "postId": 2}"#, by: client)
    #expect(try ids("/posts/2/comments", by: client) == "n")
    _ = send(.patch, "/posts/2", #"{"title": "T"}"#, by: client)
    #expect(client.send("/comments/n?_expand=post").text.contains(#""title":"T""#))
    _ = send(.delete, "/posts/2", "", by: client)
    #expect(client.send("/comments/n?_expand=post").text == #"{"id":"n","postId":2}"#)
    #expect(client.send("/posts/2/comments").status == 404)
  }

  @Test func `collections that refer to each other and to themselves are embedded once`() throws {
    let client = try client(#"{"a": [{"id": 1, "bId": 1, "aId": 1}], "b": [{"id": 1, "aId": 1}]}"#)
    #expect(
      client.send("/a?_embed=b&_embed=a").text
        == #"[{"id":1,"bId":1,"aId":1,"b":{"id":1,"aId":1},"a":{"id":1,"bId":1,"aId":1}}]"#)
    #expect(client.send("/a/1/a").text == #"[{"id":1,"bId":1,"aId":1}]"#)
  }

  @Test func `related items beyond the limit of a response are left out, and the log says so`() throws {
    let text = String(repeating: "x", count: 1 << 20)
    let comments = (1...70).map { "{\"id\": \($0), \"postId\": 1}" }.joined(separator: ", ")
    let client = try client("{\"posts\": [{\"id\": 1, \"text\": \"\(text)\"}], \"comments\": [\(comments)]}")
    let reply = client.send("/comments?_expand=post")
    let items = try JSONParser.parse(reply.body).root
    #expect(items.count == 70)
    #expect(items.elements.count { $0["post"] != nil } == 63)
    #expect(reply.header("Understudy-Reply") == "resource comments, 70 of 70, related items beyond 64 MiB left out")
  }

  // MARK: - The rest of the mock

  @Test func `responses are forced and preferred as for any contract`() throws {
    let client = try client { $0.forced = [ForcingRule("listPosts=200")].compactMap(\.self) }
    #expect(client.send("/posts?title=World").text.contains("Hello"))
    #expect(client.send("/posts/1", ["Prefer": "code=404"]).status == 404)
    #expect(client.send("/posts/1", ["Prefer": "code=notFound"]).status == 404)
  }

  @Test func `each lane has items of its own`() throws {
    let mock = try ContractFixture(contracts: ["db.json": Self.data]).mock()
    let (one, other) = (LaneClient(mock), LaneClient(mock))
    _ = send(.delete, "/posts/1", "", by: one)
    #expect(try ids("/posts", by: one) == "2 3")
    #expect(try ids("/posts", by: other) == "1 2 3")
  }

  @Test func `the banner lists the collections`() throws {
    #expect(
      try client().mock.collections.map { "\($0.name): \($0.verbs.map(\.rawValue).joined(separator: " "))" } == [
        "posts: list create read replace update delete", "comments: list create read replace update delete",
        "profile: read replace update",
      ])
  }

  @Test func `a contract alone is stateful without an option if it says so`() throws {
    let contract = """
      openapi: 3.1.0
      info: {title: T, version: "1"}
      x-understudy: {stateful: true}
      paths: {}
      """
    let mock = try ContractFixture(contract).mock()
    #expect(mock.contracts[0].compiled.violations.isStateful)
    #expect(mock.complaints == [])
    let broken = try ContractFixture(contract.replacing("true", with: "yes")).mock()
    #expect(broken.complaints == ["spec.x-understudy 3:26 expected `true` or `false`"])
  }
}

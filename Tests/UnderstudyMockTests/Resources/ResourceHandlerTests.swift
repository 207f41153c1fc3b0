import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ResourceHandlerTests {
  private static let json = ["Content-Type": "application/json"]

  private func stateful<R>(
    _ fixtures: [String: String] = [:], contract: String = MockContract.library,
    configure: (inout Mock.Options) -> Void = { _ in }, _ body: (LaneClient) throws -> R
  ) throws -> R {
    try ContractFixture(contract, fixtures: fixtures).withMock(
      configure: {
        $0.isStateful = true
        $0.now = { 1_700_000_000_000_000 }
        configure(&$0)
      }, { try body(LaneClient($0, at: 1_700_000_000_000_000)) })
  }

  @discardableResult
  private func create(_ mock: LaneClient, _ body: String) throws -> JSON {
    let reply = mock.send(.post, "/users", Self.json, body: body)
    #expect(reply.status == 201, "\(reply.text)")
    return try JSONParser.parse(reply.body).root
  }

  private func value(_ reply: Reply) throws -> JSON { try JSONParser.parse(reply.body).root }

  // MARK: - One item

  @Test func `what is created can be read, listed and deleted`() throws {
    try stateful { (mock) throws in
      let made = mock.send(.post, "/users", Self.json, body: #"{"name":"Ann","role":"admin"}"#)
      #expect(made.status == 201)
      let user = try value(made)
      let id = try #require(user["id"]?.string)
      #expect(user["name"] == "Ann")
      #expect(made.header("Location") == "/users/\(id)")
      #expect(made.reason == "resource created users/\(id)")
      #expect(try value(mock.send("/users/\(id)")) == user)
      #expect(try value(mock.send("/users"))["items"] == [user])
      #expect(mock.send(.delete, "/users/\(id)").status == 204)
      #expect(mock.send("/users/\(id)").status == 404)
      #expect(mock.send(.delete, "/users/\(id)").status == 404)
      #expect(try value(mock.send("/users"))["items"] == [])
    }
  }

  @Test func `the server sets what is read only, and hides what is written only`() throws {
    try stateful { (mock) throws in
      let user = try create(mock, #"{"name":"Ann","password":"secret","createdAt":"2001-01-01T00:00:00Z"}"#)
      #expect(user["createdAt"] == "2023-11-14T22:13:20.000Z")
      #expect(user["password"] == nil)
    }
  }

  @Test func `an empty id is none`() throws {
    try stateful { (mock) throws in
      let made = mock.send(.post, "/users", Self.json, body: #"{"id":"","name":"Ann"}"#)
      let id = try #require(value(made)["id"]?.string)
      #expect(made.status == 201 && !id.isEmpty && made.header("Location") == "/users/\(id)")
      #expect(mock.send("/users/\(id)").status == 200)
    }
  }

  @Test func `an id that is taken is a conflict`() throws {
    try stateful { (mock) throws in
      try create(mock, #"{"id":"ann","name":"Ann"}"#)
      #expect(mock.send(.post, "/users", Self.json, body: #"{"id":"ann","name":"Bob"}"#).status == 409)
      #expect(try value(mock.send("/users/ann"))["name"] == "Ann")
    }
  }

  @Test func `PUT replaces an item, or makes one where that is documented`() throws {
    try stateful { (mock) throws in
      try create(mock, #"{"id":"ann","name":"Ann","role":"admin"}"#)
      let replaced = try value(mock.send(.put, "/users/ann", Self.json, body: #"{"name":"Anna"}"#))
      #expect(replaced["name"] == "Anna")
      #expect(replaced["id"] == "ann")
      #expect(replaced["role"] == nil)
      #expect(replaced["createdAt"] == "2023-11-14T22:13:20.000Z")
      #expect(mock.send(.put, "/users/bob", Self.json, body: #"{"name":"Bob"}"#).status == 201)
      #expect(try value(mock.send("/users/bob"))["id"] == "bob")
    }
  }

  @Test func `PATCH merges by the media type of its body`() throws {
    try stateful { (mock) throws in
      try create(mock, #"{"id":"ann","name":"Ann","role":"admin","address":{"city":"Seoul","zip":"1"}}"#)
      let merge = ["Content-Type": "application/merge-patch+json"]
      let merged = try value(
        mock.send(.patch, "/users/ann", merge, body: #"{"role":null,"address":{"zip":"2"},"id":"eve"}"#))
      #expect(merged["role"] == nil)
      #expect(merged["address"] == ["city": "Seoul", "zip": "2"])
      #expect(merged["id"] == "ann")
      let patch = ["Content-Type": "application/json-patch+json"]
      let patched = try value(
        mock.send(.patch, "/users/ann", patch, body: #"[{"op":"add","path":"/tags","value":["a"]}]"#))
      #expect(patched["tags"] == ["a"])
      #expect(patched["name"] == "Ann")
      #expect(try value(mock.send("/users/ann")) == patched)
    }
  }

  @Test(arguments: [
    #"[{"op":"test","path":"/name","value":"Bob"}]"#, #"[{"op":"remove","path":"/name"}]"#,
    #"[{"op":"replace","path":"/name","value":""}]"#, #"[{"op":"remove","path":"/none"}]"#,
  ])
  func `a patch that does not fit changes nothing`(patch: String) throws {
    try stateful { (mock) throws in
      let user = try create(mock, #"{"id":"ann","name":"Ann"}"#)
      #expect(
        mock.send(.patch, "/users/ann", ["Content-Type": "application/json-patch+json"], body: patch).status == 422)
      #expect(try value(mock.send("/users/ann")) == user)
    }
  }

  @Test func `an ETag guards a change`() throws {
    try stateful { (mock) throws in
      try create(mock, #"{"id":"ann","name":"Ann"}"#)
      let tag = try #require(mock.send("/users/ann").header("ETag"))
      let merge = ["Content-Type": "application/merge-patch+json", "If-Match": tag]
      #expect(mock.send("/users/ann", ["If-None-Match": tag]).status == 304)
      let changed = mock.send(.patch, "/users/ann", merge, body: #"{"name":"Anna"}"#)
      #expect(changed.status == 200)
      #expect(changed.header("ETag") != tag)
      #expect(mock.send(.patch, "/users/ann", merge, body: #"{"name":"Anne"}"#).status == 412)
      #expect(try value(mock.send("/users/ann", ["If-None-Match": tag]))["name"] == "Anna")
    }
  }

  // MARK: - Many items

  @Test func `a list has filters, order and pages`() throws {
    try stateful { (mock) throws in
      for (name, role, tags) in [("Cy", "guest", "a"), ("Ann", "admin", "a,b"), ("Bob", "guest", "b")] {
        let list = tags.split(separator: ",").map { "\"\($0)\"" }.joined(separator: ",")
        try create(mock, #"{"name":"\#(name)","role":"\#(role)","tags":[\#(list)]}"#)
      }
      func names(_ query: String) throws -> [String] {
        try value(mock.send("/users?\(query)"))["items"]?.elements.compactMap { $0["name"]?.string } ?? []
      }
      #expect(try names("role=guest") == ["Cy", "Bob"])
      #expect(try names("tags=a&tags=b") == ["Ann"])
      #expect(try names("q=bo") == ["Bob"])
      #expect(try names("sort=name") == ["Ann", "Bob", "Cy"])
      #expect(try names("sort=-name") == ["Cy", "Bob", "Ann"])
      #expect(try names("limit=2") == ["Cy", "Ann"])
      #expect(try names("limit=2&page=2") == ["Bob"])
      #expect(try names("limit=2&page=9") == [])
      let page = mock.send("/users?role=guest&limit=1")
      #expect(try value(page)["total"] == 2)
      #expect(page.header("X-Total-Count") == "2")
    }
  }

  @Test(arguments: [
    "{$ref: '#/components/schemas/Size'}", "{allOf: [{$ref: '#/components/schemas/Size'}]}",
    "{allOf: [{type: integer}, {default: 2}]}",
  ])
  func `the default of a limit is found behind references and allOf`(schema: String) throws {
    let contract = MockContract.library
      .replacing("{type: integer, minimum: 1, default: 20}", with: schema)
      .replacing("  schemas:\n", with: "  schemas:\n    Size: {type: integer, default: 2}\n")
    try stateful(contract: contract) { (mock) throws in
      for name in ["Ann", "Bob", "Cy"] { try create(mock, #"{"name":"\#(name)"}"#) }
      #expect(try value(mock.send("/users"))["items"]?.count == 2)
      #expect(try value(mock.send("/users?limit=3"))["items"]?.count == 3)
    }
  }

  @Test(arguments: ["{minimum: 0}", "{$ref: '#/components/schemas/Start'}", "{allOf: [{type: integer}, {minimum: 0}]}"])
  func `the number of the first page is found behind references and allOf`(schema: String) throws {
    let contract = MockContract.library
      .replacing("page, in: query, schema: {type: integer, minimum: 1}", with: "page, in: query, schema: \(schema)")
      .replacing("  schemas:\n", with: "  schemas:\n    Start: {type: integer, minimum: 0}\n")
    try stateful(contract: contract) { (mock) throws in
      for name in ["Ann", "Bob"] { try create(mock, #"{"name":"\#(name)"}"#) }
      let items = try value(mock.send("/users?limit=1&page=1"))["items"]
      #expect(items?.elements.compactMap { $0["name"]?.string } == ["Bob"])
    }
  }

  @Test func `a UUID behind a reference is made like one in place`() throws {
    func id(_ schema: String) throws -> String? {
      let contract = MockContract.library
        .replacing("id: {type: string}", with: "id: \(schema)")
        .replacing("  schemas:\n", with: "  schemas:\n    Key: {type: string, format: uuid}\n")
      return try stateful(contract: contract) { (mock) throws in try create(mock, #"{"name":"Ann"}"#)["id"]?.string }
    }
    let expected = try #require(try id("{type: string, format: uuid}"))
    #expect(try id("{$ref: '#/components/schemas/Key'}") == expected)
  }

  @Test func `items are within their parents, and go with them`() throws {
    try stateful { (mock) throws in
      try create(mock, #"{"id":"ann","name":"Ann"}"#)
      try create(mock, #"{"id":"bob","name":"Bob"}"#)
      #expect(mock.send("/users/eve/posts").status == 404)
      #expect(mock.send(.post, "/users/eve/posts", body: "text=Hi").status == 404)
      let post = try value(mock.send(.post, "/users/ann/posts", body: "text=Hi+there"))
      #expect(post["text"] == "Hi there")
      #expect(post["userId"] == "ann")
      let number = try #require(post["number"]?.int)
      #expect(try value(mock.send("/users/ann/posts/\(number)")) == post)
      #expect(mock.send("/users/bob/posts/\(number)").status == 404)
      #expect(try value(mock.send("/users/bob/posts")) == [])
      #expect(mock.send(.delete, "/users/ann").status == 204)
      #expect(mock.send("/users/ann/posts").status == 404)
      try create(mock, #"{"id":"ann","name":"Ann"}"#)
      #expect(try value(mock.send("/users/ann/posts")) == [])
    }
  }

  // MARK: - Other answers

  @Test func `fixtures are what a collection begins with`() throws {
    let fixtures = [
      "listUsers/200.json": #"{"items":[{"id":"ann","name":"Ann","createdAt":"2001-01-01T00:00:00Z"}],"total":1}"#,
      "readUser/200.bob.yaml":
        "when: {path: {userId: bob}}\nbody: {id: bob, name: Bob, createdAt: '2001-01-01T00:00:00Z'}\n",
      "readUser/200.eve.json": #"{"id":"eve","name":"Eve","createdAt":"2001-01-01T00:00:00Z"}"#,
    ]
    try stateful(fixtures) { (mock) throws in
      #expect(try value(mock.send("/users"))["items"]?.elements.compactMap { $0["id"]?.string } == ["ann", "bob"])
      #expect(mock.send(.delete, "/users/ann").status == 204)
      #expect(mock.send("/users/ann").status == 404)
      #expect(try value(mock.send("/users/bob"))["name"] == "Bob")
      // A variant without a condition is another answer, which a request may prefer.
      #expect(mock.send("/users/eve").status == 404)
      #expect(try value(mock.send("/users/eve", ["Prefer": "example=eve"]))["name"] == "Eve")
      #expect(try value(LaneClient(mock.mock).send("/users/ann"))["name"] == "Ann", "another lane has its own items")
    }
  }

  @Test func `a request that breaks the contract changes nothing`() throws {
    try stateful { (mock) throws in
      #expect(mock.send(.post, "/users", Self.json, body: #"{"name":""}"#).status >= 400)
      #expect(try value(mock.send("/users"))["items"] == [])
    }
  }

  @Test func `an operation on no collection answers as ever`() throws {
    try stateful { (mock) throws in
      #expect(mock.mock.collections.map(\.name) == ["users", "posts"])
      #expect(mock.send("/search/a").status == 204)
      #expect(mock.send("/search/a").reason == "contract search/204")
    }
  }

  @Test func `a mock that is not stateful forgets`() throws {
    try stateful(configure: { $0.isStateful = false }) { (mock) throws in
      #expect(mock.mock.collections.isEmpty)
      #expect(mock.send(.delete, "/users/a").status == 204)
      #expect(mock.send("/users/a").status == 200)
    }
  }
}

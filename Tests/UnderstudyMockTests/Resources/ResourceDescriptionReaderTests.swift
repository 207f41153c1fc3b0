import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct ResourceDescriptionReaderTests {
  private static let ann = "hT5wKq9ZrXb3NfUe7LmYc1VsDg42"
  private static let bob = "b1b2b3b4b5b6b7b8b9b0c1c2c3c4"

  private func chats() throws -> LaneClient {
    let mock = try Mock.load(Project.path("specs/slp.yaml")) {
      $0.isStateful = true
      $0.now = { 1_700_000_000_000_000 }
    }
    return LaneClient(mock, at: 1_700_000_000_000_000)
  }

  private func messages(_ mock: LaneClient, of user: String, with other: String, since: String) throws -> [JSON] {
    let reply = mock.send("/v1/chat/\(other)?lastchatDate=\(since)", ["idtoken": user])
    #expect(reply.status == 200, "\(reply.text)")
    return try JSONParser.parse(reply.body).root["payload"].map { Array($0.elements) } ?? []
  }

  @Test func `what one user sent both users read, newer than their cursors`() throws {
    let mock = try chats()
    let reply = mock.send(.post, "/v1/chat/\(Self.bob)", ["idtoken": Self.ann], body: "chat=hello")
    let sent = try JSONParser.parse(reply.body).root
    #expect(sent["chat"] == "hello")
    #expect(sent["from"]?.string == Self.ann)
    #expect(sent["to"]?.string == Self.bob)
    for (user, other) in [(Self.ann, Self.bob), (Self.bob, Self.ann)] {
      #expect(try messages(mock, of: user, with: other, since: "2023-01-01T00:00:00.000Z") == [sent])
      #expect(try messages(mock, of: user, with: other, since: "2023-11-14T22:13:20.000Z") == [])
    }
    #expect(try messages(mock, of: "eve", with: Self.ann, since: "2023-01-01T00:00:00.000Z") == [])
  }

  @Test func `the fixture holds the earlier messages of both users`() throws {
    let mock = try chats()
    let me = "x4YzQ0qkVfR2mJtUcP8hLwB1nSd2"
    #expect(try messages(mock, of: me, with: Self.ann, since: "2000-01-01T00:00:00.000Z").count == 5)
    #expect(try messages(mock, of: Self.ann, with: me, since: "2022-12-06T11:02:15.120Z").count == 2)
  }

  @Test func `the contract may have the description`() throws {
    let slp = try Project.text("specs/slp.yaml")
    let description = try Project.text("fixtures/slp/_resources.yaml").split(separator: "\n").map { "  \($0)\n" }
      .joined()
    try ContractFixture(slp + "\nx-understudy-resource:\n" + description).withMock {
      $0.isStateful = true
      $0.now = { 1_700_000_000_000_000 }
    } _: { mock in
      #expect(mock.diagnostics.isEmpty)
      let mock = LaneClient(mock, at: 1_700_000_000_000_000)
      _ = mock.send(.post, "/v1/chat/\(Self.bob)", ["idtoken": Self.ann], body: "chat=hello")
      let read = try messages(mock, of: Self.bob, with: Self.ann, since: "2023-01-01T00:00:00.000Z")
      #expect(read.map { $0["chat"]?.string } == ["hello"])
    }
  }

  @Test func `a token names its user`() throws {
    let mock = try chats()
    let claims = Base64.encode(Array(#"{"user_id":"\#(Self.ann)"}"#.utf8)).prefix { $0 != "=" }
    _ = mock.send(.post, "/v1/chat/\(Self.bob)", ["idtoken": "e30.\(claims).c2ln"], body: "chat=hello")
    let read = try messages(mock, of: Self.bob, with: Self.ann, since: "2023-01-01T00:00:00.000Z")
    #expect(read.first?["from"]?.string == Self.ann)
  }

  @Test(arguments: [
    ("messages: {create: sendChta}", "unknown operation `sendChta`", "did you mean `sendChat`?"),
    ("messages: {creat: sendChat}", "unknown key `creat`", "did you mean `create`?"),
    ("messages: {create: {operation: sendChat, set: {to: path}}}", "`path` is not a value of a request", nil),
    ("messages: {list: {operation: readChat, were: []}}", "unknown key `were`", "did you mean `where`?"),
    ("[messages]", "expected a mapping of collections, found array", nil),
    ("messages: {id: _id, id: id}", "duplicate key `id` in one object", "the first is in line 1; remove one of them"),
    ("messages: {list: readChat, references: [a]}", "expected a mapping of members to collections, found array", nil),
    ("messages: {list: readChat, references: {a: 1}}", "expected the name of a collection, found number", nil),
    ("messages: {list: readChat, single: 1}", "expected `true` or `false`, found number", nil),
    ("messages: {list: {operation: readChat, page-size: 0}}", "expected a number from 1, found number", nil),
    ("messages: {list: [readChat, {operation: readChta}]}", "unknown operation `readChta`", "did you mean `readChat`?"),
    ("messages: {create: joinQueue}", "no operation of `messages` answers with its items as JSON", nil),
  ])
  func `a mistake in a description is reported`(text: String, message: String, help: String?) throws {
    let slp = try Project.text("specs/slp.yaml")
    try ContractFixture(slp, files: ["fixtures/api/_resources.yaml": text + "\n"]).withMock {
      $0.isStateful = true
    } _: { mock in
      let found = try #require(mock.diagnostics.first { $0.message == message }, "\(mock.diagnostics.map(\.message))")
      #expect(found.location?.path?.hasSuffix("_resources.yaml") == true)
      if let help { #expect(found.help == help) }
    }
  }
}

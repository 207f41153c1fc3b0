import SLPClient
import UnderstudyTesting

@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct ChatSocketTests {
  let lane: Lane

  init() throws { lane = try #require(Lane.current) }

  @Test func `E32: the socket says who it is, and gets the messages for it`() async throws {
    try await lane.expect(checks: "reconnect-storm")
    var messages = ChatSocket(baseURL: lane.baseURL, uid: "u1").messages().makeAsyncIterator()
    async let first = messages.next()
    #expect(try await lane.next(event: "changesocketid").argument == "u1")
    try await lane.emit("chat", .fixture("chat"), to: "u1")
    #expect(try await first?.chat == "저도 지금 가고 있어요!")
  }

  @Test(arguments: ["chat.withoutId", "chat.numericCreatedAt"])
  func `E33: a message that breaks the contract is left out, and the next one comes`(broken: String) async throws {
    var messages = ChatSocket(baseURL: lane.baseURL, uid: "u1").messages().makeAsyncIterator()
    async let first = messages.next()
    try await lane.next(event: "changesocketid")
    try await lane.emit("chat", .fixture(broken), to: "u1")
    try await lane.emit("sesac", .values("of another class"), to: "u1")
    try await lane.emit("chat", .fixture("chat.extraKeys"), to: "u1")
    #expect(try await first?._id == "638f216b7d2e4a90c5b8e604")
  }

  @Test func `E34: a message is sent by REST, and arrives at the socket of its recipient`() async throws {
    var messages = ChatSocket(baseURL: lane.baseURL, uid: "u2").messages().makeAsyncIterator()
    async let first = messages.next()
    try await lane.next(event: "changesocketid")
    let sent = try await SLPClient.underTest().send("hi", to: "u2")
    let received = try #require(try await first)
    #expect(sent == .message(received))
  }

  @Test func `the server ends the chat`() async throws {
    var messages = ChatSocket(baseURL: lane.baseURL, uid: "u1").messages().makeAsyncIterator()
    async let first = messages.next()
    try await lane.next(event: "changesocketid")
    try await lane.disconnect("u1")
    #expect(try await first == nil)
  }
}

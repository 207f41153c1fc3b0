import Foundation
import SLPClient
import UnderstudyTesting

@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct SLPClientTests {
  /// Of the conversation in the test.
  let file = TemporaryFile()

  @Test func `a 401 is refreshed once`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "readUser", 401, 200)
    let tokens = Tokens()
    _ = try await SLPClient(baseURL: lane.baseURL, tokens: tokens).user()
    #expect(await tokens.refreshes == 1)
    #expect(try await lane.calls("readUser").map { $0.header("idtoken") } == ["token-0", "token-1"])
  }

  @Test func `an empty history stays empty`() async throws {
    try await Lane.current?.reply(to: "readChat", .fixture("200.empty"))
    let room = try ChatRoom(with: "u2", client: .underTest(), file: file.url)
    try await room.update()
    #expect(await room.history == [])
  }

  @Test func `only messages after the last one are fetched, and none is kept twice`() async throws {
    let lane = try #require(Lane.current)
    let room = try ChatRoom(with: "u2", client: .underTest(), file: file.url)
    try await room.update()
    let last = try #require(await room.history.last)
    let count = await room.history.count
    try await room.update()
    #expect(await room.history.count == count)
    #expect(
      try await lane.calls("readChat").map { $0.parameter("lastchatDate") } == [
        "2000-01-01T00:00:00.000Z", last.createdAt,
      ])
  }

  @Test func `after a new start the history is there, and only newer messages are fetched`() async throws {
    let lane = try #require(Lane.current)
    let before = try ChatRoom(with: "u2", client: .underTest(), file: file.url)
    try await before.update()
    let history = await before.history
    let last = try #require(history.last)
    let after = try ChatRoom(with: "u2", client: .underTest(), file: file.url)
    #expect(await after.history == history)
    try await after.update()
    #expect(
      try await lane.calls("readChat").map { $0.parameter("lastchatDate") } == [
        "2000-01-01T00:00:00.000Z", last.createdAt,
      ])
  }

  @Test func `after a new start a sent message is in the history`() async throws {
    let before = try ChatRoom(with: "u2", client: .underTest(), file: file.url)
    #expect(try await before.send("hello"))
    let after = try ChatRoom(with: "u2", client: .underTest(), file: file.url)
    #expect(await after.history.count == 1)
  }

  @Test func `a history that cannot be read is fetched from its beginning`() async throws {
    let lane = try #require(Lane.current)
    try Data("[{".utf8).write(to: file.url)
    let room = try ChatRoom(with: "u2", client: .underTest(), file: file.url)
    #expect(await room.history == [])
    try await room.update()
    #expect(await room.history.count == 5)
    #expect(try await lane.calls("readChat").map { $0.parameter("lastchatDate") } == ["2000-01-01T00:00:00.000Z"])
    let after = try ChatRoom(with: "u2", client: .underTest(), file: file.url)
    #expect(await after.history.count == 5)
  }

  @Test func `a sent message is in the history without another request`() async throws {
    let lane = try #require(Lane.current)
    let room = try ChatRoom(with: "u2", client: .underTest(), file: file.url)
    #expect(try await room.send("a&b=c+d 한글"))
    #expect(await room.history.count == 1)
    #expect(try await lane.calls("sendChat").first?.field("chat") == "a&b=c+d 한글")
    try await lane.expect("readChat", times: 0)
  }

  @Test(arguments: SLPClient.calls.keys.sorted())
  func `the client turns every answer into a value or an error`(operation: String) async throws {
    let lane = try #require(Lane.current)
    let call = try #require(SLPClient.calls[operation])
    let sweep = try await lane.sweep(within: .seconds(5)) { try await call(.underTest(at: $0)) }
    try sweep.expect(
      .noHang, .nothingSwallowed, .throwsFor(400...599), .callsAtMost(1),
      .returnsFor("additional-member", "other-date", "slow", "duplicate-items"))
  }

  @Test(arguments: [ScriptedReply.hang, .reset, .close, .fault(.garbage), .fault(.truncate)])
  func `a connection that fails is an error of the client`(reply: ScriptedReply) async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(to: "readUser", reply)
    let client = SLPClient(baseURL: lane.baseURL, tokens: Tokens(), timeout: 1)
    await #expect(throws: SLPError.unreachable) { try await client.user() }
  }
}

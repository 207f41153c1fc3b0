import BuggyClients
import UnderstudyMock
import UnderstudyTesting

/// A bug around the socket breaks a client check, or shows in what the client makes of an event.
struct SocketBugsTests {
  /// The failures of a test that checks a client.
  private func failures(
    _ scenario: String, _ run: @escaping @Sendable (Wire) async throws -> Void
  ) async throws -> String {
    let lane = try await Lane.open(scenario: scenario, on: .start("specs/slp.yaml", fixtures: "fixtures"))
    try await run(Wire(baseURL: lane.baseURL))
    do {
      try await lane.close()
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test func `E32: the socket has a constant in place of the uid`() async throws {
    let found = try await failures("chat-checked") { try await $0.socketWithWrongID() }
    #expect(found.contains("the id of `changesocketid` is not that of `readUser/uid`"), "\(found)")
    #expect(found.contains(/socket [0-9]+ > changesocketid/), "\(found)")
  }

  @Test func `E32: the socket never says who it is`() async throws {
    let found = try await failures("chat-checked") { try await $0.socketWithoutID() }
    #expect(
      found.contains("the first event of the socket was not `changesocketid` [check.join-after-connect]"), "\(found)")
  }

  @Test(.slp) func `E32: the client listens to the event of another class`() async throws {
    let lane = try #require(Lane.current)
    async let handled = Wire(baseURL: lane.baseURL).wrongEventName(uid: "u1")
    try await lane.next(event: "changesocketid", within: .seconds(20))
    try await lane.emit("chat", .fixture("chat"), to: "u1")
    #expect(try await handled == [])
  }

  @Test(.slp, arguments: ["chat.withoutId", "chat.numericCreatedAt"])
  func `E33: the message is cast with force`(fixture: String) async throws {
    let lane = try #require(Lane.current)
    let message = Task { try await Wire(baseURL: lane.baseURL).forcedCast(uid: "u1") }
    try await lane.next(event: "changesocketid", within: .seconds(20))
    try await lane.emit("chat", .fixture(fixture), to: "u1")
    await #expect(throws: ClientError.decoding) { try await message.value }
  }

  @Test func `a lost socket is opened again at once, for ever`() async throws {
    var options = Mock.Options()
    options.fault("sockets", "refuse:503")
    options.expect(checks: "reconnect-storm")
    let lane = try await Lane.open(on: .start("specs/slp.yaml", fixtures: "fixtures", options: options))
    await Wire(baseURL: lane.baseURL).endlessReconnect(tries: 6)
    let error = await #expect(throws: (any Error).self) { try await lane.close() }
    #expect("\(String(describing: error))".contains("[check.reconnect-storm]"), "\(String(describing: error))")
  }
}

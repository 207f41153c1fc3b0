import BuggyClients

#if ELSEWHERE
import UnderstudyClient
import UnderstudyClientTestSupport
#else
import UnderstudyTesting
#endif

/// A bug in what follows an answer breaks a client check, and the table of a sweep has what was sent next.
@Suite(.needsMock, .slp)
struct SequenceBugsTests {
  let lane: Lane
  let client: Wire

  init() throws {
    lane = try #require(Lane.current)
    client = Wire(baseURL: lane.baseURL)
  }

  @Test func `E20: a refused token is refreshed for ever`() async throws {
    let tokens = FirebaseTokens()
    let sweep = try await lane.sweep(within: .seconds(3)) { try await Wire(baseURL: $0.baseURL).endlessRefresh(tokens) }
    let row = try sweep["readUser", "status 401 firebaseTokenError"]
    #expect(row.outcome == .hung && !row.next.isEmpty, "\(row.next)")
    #expect(await tokens.refreshes > 5)
  }

  @Test func `E20: the retry has the refused token`() async throws {
    try await lane.expect(checks: "retry-after-401", "retry-storm")
    try await lane.reply(to: "readUser", .status(401).times(6), 200)
    _ = try await client.endlessRefresh(FirebaseTokens())
    #expect(Set(try await lane.caught()) == ["check.retry-after-401", "check.retry-storm"])
  }

  @Test func `E24: the whole chat is read again after each message`() async throws {
    try await lane.stopClock()
    try await lane.expect(checks: "read-after-send")
    try await client.historyAfterEachMessage()
    #expect(try await lane.verdict().findings.map(\.count) == [2])
    #expect(try await lane.caught() == ["check.read-after-send"])
  }

  @Test func `E24: the chat is read even when the message was not sent`() async throws {
    let sweep = try await lane.sweep("sendChat") { try await Wire(baseURL: $0.baseURL).historyAfterEachMessage() }
    #expect(try sweep["sendChat", "status 201 notMatchedAnyMore"].next == ["readChat", "sendChat", "readChat"])
  }

  @Test func `E31: one tap asks two people`() async throws {
    try await lane.stopClock()
    try await lane.expect(checks: "burst:requestStudy")
    try await client.reusedButton()
    #expect(try await lane.calls("requestStudy").map { $0.field("otheruid") } == ["u2", "u3"])
    #expect(try await lane.caught() == ["check.burst"])
  }

  @Test func `E31: a second request follows every answer`() async throws {
    try await lane.reply(to: "requestStudy", "200.empty")
    let sweep = try await lane.sweep { try await Wire(baseURL: $0.baseURL).reusedButton() }
    #expect(try sweep["requestStudy", "status 200 success"].next == ["requestStudy"])
    #expect(try sweep["requestStudy", "status 202 otherStopped"].next == ["requestStudy"])
  }
}

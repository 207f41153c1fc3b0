import BuggyClients
import UnderstudyTesting

/// A bug in what follows an answer breaks a client check, and the table of a sweep has what was sent next.
@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct SequenceBugsTests {
  let api: Understudy
  let client: Wire

  init() throws {
    api = try #require(Understudy.current)
    client = Wire(baseURL: api.baseURL)
  }

  @Test func `E20: a refused token is refreshed for ever`() async throws {
    let tokens = FirebaseTokens()
    let sweep = try await api.sweep(within: .seconds(3)) { [client] in try await client.endlessRefresh(tokens) }
    let row = try #require(sweep["readUser", "status 401"])
    #expect(row.outcome == .hung && row.requestsAfter > 5, "\(row.next)")
    #expect(await tokens.refreshes > 5)
  }

  @Test func `E20: the retry has the refused token`() async throws {
    api.expect(checks: "retry-after-401", "retry-storm")
    api.reply(to: "readUser", .status(401).times(6), 200)
    _ = try await client.endlessRefresh(FirebaseTokens())
    #expect(Set(api.calls("readUser").map { $0.header("idtoken") }) == ["token-0"])
    #expect(Set(api.caught()) == ["check.retry-after-401", "check.retry-storm"])
  }

  @Test func `E24: the whole chat is read again after each message`() async throws {
    api.stopClock()
    api.expect(checks: "read-after-send")
    try await client.historyAfterEachMessage()
    #expect(api.result.violations.map(\.count) == [2])
    #expect(api.caught() == ["check.read-after-send"])
  }

  @Test func `E24: the chat is read even when the message was not sent`() async throws {
    let sweep = try await api.sweep("sendChat") { [client] in try await client.historyAfterEachMessage() }
    #expect(sweep["sendChat", "status 201 notMatchedAnyMore"]?.next == ["readChat", "sendChat", "readChat"])
  }

  @Test func `E31: one tap asks two people`() async throws {
    api.stopClock()
    api.expect(checks: "burst:requestStudy")
    try await client.reusedButton()
    #expect(api.calls("requestStudy").map { $0.field("otheruid") } == ["u2", "u3"])
    #expect(api.caught() == ["check.burst"])
  }

  @Test func `E31: a second request follows every answer`() async throws {
    api.reply(to: "requestStudy", "200.empty")
    let sweep = try await api.sweep { [client] in try await client.reusedButton() }
    #expect(sweep["requestStudy", "status 200"]?.next == ["requestStudy"])
    #expect(sweep["requestStudy", "status 202"]?.next == ["requestStudy"])
  }
}

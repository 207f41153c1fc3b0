import BuggyClients
import Foundation
import UnderstudyTesting

/// Each bug is caught, under a name that says what is wrong.
@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct BuggyClientsTests {
  let api: Understudy
  let client: Wire

  init() throws {
    api = try #require(Understudy.current)
    client = Wire(baseURL: api.baseURL)
  }

  // MARK: - What the client sends

  private static let requests: [(bug: String, rule: String, call: @Sendable (Wire) async throws -> Void)] = [
    ("E9 cursor in the path", "req.param.missing", { try await $0.cursorInThePath() }),
    ("E10 cursor in local time", "req.param.schema", { try await $0.cursorInLocalTime() }),
    ("E14 brackets in lists", "req.param.encoding", { try await $0.bracketsInLists() }),
    ("E15 list as one text", "req.param.encoding", { try await $0.listAsOneText() }),
    ("E16 fields in the query", "req.body.missing", { try await $0.fieldsInTheQuery() }),
    ("E16 JSON under a form header", "req.body.unparsable", { try await $0.jsonUnderAFormHeader() }),
    ("E17 form by hand", "req.param.encoding", { try await $0.formByHand("a&b=c+d 한글") }),
    ("E19 double slash", "req.path.unknown", { try await $0.doubleSlash() }),
    ("E35 numbers in JSON", "req.content-type.undocumented", { try await $0.numbersInJSON() }),
    ("E37 swapped coordinates", "req.body.schema", { try await $0.swappedCoordinates() }),
    ("E42 GET for POST", "req.method.unknown", { try await $0.getForPost() }),
  ]

  @Test(arguments: requests.indices) func `a wrong request breaks a rule`(index: Int) async throws {
    let (bug, rule, call) = Self.requests[index]
    try await call(client)
    let broken = api.result.violations.map(\.finding.rule)
    #expect(broken.contains(rule), "\(bug): \(api.result.violations)")
    for rule in broken { api.allow(rule) }
  }

  // MARK: - What it makes of answers

  @Test func `E1: the text of a success is a failure`() async throws {
    await #expect(throws: ClientError.decoding) { _ = try await client.textDecodedAsJSON() }
  }

  @Test func `E2: a failure that nobody hears hangs`() async throws {
    let sweep = try await api.sweep(within: .milliseconds(500)) { [client] in try await client.failureThatNobodyHears()
    }
    #expect(sweep["readUser", "html"]?.outcome == .hung)
    #expect(sweep["readUser", "required-missing /nick"]?.outcome == .hung)
  }

  @Test func `E5: a penalty opens the search`() async throws {
    let sweep = try await api.sweep { [client] in try await client.everyTwoHundredIsSuccess() }
    #expect(sweep["joinQueue", "status 203 penaltyFirst"]?.outcome == .returned("searching"))
  }

  @Test func `E7: a 500 is an empty history`() async throws {
    api.reply(to: "readChat", .fixture("500.jsonObject"), times: 1)
    #expect(try await client.defaultForTheMissing() == 0)
    let sweep = try await api.sweep { [client] in try await client.defaultForTheMissing() }
    #expect(sweep["readChat", "required-missing /payload"]?.outcome == .returned("0"))
  }

  @Test func `E11: another spelling of a date fails`() async throws {
    let sweep = try await api.sweep { [client] in try await client.oneSpellingOfDates() }
    #expect(sweep["readUser", "other-date /createdAt"]?.outcome == .threw("decoding"))
  }

  @Test func `E13: waiting looks like no search`() async throws {
    api.reply(to: "readQueueState", .fixture("200.matched"))
    let sweep = try await api.sweep { [client] in try await client.partnerIsNotOptional() }
    #expect(sweep["readQueueState", "optional-missing /matchedUid"]?.outcome == .returned("normal"))
    #expect(sweep["readQueueState", "slow"]?.outcome == .returned("matched"))
  }

  @Test func `E20: a refused token is refreshed for ever`() async throws {
    let sweep = try await api.sweep(within: .seconds(3)) { [client] in try await client.endlessRefresh() }
    let row = try #require(sweep["readUser", "status 401"])
    #expect(row.outcome == .hung && row.requestsAfter > 5, "\(row.next)")
  }

  @Test func `E24: the history is fetched after each message`() async throws {
    try await client.historyAfterEachMessage()
    #expect(api.calls.map(\.operation) == ["sendChat", "readChat", "sendChat", "readChat"])
  }

  @Test func `E26: a documented status is unknown to the client`() async throws {
    let sweep = try await api.sweep { [client] in try await client.missingStatus() }
    #expect(sweep["requestStudy", "status 202 otherStopped"]?.outcome == .threw("status(202)"))
  }

  @Test func `E27: a status shows the text of another operation`() async throws {
    let sweep = try await api.sweep { [client] in try await client.sharedStatuses() }
    #expect(sweep["joinQueue", "status 201 reportedTooOften"]?.outcome == .returned("already registered"))
  }

  @Test func `E31: one tap asks two people`() async throws {
    try await client.twoRequestsForOneTap()
    #expect(api.calls("requestStudy").map { $0.field("otheruid") } == ["u2", "u3"])
  }

  @Test func `E40: a broken connection is an empty answer`() async throws {
    let sweep = try await api.sweep { [client] in try await client.noNetworkIsEmpty() }
    #expect(sweep["readChat", "reset"]?.outcome == .returned("0"))
    #expect(sweep["readChat", "close"]?.outcome == .returned("0"))
  }

  @Test func `E43: a missing name is no name`() async throws {
    let sweep = try await api.sweep { [client] in try await client.everythingIsOptional() }
    #expect(sweep["readUser", "required-missing /nick"]?.outcome == .returned("no name"))
    #expect(sweep["readUser", "required-null /nick"]?.outcome == .returned("no name"))
  }
}

import BuggyClients
import UnderstudyTesting

/// A bug in the reading of answers is a row in the table of a sweep, which has the name of the answer.
@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct AnswerBugsTests {
  let api: Understudy
  let client: Wire

  init() throws {
    api = try #require(Understudy.current)
    client = Wire(baseURL: api.baseURL)
  }

  @Test func `E1: the text of a success is a failure`() async throws {
    await #expect(throws: ClientError.decoding) { _ = try await client.textDecodedAsJSON() }
    // With a text in quotes, which is JSON, the client works.
    api.reply(to: "withdraw", "200.quoted")
    let sweep = try await api.sweep { [client] in try await client.textDecodedAsJSON() }
    #expect(sweep["withdraw", "status 200"]?.outcome == .threw("decoding"))
    #expect(sweep["withdraw", "slow"]?.outcome == .returned("success"))
  }

  @Test func `E2: the caller of a failure waits for ever`() async throws {
    api.reply(to: "joinQueue", "200.quoted")
    let sweep = try await api.sweep(within: .milliseconds(500)) { [client] in try await client.unreportedFailure() }
    #expect(sweep["joinQueue", "status 200"]?.outcome == .hung)
    #expect(sweep["joinQueue", "html"]?.outcome == .hung)
  }

  @Test func `E5: a refusal opens the search`() async throws {
    let sweep = try await api.sweep { [client] in try await client.everyTwoHundredIsSuccess() }
    for status in ["201 reportedTooOften", "203 penaltyFirst", "204 penaltySecond", "205 penaltyThird"] {
      #expect(sweep["joinQueue", "status \(status)"]?.outcome == .returned("searching"), "\(status)")
    }
    #expect(sweep["joinQueue", "status 401"]?.outcome == .threw("status(401)"))
  }

  @Test func `E7: a failure of the server is an empty history`() async throws {
    api.reply(to: "readChat", .fixture("500.jsonObject"), times: 1)
    #expect(try await client.defaultForTheMissing() == 0)
    let sweep = try await api.sweep { [client] in try await client.defaultForTheMissing() }
    #expect(sweep["readChat", "required-missing /payload"]?.outcome == .returned("0"))
    #expect(sweep["readChat", "slow"]?.outcome == .returned("5"))
  }

  @Test func `E11: another spelling of a date fails`() async throws {
    let sweep = try await api.sweep { [client] in try await client.oneSpellingOfDates() }
    #expect(sweep["readUser", "other-date /createdAt"]?.outcome == .threw("decoding"))
  }

  @Test func `E13: waiting looks like no search`() async throws {
    api.reply(to: "readQueueState", .fixture("200.matched"))
    let sweep = try await api.sweep { [client] in try await client.partnerIsNotOptional() }
    #expect(sweep["readQueueState", "status 200"]?.outcome == .returned("normal"))
    #expect(sweep["readQueueState", "optional-missing /matchedUid"]?.outcome == .returned("normal"))
    #expect(sweep["readQueueState", "slow"]?.outcome == .returned("matched"))
  }

  @Test func `E26: a documented status ends the app`() async throws {
    // The client reads the status alone, and an empty text has fewer variants.
    api.reply(to: "requestStudy", "200.empty")
    let sweep = try await api.sweep(inChildProcesses: true) { [client] in try await client.missingStatus() }
    #expect(Self.isForcedUnwrap(sweep["requestStudy", "status 202 otherStopped"]), "\(sweep)")
    #expect(sweep["requestStudy", "status 201 otherAlreadyRequested"]?.outcome == .returned("otherAskedFirst"))
  }

  @Test func `E27: a status shows the text of another operation`() async throws {
    let sweep = try await api.sweep { [client] in try await client.sharedStatuses() }
    #expect(sweep["joinQueue", "status 201 reportedTooOften"]?.outcome == .returned("already registered"))
  }

  @Test func `E40: a connection that fails ends the app`() async throws {
    api.reply(to: "withdraw", "200.empty")
    let sweep = try await api.sweep(inChildProcesses: true) { [client] in try await client.missingResponse() }
    #expect(Self.isForcedUnwrap(sweep["withdraw", "reset"]), "\(sweep)")
    #expect(Self.isForcedUnwrap(sweep["withdraw", "close"]), "\(sweep)")
    #expect(sweep["withdraw", "status 500"]?.outcome == .returned("try again"))
  }

  @Test func `E43: a missing name passes unnoticed`() async throws {
    let sweep = try await api.sweep { [client] in try await client.everythingIsOptional() }
    #expect(sweep["readUser", "required-missing /nick"]?.outcome == .returned("no name"))
    #expect(sweep["readUser", "required-null /nick"]?.outcome == .returned("no name"))
  }

  private static func isForcedUnwrap(_ row: Sweep.Row?) -> Bool {
    guard case .crashed(let signal, let message)? = row?.outcome else { return false }
    return signal.hasPrefix("SIG") && message.contains("Unexpectedly found nil while unwrapping an Optional value")
  }
}

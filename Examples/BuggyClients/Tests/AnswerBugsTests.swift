import BuggyClients

#if ELSEWHERE
import UnderstudyClient
import UnderstudyClientTestSupport
#else
import UnderstudyTesting
#endif

/// A bug in the reading of answers is a row in the table of a sweep, which has the name of the answer.
@Suite(.needsMock, .slp)
struct AnswerBugsTests {
  let lane: Lane
  let client: Wire

  init() throws {
    lane = try #require(Lane.current)
    client = Wire(baseURL: lane.baseURL)
  }

  @Test func `E1: the text of a success is a failure`() async throws {
    await #expect(throws: ClientError.decoding) { _ = try await client.textDecodedAsJSON() }
    // With a text in quotes, which is JSON, the client works.
    try await lane.reply(to: "withdraw", "200.quoted")
    let sweep = try await lane.sweep { try await Wire(baseURL: $0.baseURL).textDecodedAsJSON() }
    #expect(try sweep["withdraw", "status 200 success"].outcome == .threw("decoding"))
    #expect(try sweep["withdraw", "slow"].outcome == .returned("success"))
  }

  @Test func `E2: the caller of a failure waits for ever`() async throws {
    try await lane.reply(to: "joinQueue", "200.quoted")
    let sweep = try await lane.sweep(within: .milliseconds(500)) {
      try await Wire(baseURL: $0.baseURL).unreportedFailure()
    }
    #expect(try sweep["joinQueue", "status 200 success"].outcome == .hung)
    #expect(try sweep["joinQueue", "html"].outcome == .hung)
  }

  @Test func `E5: a refusal opens the search`() async throws {
    let sweep = try await lane.sweep { try await Wire(baseURL: $0.baseURL).everyTwoHundredIsSuccess() }
    for status in ["201 reportedTooOften", "203 penaltyFirst", "204 penaltySecond", "205 penaltyThird"] {
      #expect(try sweep["joinQueue", "status \(status)"].outcome == .returned("searching"), "\(status)")
    }
    #expect(try sweep["joinQueue", "status 401 firebaseTokenError"].outcome == .threw("status(401)"))
  }

  @Test func `E7: a failure of the server is an empty history`() async throws {
    try await lane.reply(to: "readChat", .fixture("500.jsonObject"), times: 1)
    #expect(try await client.defaultForTheMissing() == 0)
    let sweep = try await lane.sweep { try await Wire(baseURL: $0.baseURL).defaultForTheMissing() }
    #expect(try sweep["readChat", "required-missing /payload"].outcome == .returned("0"))
    #expect(try sweep["readChat", "slow"].outcome == .returned("5"))
  }

  @Test func `E11: another spelling of a date fails`() async throws {
    let sweep = try await lane.sweep { try await Wire(baseURL: $0.baseURL).oneSpellingOfDates() }
    #expect(try sweep["readUser", "other-date /createdAt"].outcome == .threw("decoding"))
  }

  @Test func `E13: waiting looks like no search`() async throws {
    try await lane.reply(to: "readQueueState", .fixture("200.matched"))
    let sweep = try await lane.sweep { try await Wire(baseURL: $0.baseURL).partnerIsNotOptional() }
    #expect(try sweep["readQueueState", "status 200 success"].outcome == .returned("normal"))
    #expect(try sweep["readQueueState", "optional-missing /matchedUid"].outcome == .returned("normal"))
    #expect(try sweep["readQueueState", "slow"].outcome == .returned("matched"))
  }

  @Test func `E27: a status shows the text of another operation`() async throws {
    let sweep = try await lane.sweep { try await Wire(baseURL: $0.baseURL).sharedStatuses() }
    #expect(try sweep["joinQueue", "status 201 reportedTooOften"].outcome == .returned("already registered"))
  }

  @Test func `E43: a missing name passes unnoticed`() async throws {
    let sweep = try await lane.sweep { try await Wire(baseURL: $0.baseURL).everythingIsOptional() }
    #expect(try sweep["readUser", "required-missing /nick"].outcome == .returned("no name"))
    #expect(try sweep["readUser", "required-null /nick"].outcome == .returned("no name"))
  }
}

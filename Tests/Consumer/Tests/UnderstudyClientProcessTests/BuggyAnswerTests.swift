import BuggyClients
import Foundation
import Testing
import UnderstudyClient

/// The bugs that UnderstudyTesting finds in the reading of answers: a row of a sweep has the name of the answer. Those that
/// end the process (E26, E40) run in one of their own.
@Suite(.needsVariants, .lane("buggy"))
struct BuggyAnswerTests {
  let lane: Lane

  init() throws {
    lane = try #require(Lane.current)
    // The replies are those of the sweeps' lanes.
    lane.allow("test.reply-unused")
  }

  private func sweep<Value: Sendable>(
    within limit: Duration = .seconds(5), _ call: @escaping @Sendable (Wire) async throws -> Value
  ) async throws -> Sweep {
    try await lane.sweep(within: limit) { try await call(Wire(baseURL: $0.baseURL)) }
  }

  @Test func `E1: the text of a success is a failure`() async throws {
    try await lane.reply(to: "withdraw", "200.quoted")
    let sweep = try await sweep { try await $0.textDecodedAsJSON() }
    #expect(sweep["withdraw", "status 200"]?.outcome == .threw("decoding"))
    #expect(sweep["withdraw", "slow"]?.outcome == .returned("success"))
  }

  @Test func `E2: the caller of a failure waits for ever`() async throws {
    try await lane.reply(to: "joinQueue", "200.quoted")
    let sweep = try await sweep(within: .seconds(2)) { try await $0.unreportedFailure() }
    #expect(sweep["joinQueue", "status 200"]?.outcome == .hung)
    #expect(sweep["joinQueue", "html"]?.outcome == .hung)
  }

  @Test func `E5: a refusal opens the search`() async throws {
    let sweep = try await sweep { try await $0.everyTwoHundredIsSuccess() }
    for status in ["201 reportedTooOften", "203 penaltyFirst", "204 penaltySecond", "205 penaltyThird"] {
      #expect(sweep["joinQueue", "status \(status)"]?.outcome == .returned("searching"), "\(status)")
    }
    #expect(sweep["joinQueue", "status 401"]?.outcome == .threw("status(401)"))
  }

  @Test func `E7: a failure of the server is an empty history`() async throws {
    let sweep = try await sweep { try await $0.defaultForTheMissing() }
    #expect(sweep["readChat", "required-missing /payload"]?.outcome == .returned("0"))
    #expect(sweep["readChat", "slow"]?.outcome == .returned("5"))
  }

  @Test func `E11: another spelling of a date fails`() async throws {
    let sweep = try await sweep { try await $0.oneSpellingOfDates() }
    #expect(sweep["readUser", "other-date /createdAt"]?.outcome == .threw("decoding"))
  }

  @Test func `E13: waiting looks like no search`() async throws {
    try await lane.reply(to: "readQueueState", .fixture("200.matched"))
    let sweep = try await sweep { try await $0.partnerIsNotOptional() }
    #expect(sweep["readQueueState", "status 200"]?.outcome == .returned("normal"))
    #expect(sweep["readQueueState", "optional-missing /matchedUid"]?.outcome == .returned("normal"))
    #expect(sweep["readQueueState", "slow"]?.outcome == .returned("matched"))
  }

  @Test func `E26: a documented status ends the app`() async throws {
    try await lane.reply(to: "requestStudy", 201, 202)
    #expect(try await Wire(baseURL: lane.baseURL).missingStatus() == "otherAskedFirst")
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [address = lane.baseURL as URL] in
      _ = try await Wire(baseURL: address).missingStatus()
    }
    #expect(Self.isForcedUnwrap(end))
    #expect(try await lane.calls("requestStudy").map(\.status) == [201, 202])
  }

  @Test func `E40: a connection that fails ends the app`() async throws {
    try await lane.reply(to: "withdraw", 500, .close)
    #expect(try await Wire(baseURL: lane.baseURL).missingResponse() == "try again")
    let end = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [address = lane.baseURL as URL] in
      _ = try await Wire(baseURL: address).missingResponse()
    }
    #expect(Self.isForcedUnwrap(end))
  }

  private static func isForcedUnwrap(_ end: ExitTest.Result?) -> Bool {
    String(decoding: end?.standardErrorContent ?? [], as: UTF8.self)
      .contains("Unexpectedly found nil while unwrapping an Optional value")
  }

  @Test func `E27: a status shows the text of another operation`() async throws {
    let sweep = try await sweep { try await $0.sharedStatuses() }
    #expect(sweep["joinQueue", "status 201 reportedTooOften"]?.outcome == .returned("already registered"))
  }

  @Test func `E43: a missing name passes unnoticed`() async throws {
    let sweep = try await sweep { try await $0.everythingIsOptional() }
    #expect(sweep["readUser", "required-missing /nick"]?.outcome == .returned("no name"))
    #expect(sweep["readUser", "required-null /nick"]?.outcome == .returned("no name"))
  }
}

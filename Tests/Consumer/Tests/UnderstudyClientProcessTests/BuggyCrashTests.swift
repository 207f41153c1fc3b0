import BuggyClients
import Foundation
import Testing
import UnderstudyClient
import UnderstudyClientTestSupport

/// Bugs that end the process run in one of their own.
@Suite(.needsMock, .slp)
struct BuggyCrashTests {
  let lane: Lane

  init() throws { lane = try #require(Lane.current) }

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
}

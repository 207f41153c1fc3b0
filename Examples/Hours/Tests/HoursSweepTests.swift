import HoursClient
import UnderstudyTesting

/// The sweep of docs/testing.md, which the first draft fails.
@Suite(.understudy("specs/hours.yaml"))
struct HoursSweepTests {
  @Test func `no answer is taken for a day off`() async throws {
    let lane = try #require(Lane.current)
    let sweep = try await lane.sweep { try await HoursClient(baseURL: $0.baseURL).hours(on: "monday") }
    try sweep.expect(.throwsFor(500...599), .throwsFor("html", "empty-body", "required-missing"), .returnsFor("drip"))
  }
}

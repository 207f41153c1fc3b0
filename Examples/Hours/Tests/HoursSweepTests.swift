import HoursClient
import UnderstudyTesting

/// The sweep of docs/testing.md, which the first draft fails.
@Suite(.understudy("specs/hours.yaml"))
struct HoursSweepTests {
  @Test func `no answer is taken for a day off`() async throws {
    let api = try #require(Understudy.current)
    let client = HoursClient(baseURL: api.baseURL)
    let sweep = try await api.sweep { try await client.hours(on: "monday") }
    sweep.expect(.throwsFor(500...599), .throwsFor("html", "empty-body", "required-missing"), .returnsFor("drip"))
  }
}

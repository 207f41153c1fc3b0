import Foundation
import UnderstudyTestSupport
import UnderstudyTesting

/// Clients that wait for a response that does not come.
struct TestLimitTests {
  private static func slp(limit: Duration) -> LaneTrait {
    .understudy("specs/slp.yaml", fixtures: "fixtures", limit: limit)
  }

  @Test func `a request that waits longer than the limit is ended, and fails the test`() async throws {
    let found = try await failures(of: Self.slp(limit: .milliseconds(100))) {
      let lane = try #require(Lane.current)
      try await lane.reply(to: "readUser", .hang)
      let client = try RawClient(port: try #require(lane.baseURL.port))
      try client.get("/v1/user", "idtoken: t\r\n")
      #expect(try client.rest().text == "")
    }
    #expect(found.count == 1 && found[0].contains("[check.no-answer]"), "\(found)")
  }

  @Test func `a request that is answered in time passes`() async throws {
    #expect(try await failures(of: Self.slp(limit: .seconds(3_600))) { try send("/v1/user") } == [])
  }
}

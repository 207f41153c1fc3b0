import Foundation
import Testing
import UnderstudyTestSupport
import UnderstudyTesting

/// `check.cancelled` in tests of a client.
struct CancelledRequestTests {
  private static let slp: LaneTrait = .understudy("specs/slp.yaml", fixtures: "fixtures")
  private static let state = "/v1/queue/myQueueState"

  @Test func `a client that polls again beside its last request fails the test`() async throws {
    let found = try await failures(of: Self.slp) {
      let lane = try #require(Lane.current)
      try await lane.reply(to: "readQueueState", .status(200).delayed(.seconds(2)))
      try await lane.expect(checks: "cancelled=50ms")
      let (one, other) = (try connection(to: lane), try connection(to: lane))
      for client in [one, other] { try client.get(Self.state, "idtoken: t\r\n") }
      for client in [one, other] { #expect(try client.response().status == 200) }
    }
    #expect(found.count == 1 && found[0].contains("after the client had asked again"), "\(found)")
    #expect(found.first?.contains("[check.cancelled]\n  request 1: GET \(Self.state) -> 200\n  request 2, ") == true)
  }

  @Test func `a client that leaves before its next request passes the test`() async throws {
    let found = try await failures(of: Self.slp) {
      let lane = try #require(Lane.current)
      // Times that no busy machine reaches; a request that is not cancelled is still pending at the end.
      try await lane.reply(to: "readQueueState", .status(200).delayed(.seconds(3_600)), .status(200))
      try await lane.expect(checks: "cancelled=60s")
      let one = try connection(to: lane)
      try one.get(Self.state, "idtoken: t\r\n")
      try await lane.next("readQueueState")
      one.reset()
      // Not before: its connection would be idle for as long as the test waits to be continued.
      let other = try connection(to: lane)
      try other.get(Self.state, "idtoken: t\r\n")
      #expect(try other.response().status == 200)
    }
    #expect(found == [])
  }

  private func connection(to lane: Lane) throws -> RawClient {
    try RawClient(port: try #require(lane.baseURL.port))
  }
}

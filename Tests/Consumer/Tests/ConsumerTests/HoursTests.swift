import Foundation
import UnderstudyTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The tests of a package outside of this one.
@Suite(.understudy("specs/petstore.yaml"))
struct HoursTests {
  @Test func `a client of another package meets its mock`() async throws {
    let lane = try #require(Lane.current)
    let hours = lane.baseURL.appending(path: "api/hours")
    let (_, response) = try await URLSession.shared.data(from: hours)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    try await lane.expect("readHours", times: 1)
  }
}

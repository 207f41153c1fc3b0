import Foundation
import UnderstudyTesting

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A test target gets the cells as well.
@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct ChatTests {
  @Test func `a cell is a constant with the name of its meaning`() async throws {
    let lane = try #require(Lane.current)
    try await lane.reply(with: Cell.ReadQueueState.normalState)
    var request = URLRequest(url: lane.baseURL.appending(path: "v1/queue/myQueueState"))
    request.setValue("token", forHTTPHeaderField: "idtoken")
    let (_, response) = try await URLSession.shared.data(for: request)
    let status = try #require((response as? HTTPURLResponse)?.statusCode)
    #expect(ReadQueueStateStatus(rawValue: status) == .normalState)
  }
}

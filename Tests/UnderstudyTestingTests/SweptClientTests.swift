import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyTesting

/// The end of a client that a sweep runs.
@Suite(.understudy("specs/slp.yaml", fixtures: "fixtures"))
struct SweptClientTests {
  @Test func `a client that never ends is cancelled once its requests hang`() async throws {
    let lane = try #require(Lane.current)
    lane.allow("test.request-pending")
    let isCancelled = Mutex(false)
    let client = SweptClient(within: .zero) { lane in
      await withTaskCancellationHandler {
        for await _ in AsyncStream(Void.self, { _ in }) {}
      } onCancel: {
        isCancelled.withLock { $0 = true }
      }
    }
    #expect(await client.outcome(in: lane) == .hung)
    while !isCancelled.withLock(\.self) { await Task.yield() }
    try await lane.mend()
    try await lane.reply(to: "readUser", 406)
    #expect(try send("/v1/user").status == 406)
  }

  @Test func `a client that ends in time is not held`() async throws {
    let lane = try #require(Lane.current)
    let client = SweptClient(within: .seconds(600)) { _ in "value" }
    #expect(await client.outcome(in: lane) == .returned("value"))
    #expect(try send("/v1/user").status == 200)
  }
}

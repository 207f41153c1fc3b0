import TestSupport
import Testing
import Understudy
import UnderstudyTesting

struct SweptClientTests {
  @Test func `a client that never ends is cancelled only when the mock has stopped answering`() async {
    let run = SweepRun()
    let (cancelled, continuation) = AsyncStream.makeStream(of: Bool.self)
    let client = SweptClient(limit: .zero) {
      await withTaskCancellationHandler {
        for await _ in AsyncStream(Void.self, { _ in }) {}
      } onCancel: {
        continuation.yield(run.isHeld)
      }
    }
    #expect(await client.outcome(in: run) == .hung)
    var whileHeld = cancelled.makeAsyncIterator()
    #expect(await whileHeld.next() == true)
  }

  @Test func `a client that ends in time is not held`() async {
    let run = SweepRun()
    let client = SweptClient(limit: .seconds(600)) { "value" }
    #expect(await client.outcome(in: run) == .returned("value"))
    #expect(!run.isHeld)
  }
}

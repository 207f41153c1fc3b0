import Testing
import UnderstudyMock
import UnderstudyReport
import UnderstudyTestSupport
import UnderstudyTesting

struct SweptClientTests {
  @Test func `a client that never ends is cancelled while it waits for an answer`() async throws {
    let mock = Mock(contracts: [try Contract(contentsOf: Project.path("specs/petstore.yaml"))])
    let (run, lane) = (SweepRun(), Lane(mock.newState()))
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    let client = SweptClient(limit: .zero) {
      let read = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/api/pets")
      while run.reply(to: read, [], of: mock, in: lane)?.fault != .hang { await Task.yield() }
      await withTaskCancellationHandler {
        for await _ in AsyncStream(Void.self, { _ in }) {}
      } onCancel: {
        end.yield(run.isHeld)
      }
    }
    #expect(await client.outcome(in: run) == .hung)
    var whileHeld = ends.makeAsyncIterator()
    #expect(await whileHeld.next() == true)
  }

  @Test func `a client that ends in time is not held`() async {
    let run = SweepRun()
    let client = SweptClient(limit: .seconds(600)) { "value" }
    #expect(await client.outcome(in: run) == .returned("value"))
    #expect(!run.isHeld)
  }
}

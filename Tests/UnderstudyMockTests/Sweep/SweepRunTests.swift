import Testing
import UnderstudyMock
import UnderstudyReport
import UnderstudyTestSupport

struct SweepRunTests {
  private let mock: Mock
  private let read = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/api/pets")

  init() throws { mock = Mock(contracts: [try Contract(contentsOf: Project.path("specs/petstore.yaml"))]) }

  @Test func `a held run answers no further request, and says that one waits`() async {
    let run = SweepRun()
    #expect(run.reply(to: read, [], of: mock, in: Lane(mock.newState()))?.fault == nil)
    let waiting = run.hold()
    #expect(run.reply(to: read, [], of: mock, in: Lane(mock.newState()))?.fault == .hang)
    var waits = waiting.makeAsyncIterator()
    #expect(await waits.next() != nil)
    #expect(run.sent.count == 2)
  }

  @Test func `a request that already hangs waits`() async throws {
    let run = SweepRun()
    let reply = run.reply(to: read, [], of: mock, in: Lane(mock.newState())) { _, _ in ReplyOverride(fault: .hang) }
    #expect(reply?.fault == .hang)
    var waits = run.hold().makeAsyncIterator()
    #expect(await waits.next() != nil)
  }
}

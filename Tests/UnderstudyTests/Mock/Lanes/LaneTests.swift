import Synchronization
import TestSupport
import Testing
import Understudy

struct LaneTests {
  /// Counts how often a request takes the state.
  private final class CountingLane: LaneAccess {
    let lane: Lane
    let updates = Mutex(0)

    init(_ state: LaneState) { lane = Lane(state) }

    var demand: LaneDemand { lane.demand }
    var clock: LaneClock { lane.clock }

    func update(_ body: (inout LaneState) -> Void) {
      updates.withLock { $0 += 1 }
      lane.update(body)
    }
  }

  private static let mock = try? ContractFixture(
    MockContract.notes, fixtures: ["_scenarios/polling.yaml": "sequence: {readNote: [404]}\n"]
  ).mock()

  private func updates(_ state: LaneState, _ method: HTTPRequest.Method) throws -> Int {
    let mock = try #require(Self.mock)
    let lane = CountingLane(state)
    _ = mock.reply(to: Mock.request(method, "/notes/1"), body: [], in: lane)
    return lane.updates.withLock(\.self)
  }

  @Test func `an operation that depends on no state does not take it`() throws {
    var playing = LaneState()
    playing.scenario = "polling"
    #expect(try updates(LaneState(), .get) == 0)
    #expect(try updates(playing, .post) == 0)
    #expect(try updates(playing, .get) == 1)
  }

  @Test func `a forced answer of the lane makes every operation look at the state`() throws {
    var state = LaneState()
    state.forced = [ForcedReply(operation: "readNote", answer: "404")]
    #expect(try updates(state, .get) == 1)
    #expect(try updates(state, .post) == 1)
  }

  @Test func `a change of the state from outside counts for the next request`() throws {
    let mock = try #require(Self.mock)
    let lane = Lane(mock.newState())
    let request = Mock.request(.get, "/notes/1")
    #expect(mock.reply(to: request, body: [], in: lane).status == 200)
    lane.withState { $0.forced = [ForcedReply(operation: "readNote", answer: "404", times: 1)] }
    #expect(mock.reply(to: request, body: [], in: lane).status == 404)
    #expect(mock.reply(to: request, body: [], in: lane).status == 200)
    #expect(lane.demand == .templates)
  }
}

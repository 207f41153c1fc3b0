import Synchronization
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct LaneTests {
  /// Counts how often a request takes the state.
  private final class CountingLane: LaneAccess {
    let lane: Lane
    let updates = Mutex(0)

    init(_ state: LaneState) { lane = Lane(state) }

    var demand: LaneDemand { lane.demand }
    var clock: LaneClock { lane.clock }
    var id: ObjectIdentifier? { lane.id }

    func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) { lane.read(body) }

    func update(_ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void) {
      updates.withLock { $0 += 1 }
      lane.update(body, then: deliver)
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
    #expect(try updates(playing, .get) > 0)
  }

  @Test func `a forced answer of the lane makes every operation look at the state`() throws {
    var state = LaneState()
    state.forced = [ForcedReply(operation: "readNote", answer: "404")]
    #expect(try updates(state, .get) > 0)
    #expect(try updates(state, .post) > 0)
  }

  @Test func `a check that a scenario and a mock ask for is on once`() throws {
    let settings = try ClientCheckSettings(argument: "retry-storm")
    let scenario = "sequence: {readNote: [404]}\nchecks: [retry-storm]\n"
    let mock = try ContractFixture(MockContract.notes, fixtures: ["_scenarios/polling.yaml": scenario]).mock {
      $0.scenario = "polling"
      $0.checks = [settings]
    }
    #expect(mock.newState().checks == [settings])
  }

  @Test func `the time of a lane goes on from its last request when the clock of the machine is set back`() throws {
    let scenario = "machine: {states: {early: {after: {1h: late}, on: {readNote: 404}}, late: {final: true}}}\n"
    let mock = try ContractFixture(MockContract.notes, fixtures: ["_scenarios/hour.yaml": scenario]).mock {
      $0.scenario = "hour"
    }
    let client = LaneClient(mock, at: 1_000_000_000_000)
    var statuses: [Int] = []
    var times: [Int] = []
    for seconds in [0, 3000, -7200, 599, 1] {
      client.advance(by: seconds)
      statuses.append(client.send("/notes/1").status)
      times.append(client.state.latest - 1_000_000_000_000)
    }
    #expect(statuses == [404, 404, 404, 404, 200])
    #expect(times == [0, 3000, 3000, 3599, 3600].map { $0 * 1_000_000 })
  }

  @Test func `a wait over which the clock of the machine is set back breaks no check`() throws {
    let settings = try ClientCheckSettings(argument: "poll-interval=5s")
    let mock = try ContractFixture(MockContract.notes).mock { $0.checks = [settings] }
    let client = LaneClient(mock, at: 1_000_000_000_000)
    let rules = [0, -3600, 5, 4].map { seconds in
      client.advance(by: seconds)
      return client.send("/notes/1").rules
    }
    #expect(rules == [[], [], [], ["check.poll-interval"]])
    #expect(mock.verdict(of: client.state, at: 0).findings.count == 1)
  }

  @Test func `a change of the state from outside counts for the next request`() throws {
    let mock = try #require(Self.mock)
    let lane = Lane(mock.newState())
    let request = Mock.request(.get, "/notes/1")
    #expect(mock.reply(to: request, body: [], in: lane).status == 200)
    lane.update { $0.forced = [ForcedReply(operation: "readNote", answer: "404", times: 1)] }
    #expect(mock.reply(to: request, body: [], in: lane).status == 404)
    #expect(mock.reply(to: request, body: [], in: lane).status == 200)
    #expect(lane.demand == .templates)
  }

  @Test func `a lane that only watches chooses no answers, and one with a scenario, a seed or forced ones may`() throws
  {
    var state = LaneState()
    state.checks = [try ClientCheckSettings(argument: "retry-storm")]
    #expect(Lane(state).demand == .noted)
    let changes: [(inout LaneState) -> Void] = [
      { $0.scenario = "any" }, { $0.seed = "any" }, { $0.forced = [ForcedReply(operation: "readNote", answer: "404")] },
    ]
    for change in changes {
      var changed = state
      change(&changed)
      #expect(Lane(changed).demand == .everything)
    }
  }

  @Test func `forced responses and delays that no request would reach again are replaced`() throws {
    let mock = try #require(Self.mock)
    let lane = Lane(mock.newState())
    for number in 1...300 {
      var opening = LaneOpening()
      opening.forced = [ForcedReply(operation: "readNote", answer: "404")]
      opening.faults = [try LaneFault("readNote=\(number)ms", isDelay: true)]
      lane.change(.add(opening), by: mock)
    }
    #expect(lane.value.forced == [ForcedReply(operation: "readNote", answer: "404")])
    #expect(lane.value.faults.map(\.text) == ["readNote=300ms"])
    for number in 1...300 {
      var opening = LaneOpening()
      opening.forced = [ForcedReply(operation: "readNote", answer: "\(number)", times: 1)]
      lane.change(.add(opening), by: mock)
    }
    #expect(lane.value.forced.count == LaneOpening.limit)
    #expect(lane.value.forced.last?.answer == "300")
  }
}

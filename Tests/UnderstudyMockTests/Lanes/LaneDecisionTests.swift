import Synchronization
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// A request that may take long is decided before its lane is locked, and once more under the lock only if the state has
/// changed since.
struct LaneDecisionTests {
  /// A lane in which another event may come between the decision of a request and the lock.
  private final class BusyLane: LaneAccess {
    let lane: Lane
    /// The accesses to the state, with the work that a budget paid during each.
    let accesses = Mutex<[String]>([])
    private let budget: WorkBudgetBox
    private let interruption: @Sendable (Lane) -> Void

    init(
      _ state: LaneState, _ budget: WorkBudget = .unlimited,
      interruption: @escaping @Sendable (Lane) -> Void = { _ in }
    ) {
      lane = Lane(state)
      self.budget = WorkBudgetBox(budget)
      self.interruption = interruption
    }

    var demand: LaneDemand { lane.demand }
    var clock: LaneClock { lane.clock }
    var id: ObjectIdentifier? { lane.id }

    private func noting(_ access: String, _ body: () -> Void) {
      let start = budget.value.left
      body()
      accesses.withLock { $0.append("\(access) \(start - budget.value.left)") }
    }

    func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) { noting("read") { lane.read(body) } }

    func update(_ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void) {
      interruption(lane)
      noting("update") { lane.update(body, then: deliver) }
    }
  }

  /// One thread uses the budget.
  private struct WorkBudgetBox: @unchecked Sendable {
    let value: WorkBudget

    init(_ value: WorkBudget) { self.value = value }
  }

  private static let contract = """
    openapi: 3.1.0
    info: {title: Things, version: "1"}
    paths:
      /thing:
        get:
          operationId: readThing
          responses:
            "200":
              description: d
              content:
                application/json:
                  schema:
                    {type: object, required: [a, b], properties: {a: {pattern: "^[a-z]{5}$"}, b: {type: integer}}}
            "404": {description: d}

    """

  private func mock(_ sequence: String = "") throws -> Mock {
    let fixtures = sequence.isEmpty ? [:] : ["_scenarios/play.yaml": "sequence: {readThing: [\(sequence)]}\n"]
    return try ContractFixture(Self.contract, fixtures: fixtures).mock { $0.scenario = sequence.isEmpty ? nil : "play" }
  }

  private static let request = Mock.request(.get, "/thing")

  /// The work of a request whose response is rendered already.
  private func leastWork(_ mock: Mock) throws -> Int {
    let budget = WorkBudget(1_000_000)
    _ = try #require(mock.reply(to: Self.request, body: [], in: Lane(mock.newState()), within: budget))
    return 1_000_000 - budget.left
  }

  @Test func `a response that the state chooses is rendered between two accesses to the state`() throws {
    let mock = try mock("200")
    let budget = WorkBudget(1_000_000)
    let lane = BusyLane(mock.newState(), budget)
    #expect(mock.reply(to: Self.request, body: [], in: lane, within: budget)?.status == 200)
    #expect(lane.accesses.withLock(\.self) == ["read 0", "update 0"])
    let rendered = 1_000_000 - budget.left
    #expect(try rendered > leastWork(mock))
  }

  @Test func `a request with the budget of an event loop takes the lock once`() throws {
    let mock = try mock("200")
    let budget = WorkBudget(50_000)
    let lane = BusyLane(mock.newState(), budget)
    #expect(mock.reply(to: Self.request, body: [], in: lane, within: budget)?.status == 200)
    #expect(lane.accesses.withLock { $0.map { $0.prefix { $0 != " " } } } == ["update"])
  }

  @Test func `a lane whose state chooses no response is locked once`() throws {
    let mock = try mock()
    var state = mock.newState()
    state.isObserved = true
    let budget = WorkBudget(1_000_000)
    let lane = BusyLane(state, budget)
    #expect(mock.reply(to: Self.request, body: [], in: lane, within: budget)?.status == 200)
    #expect(lane.accesses.withLock(\.self) == ["update 0"])
    #expect(lane.lane.value.requests == 1)
  }

  @Test func `a request that comes in between takes its own step of the scenario`() throws {
    let mock = try mock("404, 200, 404")
    let between = Mutex<Int?>(nil)
    let lane = BusyLane(mock.newState()) { lane in
      let reply = mock.reply(to: Self.request, body: [], in: lane)
      between.withLock { $0 = reply.status }
    }
    #expect(mock.reply(to: Self.request, body: [], in: lane).status == 200)
    #expect(between.withLock(\.self) == 404)
    #expect(lane.accesses.withLock { $0.count } == 2)
    #expect(mock.reply(to: Self.request, body: [], in: lane.lane).status == 404)
    #expect(lane.lane.value.requests == 3)
  }

  @Test func `a response that is forced after the decision is sent, and counts once`() throws {
    let mock = try mock()
    var state = mock.newState()
    state.isObserved = true
    let lane = BusyLane(state) { lane in
      lane.update { $0.forced = [ForcedReply(operation: "readThing", answer: "404", times: 1)] }
    }
    #expect(mock.reply(to: Self.request, body: [], in: lane).status == 404)
    #expect(lane.lane.value.forced == [])
  }

  @Test func `a budget that does not suffice under the lock leaves the state to the event in between`() throws {
    // Another mock has rendered the response, so that this one has to.
    let rendered = try mock()
    _ = rendered.reply(to: Self.request)
    let (mock, budget) = (try mock("404"), WorkBudget(try leastWork(rendered) + 1))
    let lane = BusyLane(mock.newState(), budget) { lane in
      lane.update { $0.forced = [ForcedReply(operation: "readThing", answer: "200")] }
    }
    #expect(mock.reply(to: Self.request, body: [], in: lane, within: budget) == nil)
    var expected = mock.newState()
    expected.forced = [ForcedReply(operation: "readThing", answer: "200")]
    expected.openedAt = lane.lane.value.openedAt
    #expect(lane.lane.value == expected)
    #expect(mock.reply(to: Self.request, body: [], in: lane, within: .unlimited)?.status == 200)
  }
}

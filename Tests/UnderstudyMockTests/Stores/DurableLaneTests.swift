import Foundation
import Synchronization
import Testing
import UnderstudyMock
import UnderstudySystem
import UnderstudyTestSupport

struct DurableLaneTests {
  private static let steps = "sequence: {readStatus: [503, 503, 200]}\n"

  private func mock(_ configure: (inout Mock.Options) -> Void = { _ in }) throws -> Mock {
    let fixtures = ["_scenarios/steps.yaml": Self.steps]
    return try ContractFixture(NotesContract.text, fixtures: fixtures).mock { options in
      options.isStateful = true
      configure(&options)
    }
  }

  private func status(_ mock: Mock, _ lane: any LaneAccess) -> Int {
    mock.reply(to: Mock.request(.get, "/status"), body: [], in: lane).status
  }

  private func statuses(_ count: Int, _ mock: Mock, _ lane: any LaneAccess) -> [Int] {
    (0..<count).map { _ in status(mock, lane) }
  }

  private func open(_ name: String, in lanes: DurableLanes, _ mock: Mock) throws -> any LaneAccess {
    let name = try LaneName(name)
    var opening = LaneOpening()
    opening.scenario = "steps"
    try lanes.openStored(name, opening.state(of: mock))
    return try #require(try lanes.find(name))
  }

  @Test func `a lane continues in the next process where its last stored change left it`() throws {
    let (database, mock) = (FakeLaneDatabase(), try mock())
    let first = try DurableLanes(database, serving: mock)
    #expect(status(mock, try open("a", in: first, mock)) == 503)
    let second = try DurableLanes(database, serving: try self.mock())
    let lane = try #require(try second.find(try LaneName("a")))
    #expect(statuses(2, mock, lane) == [503, 200])
    #expect(try lane.value.requests == 3)
    #expect(second.names.map(\.text) == ["a"])
  }

  @Test func `a change that conflicts twice is made again on the state of the other process`() throws {
    let (database, mock) = (FakeLaneDatabase(), try mock())
    let lane = try open("a", in: try DurableLanes(database, serving: mock), mock)
    let other: @Sendable (inout [String: StoredLane]) -> Void = { lanes in
      let other = FakeLaneDatabase()
      other.state.withLock {
        $0.lanes = lanes; $0.entries["a"] = StoredLaneEntry(key: "a", due: nil, expires: nil)
      }
      guard let found = try? DurableLanes(other, serving: mock).find(LaneName("a")) else { return }
      _ = mock.reply(to: Mock.request(.get, "/status"), body: [], in: found)
      lanes = other.state.withLock { $0.lanes }
    }
    database.state.withLock { $0.interruptions = [other, other] }
    // Two responses of 503 went to clients of the other process.
    #expect(status(mock, lane) == 200)
    #expect(try lane.value.requests == 3)
  }

  @Test func `a change that is not stored gets 503, leaves no trace, and is delivered to nobody`() throws {
    let (database, mock) = (FakeLaneDatabase(), try mock())
    let lane = try open("a", in: try DurableLanes(database, serving: mock), mock)
    database.state.withLock { $0.problem = FakeLaneDatabase.full }
    let reply = mock.reply(to: Mock.request(.get, "/status"), body: [], in: lane)
    #expect(reply.status == 503 && reply.text.contains("the store is full") && reply.header("Retry-After") == "1")
    var isDelivered = false
    #expect(throws: FakeLaneDatabase.full) {
      try lane.update({ state, _ in state.seed = "9" }, then: { isDelivered = true })
    }
    #expect(!isDelivered)
    database.state.withLock { $0.problem = nil }
    #expect(statuses(3, mock, lane) == [503, 503, 200])
    #expect(try lane.value.requests == 3)
  }

  @Test func `nothing is delivered before its change is stored`() throws {
    let (database, mock) = (FakeLaneDatabase(), try mock())
    let lane = try open("a", in: try DurableLanes(database, serving: mock), mock)
    var stored = 0
    try lane.update({ state, _ in state.seed = "2" }, then: { stored = database.state.withLock { $0.writes.count } })
    #expect(stored == database.state.withLock { $0.writes.count })
    #expect(try lane.value.seed == "2")
  }

  @Test func `changes that wait together are stored together, in their order`() throws {
    let (database, mock) = (FakeLaneDatabase(), try mock())
    let lanes = try DurableLanes(database, serving: mock)
    // The threads of an attempt may come one after the other; a later attempt meets them waiting.
    let isCombined = try (0..<100).contains { attempt in
      try writes(of: 20, open("lane\(attempt)", in: lanes, mock), database) < 20
    }
    #expect(isCombined)
  }

  /// The number of writes for changes of as many threads, after the first of them waits for the database.
  private func writes(of count: Int, _ lane: any LaneAccess, _ database: FakeLaneDatabase) throws -> Int {
    let before = database.state.withLock { $0.writes.count }
    let orders = Mutex<(made: [Int], delivered: [Int])>(([], []))
    let threads = DispatchGroup()
    let (isMade, isStarted) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    database.gate.withLock { _ in
      for number in 0..<count {
        DispatchQueue(label: "client").async(group: threads) {
          isStarted.signal()
          try? lane.update(
            { state, _ in
              state.turns["change", default: 0] += 1
              orders.withLock { $0.made.append(number) }
              isMade.signal()
            }, then: { orders.withLock { $0.delivered.append(number) } })
        }
        isStarted.wait()
        if number == 0 { isMade.wait() }
      }
    }
    threads.wait()
    #expect(try lane.value.turns["change"] == count)
    let (made, delivered) = orders.withLock { ($0.made, $0.delivered) }
    #expect(made.count == count)
    #expect(made == delivered)
    return database.state.withLock { $0.writes.count } - before
  }

  @Test func `a change that changes nothing is not written`() throws {
    let (database, mock) = (FakeLaneDatabase(), try mock())
    let lane = try open("a", in: try DurableLanes(database, serving: mock), mock)
    let before = database.state.withLock { $0.writes.count }
    try lane.update { _ in }
    #expect(database.state.withLock { $0.writes.count } == before)
  }

  @Test func `an event loop leaves a request that needs the state of a durable lane to a worker`() throws {
    let (database, mock) = (FakeLaneDatabase(), try mock())
    let lanes = try DurableLanes(database, serving: mock)
    let lane = try open("a", in: lanes, mock)
    let loop = WorkBudget(50_000)
    #expect(mock.reply(to: Mock.request(.get, "/status"), body: [], in: lane, within: loop) == nil)
    #expect(!loop.isExceeded)
    #expect(mock.reply(to: Mock.request(.get, "/nowhere"), body: [], in: lane, within: WorkBudget(50_000)) == nil)
    // The lane without a name watches nothing, and this operation depends on no state.
    let status = mock.reply(to: Mock.request(.get, "/status"), body: [], in: lanes.unnamed, within: WorkBudget(50_000))
    #expect(status?.status == 200)
  }

  @Test func `closing a lane removes it from the store, and a lane that cannot be removed stays open`() throws {
    let (database, mock) = (FakeLaneDatabase(), try mock())
    let lanes = try DurableLanes(database, serving: mock)
    _ = try open("a", in: lanes, mock)
    database.state.withLock { $0.problem = FakeLaneDatabase.full }
    #expect(throws: FakeLaneDatabase.full) { try lanes.close(try LaneName("a")) }
    database.state.withLock { $0.problem = nil }
    #expect(lanes.names.map(\.text) == ["a"])
    let lane = try #require(try lanes.close(try LaneName("a")))
    #expect(lanes.names == [] && !database.state.withLock { $0.lanes.keys.contains("a") })
    // A late request of its client changes a lane that nobody finds.
    #expect(status(mock, lane) == 503)
    #expect(!database.state.withLock { $0.lanes.keys.contains("a") })
  }

  @Test func `a lane is idle for the time that passes while no process has the store`() throws {
    let (database, mock) = (FakeLaneDatabase(), try mock())
    let time = Mutex(1_000_000)
    let now: @Sendable () -> Int = { time.withLock(\.self) }
    _ = try open("a", in: try DurableLanes(database, serving: mock, idleLimit: .seconds(60), now: now), mock)
    time.withLock { $0 += 59_000_000 }
    let second = try DurableLanes(database, serving: mock, idleLimit: .seconds(60), now: now)
    #expect(second.names.map(\.text) == ["a"])
    time.withLock { $0 += 2_000_000 }
    #expect(second.names == [])
  }

  @Test func `a lane of a changed contract keeps its items where their schema is equal, and reports the rest`() throws {
    let (database, mock) = (FakeLaneDatabase(), try mock())
    let lane = try open("a", in: try DurableLanes(database, serving: mock), mock)
    let add = Mock.request(.post, "/notes", ["Content-Type": "application/json"], body: #"{"text":"a"}"#)
    _ = mock.reply(to: add, body: Array(#"{"text":"a"}"#.utf8), in: lane)
    func restarted(_ contract: String, _ steps: [String: String]) throws -> (notes: String, log: String) {
      let new = try ContractFixture(contract, fixtures: steps).mock { $0.isStateful = true }
      let log = Mutex("")
      let lanes = try DurableLanes(database, serving: new, report: { line in log.withLock { $0 += line } })
      let lane = try #require(try lanes.find(try LaneName("a")))
      let notes = new.reply(to: Mock.request(.get, "/notes"), body: [], in: lane).text
      return (notes, log.withLock(\.self))
    }
    let same = try restarted(NotesContract.text.replacing("down", with: "gone"), ["_scenarios/steps.yaml": Self.steps])
    #expect(same.notes.contains(#""text":"a""#) && same.log == "")
    let other = try restarted(NotesContract.text.replacing("text: {type: string}", with: "title: {type: string}"), [:])
    #expect(!other.notes.contains(#""text":"a""#))
    #expect(other.log == "lane a: the contract has changed; collections, scenario `steps` begin anew\n")
  }
}

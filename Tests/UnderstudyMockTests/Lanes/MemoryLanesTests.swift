import Synchronization
import Testing
import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

struct MemoryLanesTests {
  private final class Clock: Sendable {
    let time = Atomic<Int>(1_000_000_000)
    func advance(by seconds: Int) { time.wrappingAdd(seconds * 1_000_000, ordering: .relaxed) }
  }

  private func lanes(limit: Int = 10_000, _ clock: Clock = Clock()) -> MemoryLanes {
    MemoryLanes(LaneState(), limit: limit, idleLimit: .seconds(60)) { clock.time.load(ordering: .relaxed) }
  }

  @Test func `a lane that is open cannot be opened again`() throws {
    let lanes = lanes()
    let name = try LaneName("a")
    try lanes.open(name, LaneState())
    #expect(throws: LaneProblem.self) { try lanes.open(name, LaneState()) }
    #expect(lanes.close(name) != nil)
    #expect(lanes.close(name) == nil)
    try lanes.open(name, LaneState())
  }

  @Test func `a lane that no request reaches for a time is closed`() throws {
    let clock = Clock()
    let lanes = lanes(clock)
    let (used, idle) = (try LaneName("used"), try LaneName("idle"))
    try lanes.open(used, LaneState())
    try lanes.open(idle, LaneState())
    clock.advance(by: 40)
    #expect(lanes.find(used) != nil)
    clock.advance(by: 40)
    #expect(lanes.find(idle) == nil)
    #expect(lanes.names == [used])
    // An idle lane gives its name free.
    clock.advance(by: 61)
    try lanes.open(used, LaneState())
  }

  @Test func `a lane with a socket stays open without requests, until the socket has left`() throws {
    let clock = Clock()
    let (lanes, script) = (lanes(clock), SocketScript([SocketDescription()]))
    let name = try LaneName("a")
    try lanes.open(name, LaneState())
    let lane = try #require(lanes.find(name))
    try lane.update { state in
      script.apply(
        .connecting(1, description: 0, namespace: "/", auth: nil, request: .object([])), to: &state.sockets, at: 0)
    }
    clock.advance(by: 100)
    #expect(lanes.names == [name])
    try lane.update { script.apply(.disconnected(1, namespace: "/"), to: &$0.sockets, at: 0) }
    #expect(lanes.names == [])
  }

  @Test func `100,000 lanes are refused beyond the limit, and 10,000 stay until they are idle`() throws {
    let clock = Clock()
    let lanes = lanes(clock)
    var refused = 0
    for number in 0..<100_000 {
      do throws(LaneProblem) {
        try lanes.open(try LaneName("lane-\(number)"), LaneState())
      } catch {
        refused += 1
        #expect(error.status == 503)
      }
    }
    #expect(refused == 90_000)
    #expect(lanes.names.count == 10_000)
    #expect(try lanes.find(LaneName("lane-9999")) != nil)
    #expect(try lanes.find(LaneName("lane-10000")) == nil)
    clock.advance(by: 61)
    #expect(lanes.names == [])
    try lanes.open(try LaneName("lane-10000"), LaneState())
    #expect(lanes.names.count == 1)
  }

  @Test func `idle lanes make room when there are too many`() throws {
    let clock = Clock()
    let lanes = lanes(limit: 2, clock)
    for name in ["a", "b"] { try lanes.open(try LaneName(name), LaneState()) }
    #expect(throws: LaneProblem.self) { try lanes.open(try LaneName("c"), LaneState()) }
    clock.advance(by: 61)
    try lanes.open(try LaneName("c"), LaneState())
    #expect(lanes.names.map(\.text) == ["c"])
  }

  @Test func `lanes are closed in time although the clock of the machine is set back`() throws {
    let clock = Clock()
    clock.advance(by: 1_000_000)
    let lanes = lanes(limit: 2, clock)
    for name in ["a", "b"] { try lanes.open(try LaneName(name), LaneState()) }
    clock.advance(by: -1_000_000)
    #expect(throws: LaneProblem.self) { try lanes.open(try LaneName("c"), LaneState()) }
    clock.advance(by: 61)
    try lanes.open(try LaneName("c"), LaneState())
    #expect(lanes.names.map(\.text) == ["c"])
  }

  @Test(arguments: [
    "", "..", ".", "a/b", "a b", "%2e%2e", "ä", "a\u{0}", String(repeating: "x", count: 65),
    String(repeating: "x", count: 10_000),
  ]) func `a text that is not a name is refused in a short message`(text: String) {
    let problem = #expect(throws: LaneProblem.self) { try LaneName(text) }
    #expect(problem?.status == 400)
    #expect((problem?.message.utf8.count ?? 0) < 100)
  }

  @Test(arguments: ["a", "alice-1", "A.b_c", String(repeating: "x", count: 64)])
  func `a name has letters, digits and three signs`(text: String) throws {
    #expect(try LaneName(text).text == text)
  }
}

import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The options that a user of the library sets.
struct MockOptionsTests {
  private func mock(_ configure: (inout Mock.Options) -> Void) throws -> Mock {
    try ContractFixture(MockContract.notes).withMock(configure: configure) { $0 }
  }

  @Test func `a fault and a delay are typed, or strings of the command line`() throws {
    let typed = try mock {
      $0.fault("readNote", .html)
      $0.fault("readNote", .bandwidth(10_000))
      $0.delay("readNote", by: .milliseconds(300))
    }
    let written = try mock {
      $0.fault("readNote", "html+bandwidth:10k")
      $0.delay("readNote", by: "300ms")
    }
    for mock in [typed, written] {
      #expect(mock.diagnostics.map(\.message) == [])
      let reply = mock.send("/notes/1")
      #expect(reply.fault == .html.and(.bandwidth(10_000)) && reply.delay == .milliseconds(300))
      #expect(mock.send(.post, "/notes/1").fault == nil)
    }
  }

  @Test(arguments: [
    Delay.fixed(.microseconds(500)), .fixed(.seconds(3)), .uniform(.milliseconds(100)...(.seconds(2))),
    .lognormal(median: .milliseconds(200), sigma: 0.4),
  ])
  func `a typed delay is the one that the command line reads`(delay: Delay) throws {
    let mock = try mock { $0.delay("readNote", by: delay) }
    #expect(mock.diagnostics.map(\.message) == [])
    #expect(mock.options.faults.map(\.plan.latency) == [delay])
  }

  @Test func `typed faults and delays out of range are moved into it`() throws {
    let faults: [(given: Fault, meant: Fault)] = [
      (.wrongLength(by: 0), .wrongLength(by: 1)), (.stall(.seconds(1e19)), .stall(.seconds(3600))),
      (.stall(.zero), .stall(.milliseconds(1))), (.drip(over: .nanoseconds(1)), .drip(over: .milliseconds(1))),
      (.bandwidth(0), .bandwidth(1)),
    ]
    for (given, meant) in faults {
      let mock = try mock { $0.fault("readNote", given) }
      #expect(mock.diagnostics.isEmpty && mock.send("/notes/1").fault == meant, "\(meant)")
    }
    let delays: [(Delay, Delay)] = [
      (.fixed(.seconds(-1)), .fixed(.zero)), (.fixed(.milliseconds(Int64.max)), .fixed(.seconds(3600))),
      (.lognormal(median: .seconds(1), sigma: .nan), .lognormal(median: .seconds(1), sigma: 0)),
      (.uniform(.seconds(-1)...(.seconds(7200))), .uniform(.zero...(.seconds(3600)))),
    ]
    for (given, meant) in delays {
      let mock = try mock { $0.delay("readNote", by: given) }
      #expect(mock.diagnostics.isEmpty && mock.options.faults.map(\.plan.latency) == [meant], "\(meant)")
    }
  }

  @Test func `names and values that do not exist are reported, each once`() throws {
    let mock = try mock {
      $0.fault("readNotes", .reset)
      $0.fault("readNote", "resett")
      $0.delay("readNote/none", by: .seconds(1))
      $0.delay("readNote", by: "soon")
      $0.expect(checks: "retry-storm=3", "retry-strom", "poll-interval:readNotes=5s")
      $0.scenario = "rush"
    }
    #expect(mock.send("/notes/1").fault == nil)
    #expect(mock.diagnostics.count == 7, "\(mock.diagnostics.map(\.message))")
    for text in ["readNotes", "resett", "none", "soon", "retry-strom", "rush"] {
      #expect(mock.diagnostics.contains { $0.message.contains(text) }, "\(text)")
    }
  }

  @Test func `the clock is the time of the mock, and a lane takes another one`() throws {
    let start = Mock.Instant(microsecondsSince1970: 5_000_000)
    let mock = try mock { $0.clock = { start } }
    #expect(mock.options.clock() == start && mock.options.now() == 5_000_000)
    var lane = mock.newState()
    #expect(lane.openedAt == 5_000_000)
    lane.isObserved = true
    let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/notes/1")
    _ = mock.reply(to: request, in: &lane, at: start.advanced(by: .seconds(2)))
    #expect(lane.latest == 7_000_000)
  }
}

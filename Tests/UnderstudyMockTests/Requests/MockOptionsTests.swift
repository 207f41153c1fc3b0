import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The options that a user of the library sets.
struct MockOptionsTests {
  private func mock(_ configure: (inout Mock.Options) -> Void) throws -> Mock {
    try ContractFixture(MockContract.notes).withMock(configure: configure) { $0 }
  }

  @Test func `a fault and a delay are strings of the command line`() throws {
    let mock = try mock {
      $0.fault("readNote", "html+bandwidth:10k")
      $0.delay("readNote", by: "300ms")
    }
    #expect(mock.diagnostics.map(\.message) == [])
    let reply = mock.send("/notes/1")
    #expect(reply.fault == .html.and(.bandwidth(10_000)) && reply.delay == .milliseconds(300))
    #expect(mock.send(.post, "/notes/1").fault == nil)
  }

  @Test func `names and values that do not exist are reported, each once`() throws {
    let mock = try mock {
      $0.fault("readNotes", "reset")
      $0.fault("readNote", "resett")
      $0.delay("readNote/none", by: "1s")
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

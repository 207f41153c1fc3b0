import UnderstudySockets

package struct LaneOpening: Codable, Sendable, Hashable {
  package var name: LaneName?
  /// A port that the lane gets to itself; 0 for a free one.
  package var port: Int?
  /// In place of the mock's; empty for none.
  package var scenario: String?
  package var seed: String?
  /// Whether samples, new for each request, replace fixtures and examples; `nil` as for the mock.
  package var isDynamic: Bool?
  /// The states in which the machines of the scenario begin, by their names; an empty name is the only machine.
  package var states: [String: String]?
  package var forced: [ForcedReply] = []
  package var faults: [LaneFault] = []
  package var checks: [ClientCheckSettings] = []
  package var advance = Duration.zero
  /// How long a request may wait for its answer.
  package var limit: Duration?
  /// Whether the clock stands still between two advances.
  package var stopsClock: Bool?

  /// The most forced responses of a lane, and the most faults; further ones replace the oldest.
  package static let limit = 200

  /// A lane like the one without a name.
  package init() {}

  package func state(of mock: Mock, isNamed: Bool = true) -> LaneState {
    var state = mock.newState()
    apply(to: &state, of: mock)
    state.isObserved = isNamed
    state.origin = self
    return state
  }

  /// Changes a state in what is given here.
  package func apply(to state: inout LaneState, of mock: Mock) {
    if let scenario { state.play(scenario.isEmpty ? nil : scenario, in: mock) }
    if let states { state.begin(in: states, by: mock) }
    if let seed { state.seed = seed }
    if let isDynamic { state.isDynamic = isDynamic }
    for reply in forced {
      // What no request would reach any more: a suite may force the same before each test.
      state.forced.removeAll {
        $0.operation == reply.operation && (!reply.isLimited || $0.answer == reply.answer)
      }
      if reply.conditions != nil { state.turns[reply.label] = nil }
      state.forced.append(reply)
    }
    for fault in faults {
      state.faults.removeAll { $0.isReplaced(by: fault) }
      state.faults.append(fault)
      if let fault = fault.socketFault { state.sockets.faults.add(fault) }
    }
    state.forced = state.forced.suffix(Self.limit)
    state.faults = state.faults.suffix(Self.limit)
    state.sockets.faults = state.sockets.faults.suffix(Self.limit)
    state.add(checks)
    if let limit { state.limit = limit }
    if let stopsClock { state.clock.stopped = stopsClock ? state.clock.stopped ?? mock.options.now() : nil }
    state.clock.advance(by: advance)
  }
}

/// What a lane begins with.
package struct LaneOpening: Codable, Sendable, Hashable {
  package var name: LaneName?
  /// In place of the mock's; empty for none.
  package var scenario: String?
  package var seed: String?
  package var forced: [ForcedReply] = []
  package var faults: [LaneFault] = []
  package var checks: [ClientCheckSettings] = []
  /// How far the clock moves.
  package var advance = Duration.zero
  /// Whether the clock stands still between two advances.
  package var stopsClock: Bool?

  /// A lane like the one without a name.
  package init() {}

  /// The state of a lane that no request has reached.
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
    if let seed { state.seed = seed }
    state.forced += forced
    state.faults += faults.filter { !state.faults.contains($0) }
    state.add(checks)
    if let stopsClock { state.clock.stopped = stopsClock ? state.clock.stopped ?? mock.options.now() : nil }
    state.clock.advance(by: advance)
  }
}

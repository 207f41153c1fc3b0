package protocol LaneAccess: Sendable {
  /// Read for every request, so it takes no lock.
  var demand: LaneDemand { get }
  var clock: LaneClock { get }
  /// The identity of the lane, since its name may be opened again; `nil` for a lane that forgets everything.
  var id: ObjectIdentifier? { get }
  /// Whether a change waits for a store. Event loops never wait: they leave the state of such a lane to workers.
  var isDurable: Bool { get }
  /// Runs `body` once with the state and its revision, while no request changes the state.
  ///
  /// - Throws: The reason that a store could not load the state.
  func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) throws(LaneProblem)
  /// Runs `body` with the state and its revision, while no other request of the lane has the state, and then `deliver`
  /// once, in the order of the changes.
  ///
  /// A durable lane runs `body` again on a newer state after a conflict, so `body` assigns all of its results anew. It runs
  /// `deliver` after the store has acknowledged the change.
  ///
  /// - Throws: The reason that the change was not stored. The state is then unchanged, and `deliver` has not run.
  func update(_ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void) throws(LaneProblem)
  /// Runs work that may wait for a store, after the earlier work of the lane; at once in a lane that waits for none.
  func schedule(_ work: @escaping @Sendable () -> Void)
}

extension LaneAccess {
  package var isDurable: Bool { false }
  package func schedule(_ work: @escaping @Sendable () -> Void) { work() }

  /// The state between two requests.
  package var value: LaneState {
    get throws(LaneProblem) {
      var value = LaneState()
      try read { state, _ in value = copy state }
      return value
    }
  }

  /// Runs `body` with the state and its revision, while no other request of the lane has the state.
  package func update(_ body: (inout LaneState, _ revision: Int) -> Void) throws(LaneProblem) {
    try update(body, then: {})
  }

  /// Runs `body` with the state, while no other request of the lane has the state.
  package func update(_ body: (inout LaneState) -> Void) throws(LaneProblem) { try update { state, _ in body(&state) } }
}

/// Forwards to a lane for one event loop, so that loops do not count the references of one object at each request.
package final class LaneHandle: LaneAccess {
  private let lane: any LaneAccess
  package let isDurable: Bool

  package init(_ lane: any LaneAccess) { (self.lane, isDurable) = (lane, lane.isDurable) }

  package var demand: LaneDemand { lane.demand }
  package var clock: LaneClock { lane.clock }
  package var id: ObjectIdentifier? { lane.id }

  package func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) throws(LaneProblem) { try lane.read(body) }

  package func update(
    _ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void
  ) throws(LaneProblem) {
    try lane.update(body, then: deliver)
  }

  package func schedule(_ work: @escaping @Sendable () -> Void) { lane.schedule(work) }
}

/// A lane that forgets everything: each request is the first one.
package struct FreshLane: LaneAccess {
  private let mock: Mock
  private let openedAt: Int

  package init(mock: Mock) {
    self.mock = mock
    openedAt = mock.options.now()
  }

  package var demand: LaneDemand { mock.initialState.demand }
  package var clock: LaneClock { LaneClock() }
  package var id: ObjectIdentifier? { nil }

  private var state: LaneState {
    var state = mock.initialState
    state.openedAt = openedAt
    return state
  }

  package func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) { body(state, 0) }

  package func update(_ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void) {
    var state = state
    body(&state, 0)
    deliver()
  }
}

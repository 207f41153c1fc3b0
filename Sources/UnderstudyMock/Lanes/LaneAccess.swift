package protocol LaneAccess: Sendable {
  /// Read for every request, so it takes no lock.
  var demand: LaneDemand { get }
  var clock: LaneClock { get }
  /// The identity of the lane, since its name may be opened again; `nil` for a lane that forgets everything.
  var id: ObjectIdentifier? { get }
  /// Runs `body` once with the state and its revision, while no request changes the state.
  func read(_ body: (borrowing LaneState, _ revision: Int) -> Void)
  /// Runs `body` once with the state and its revision, while no other request of the lane has the state.
  func update(_ body: (inout LaneState, _ revision: Int) -> Void)
}

extension LaneAccess {
  /// The state between two requests.
  package var value: LaneState {
    var value = LaneState()
    read { state, _ in value = copy state }
    return value
  }

  /// Runs `body` once with the state, while no other request of the lane has the state.
  package func update(_ body: (inout LaneState) -> Void) { update { state, _ in body(&state) } }
}

/// Forwards to a lane for one event loop, so that loops do not count the references of one object at each request.
package final class LaneHandle: LaneAccess {
  private let lane: any LaneAccess

  package init(_ lane: any LaneAccess) { self.lane = lane }

  package var demand: LaneDemand { lane.demand }
  package var clock: LaneClock { lane.clock }
  package var id: ObjectIdentifier? { lane.id }

  package func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) { lane.read(body) }
  package func update(_ body: (inout LaneState, _ revision: Int) -> Void) { lane.update(body) }
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

  package func update(_ body: (inout LaneState, _ revision: Int) -> Void) {
    var state = state
    body(&state, 0)
  }
}

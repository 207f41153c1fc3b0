/// A lane as a request sees it.
package protocol LaneAccess: Sendable {
  /// Read for every request, so it takes no lock.
  var demand: LaneDemand { get }
  var clock: LaneClock { get }
  /// The identity of the lane, since a name may be opened again after its lane was closed; `nil` for a lane that forgets
  /// everything.
  var id: ObjectIdentifier? { get }
  /// Runs `body` once with the state, while no other request of the lane has it.
  func update(_ body: (inout LaneState) -> Void)
}

extension LaneAccess {
  /// The state between two requests.
  package var value: LaneState {
    var value = LaneState()
    update { value = $0 }
    return value
  }
}

/// Forwards to a lane for one event loop, so that loops do not count the references of one object at each request.
package final class LaneHandle: LaneAccess {
  private let lane: any LaneAccess

  package init(_ lane: any LaneAccess) { self.lane = lane }

  package var demand: LaneDemand { lane.demand }
  package var clock: LaneClock { lane.clock }
  package var id: ObjectIdentifier? { lane.id }

  package func update(_ body: (inout LaneState) -> Void) { lane.update(body) }
}

/// A lane that forgets everything: each request is the first one.
package struct FreshLane: LaneAccess {
  private let mock: Mock

  package init(mock: Mock) { self.mock = mock }

  package var demand: LaneDemand { mock.initialState.demand }
  package var clock: LaneClock { LaneClock() }
  package var id: ObjectIdentifier? { nil }

  package func update(_ body: (inout LaneState) -> Void) {
    var state = mock.newState()
    body(&state)
  }
}

/// A lane as a request sees it.
package protocol LaneAccess: Sendable {
  /// Read for every request, so it takes no lock.
  var demand: LaneDemand { get }
  var clock: LaneClock { get }
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

/// A lane that forgets everything: each request is the first one.
struct FreshLane: LaneAccess {
  let mock: Mock

  var demand: LaneDemand { mock.initialState.demand }
  var clock: LaneClock { LaneClock() }

  func update(_ body: (inout LaneState) -> Void) {
    var state = mock.newState()
    body(&state)
  }
}

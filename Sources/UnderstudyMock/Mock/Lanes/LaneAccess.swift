/// A lane as a request sees it.
package protocol LaneAccess: Sendable {
  /// Read for every request, so it takes no lock.
  var demand: LaneDemand { get }
  var clock: LaneClock { get }
  /// Runs `body` once with the state, while no other request of the lane has it.
  func update(_ body: (inout LaneState) -> Void)
}

/// The state of the lane during one call of `LaneAccess.update`; it must not outlive the call.
struct LaneReference {
  private let pointer: UnsafeMutablePointer<LaneState>

  init(_ pointer: UnsafeMutablePointer<LaneState>) { self.pointer = pointer }

  var state: LaneState {
    get { pointer.pointee }
    nonmutating _modify { yield &pointer.pointee }
  }
}

extension LaneAccess {
  /// The state between two requests.
  package var value: LaneState {
    var value = LaneState()
    update { value = $0 }
    return value
  }

  /// Runs `body` with the state where a request needs it, else without.
  func perform(_ isNeeded: Bool, _ body: (LaneReference?) -> Reply) -> Reply {
    guard isNeeded else { return body(nil) }
    var reply: Reply?
    update { state in withUnsafeMutablePointer(to: &state) { reply = body(LaneReference($0)) } }
    return reply ?? .unfinished
  }
}

/// A lane that forgets everything: each request is the first one.
struct FreshLane: LaneAccess {
  let mock: Mock

  var demand: LaneDemand { mock.initialDemand }
  var clock: LaneClock { LaneClock() }

  func update(_ body: (inout LaneState) -> Void) {
    var state = mock.newState()
    body(&state)
  }
}

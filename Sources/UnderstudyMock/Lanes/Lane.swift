import Synchronization
import UnderstudySockets
import UnderstudySystem

/// The state of one lane in memory, behind a lock of its own.
package final class Lane: LaneAccess {
  private let state: Lock<Versioned>
  private let demandCode: Atomic<UInt8>
  private let offset: Atomic<Int>
  /// 0 while the clock runs.
  private let stopped: Atomic<Int>
  private let socketsAreConnected: Atomic<Bool>

  private struct Versioned {
    var state: LaneState
    var revision = 0
  }

  package init(_ state: LaneState) {
    self.state = Lock(Versioned(state: state))
    demandCode = Atomic(state.demand.rawValue)
    offset = Atomic(state.clock.offset)
    stopped = Atomic(state.clock.stopped ?? 0)
    socketsAreConnected = Atomic(!state.sockets.sockets.isEmpty)
  }

  package var demand: LaneDemand { LaneDemand(rawValue: demandCode.load(ordering: .relaxed)) ?? .everything }
  package var id: ObjectIdentifier? { ObjectIdentifier(self) }
  var hasSockets: Bool { socketsAreConnected.load(ordering: .relaxed) }
  package var clock: LaneClock {
    var clock = LaneClock()
    clock.offset = offset.load(ordering: .relaxed)
    let time = stopped.load(ordering: .relaxed)
    clock.stopped = time == 0 ? nil : time
    return clock
  }

  package func read(_ body: (borrowing LaneState, _ revision: Int) -> Void) {
    state.withLock { body($0.state, $0.revision) }
  }

  package func update(_ body: (inout LaneState, _ revision: Int) -> Void, then deliver: () -> Void) {
    state.withLock { versioned in
      body(&versioned.state, versioned.revision)
      versioned.revision &+= 1
      demandCode.store(versioned.state.demand.rawValue, ordering: .relaxed)
      offset.store(versioned.state.clock.offset, ordering: .relaxed)
      stopped.store(versioned.state.clock.stopped ?? 0, ordering: .relaxed)
      socketsAreConnected.store(!versioned.state.sockets.sockets.isEmpty, ordering: .relaxed)
      deliver()
    }
  }

  // A lane in memory has no store that could fail.

  package var value: LaneState { state.withLock { $0.state } }
  package func update(_ body: (inout LaneState, _ revision: Int) -> Void) { update(body, then: {}) }
  package func update(_ body: (inout LaneState) -> Void) { update { state, _ in body(&state) } }
}

import Synchronization
import UnderstudySockets
import UnderstudySystem

/// The state of one lane in memory, behind a lock of its own.
package final class Lane: LaneAccess {
  private let state: Lock<LaneState>
  private let demandCode: Atomic<UInt8>
  private let offset: Atomic<Int>
  /// 0 while the clock runs.
  private let stopped: Atomic<Int>
  private let socketsAreConnected: Atomic<Bool>

  package init(_ state: LaneState) {
    self.state = Lock(state)
    demandCode = Atomic(state.demand.rawValue)
    offset = Atomic(state.clock.offset)
    stopped = Atomic(state.clock.stopped ?? 0)
    socketsAreConnected = Atomic(!state.sockets.sockets.isEmpty)
  }

  package var demand: LaneDemand { LaneDemand(rawValue: demandCode.load(ordering: .relaxed)) ?? .everything }
  package var id: ObjectIdentifier? { ObjectIdentifier(self) }
  /// Whether a socket or a stream is connected.
  var hasSockets: Bool { socketsAreConnected.load(ordering: .relaxed) }
  package var clock: LaneClock {
    var clock = LaneClock()
    clock.offset = offset.load(ordering: .relaxed)
    let time = stopped.load(ordering: .relaxed)
    clock.stopped = time == 0 ? nil : time
    return clock
  }

  package func update(_ body: (inout LaneState) -> Void) {
    state.withLock { state in
      defer {
        demandCode.store(state.demand.rawValue, ordering: .relaxed)
        offset.store(state.clock.offset, ordering: .relaxed)
        stopped.store(state.clock.stopped ?? 0, ordering: .relaxed)
        socketsAreConnected.store(!state.sockets.sockets.isEmpty, ordering: .relaxed)
      }
      body(&state)
    }
  }
}

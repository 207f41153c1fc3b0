import Synchronization
import UnderstudySystem

/// The time of a shared store: the monotonic clock of this machine, plus an offset that is measured against the store. Without a
/// shared store it is the time of this machine.
package final class ReplicaClock: Sendable {
  private let start = ContinuousClock.now
  /// The time of the store at `start`, in microseconds since 1970; 0 before it is measured.
  private let origin = Atomic(0)

  package init() {}

  /// The time since this clock was made, in microseconds, which no correction of a clock changes.
  var elapsed: Int { (ContinuousClock.now - start).wholeMicroseconds }

  /// Microseconds since 1970.
  package func now() -> Int {
    let origin = origin.load(ordering: .relaxed)
    return origin == 0 ? Timestamp.microseconds() : origin &+ elapsed
  }

  /// Measures the offset: the store gave its time between two times of `elapsed`.
  func adjust(to time: Int, between begin: Int, _ end: Int) {
    origin.store(time &- (begin + end) / 2, ordering: .relaxed)
  }
}

import Foundation

/// Waits for a state of another thread or process that nothing reports, up to a time limit.
package struct Deadline {
  private let end: Date

  package init(seconds: Double = 20) { end = Date.now.addingTimeInterval(seconds) }

  /// Returns whether the condition holds in time. Yields the processor between two checks.
  package func holds(_ condition: () throws -> Bool) rethrows -> Bool {
    while true {
      if try condition() { return true }
      guard Date.now < end else { return false }
      usleep(2_000)
    }
  }
}

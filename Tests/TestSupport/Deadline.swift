import Foundation

/// Asks again and again until something holds: what a test does instead of sleeping and hoping.
package struct Deadline {
  private let end: Date

  package init(seconds: Double = 20) { end = Date.now.addingTimeInterval(seconds) }

  /// Whether the condition came true in time. Gives other processes the processor between two questions.
  package func holds(_ condition: () throws -> Bool) rethrows -> Bool {
    while true {
      if try condition() { return true }
      guard Date.now < end else { return false }
      usleep(2_000)
    }
  }
}

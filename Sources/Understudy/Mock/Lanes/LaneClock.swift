/// The clock of a lane: that of the machine, ahead by some time, or one that stands still.
package struct LaneClock: Codable, Sendable, Hashable {
  /// How far it is ahead, in microseconds.
  package var offset = 0
  /// The time at which it was stopped, in microseconds since 1970; `nil` while it runs.
  package var stopped: Int?

  package init() {}

  /// - Parameter now: Microseconds since 1970.
  package func time(at now: Int) -> Int { (stopped ?? now) &+ offset }

  /// Moves it forward, by at most a century.
  package mutating func advance(by duration: Duration) {
    offset = min(offset &+ max(0, Int(duration / .microseconds(1))), Self.limit)
  }

  /// In microseconds.
  private static let limit = 100 * 365 * 86_400 * 1_000_000
}

/// The clock of a lane: that of the machine, ahead by some time, or one that stands still.
package struct LaneClock: Codable, Sendable, Hashable {
  /// How far it is ahead, in microseconds.
  package var offset = 0
  /// The time at which it was stopped, in microseconds since 1970; `nil` while it runs.
  package var stopped: Int?

  package init() {}

  /// One that stands still.
  init(stoppedAt time: Int) { stopped = time }

  /// - Parameter now: Microseconds since 1970.
  package func time(at now: Int) -> Int { (stopped ?? now) &+ offset }

  /// Moves it forward, by at most a century.
  package mutating func advance(by duration: Duration) { advance(microseconds: duration.wholeMicroseconds) }

  mutating func advance(microseconds: Int) {
    offset = min(offset &+ min(max(0, microseconds), Self.limit), Self.limit)
  }

  /// In microseconds.
  private static let limit = 100 * 365 * 86_400 * 1_000_000
}

/// The time of a request.
package struct LaneTime: Sendable {
  private let now: @Sendable () -> Int
  private var clock = LaneClock()

  package init(_ now: @escaping @Sendable () -> Int) { self.now = now }

  func by(_ clock: LaneClock) -> LaneTime {
    var time = self
    time.clock = clock
    return time
  }

  /// Microseconds since 1970.
  func callAsFunction() -> Int { clock.time(at: now()) }
}

package struct LaneTime: Sendable {
  private let now: @Sendable () -> Int
  private var clock = LaneClock()

  package init(_ now: @escaping @Sendable () -> Int) { self.now = now }

  /// The time without the clock of a lane, in microseconds since 1970.
  var machine: Int { now() }

  func by(_ clock: LaneClock) -> LaneTime {
    var time = self
    time.clock = clock
    return time
  }

  /// Microseconds since 1970.
  func callAsFunction() -> Int { clock.stopped == nil ? clock.time(at: now()) : clock.time(at: 0) }

  /// The time of an event in its lane, which stands still meanwhile and is never earlier than the last event's, even if
  /// the clock of the machine was set back.
  struct Moment {
    /// By the clock of the lane, in microseconds since 1970.
    let now: Int
    private let delay: Int

    init(_ time: LaneTime, of state: borrowing LaneState) {
      let read = time.by(state.clock)()
      now = max(state.latest, read)
      delay = now &- read
    }

    /// The difference of clocks that replicas of a mock may have, in microseconds: the time of a lane stands still for it.
    private static let tolerance = 250_000

    func arrive(in state: inout LaneState) {
      if delay > Self.tolerance {
        state.clock.advance(microseconds: delay)
        // How long the client has waited since the last request is unknown, so no check may compare with it.
        state.history = LaneHistory()
      }
      state.latest = now
    }
  }
}

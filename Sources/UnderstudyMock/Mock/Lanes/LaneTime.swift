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

  /// The time of a request in its lane, which stands still while the request is answered.
  ///
  /// No request is earlier than the one before: where the clock of the machine was set back, that of the lane goes on.
  func moment(in state: inout LaneState) -> LaneTime {
    var moment = by(state.clock)
    let now = moment()
    if now < state.latest {
      state.clock.advance(microseconds: state.latest &- now)
      // How long the client has waited since the last request is unknown, so no check may compare with it.
      state.history = []
    }
    state.latest = max(state.latest, now)
    moment.clock = LaneClock(stoppedAt: state.latest)
    return moment
  }

  /// Microseconds since 1970.
  func callAsFunction() -> Int { clock.stopped == nil ? clock.time(at: now()) : clock.time(at: 0) }
}

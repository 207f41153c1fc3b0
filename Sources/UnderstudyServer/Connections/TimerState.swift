/// The state of a timer, and the change that the channel handler has not made yet.
struct TimerState {
  private enum Change { case start(Duration), stop }

  private(set) var isRunning = false
  private var change: Change?

  mutating func start(_ delay: Duration) {
    isRunning = true
    change = .start(delay)
  }

  mutating func stop() {
    guard isRunning else { return }
    isRunning = false
    change = .stop
  }

  /// Returns `false` for a timer that was stopped or restarted meanwhile.
  mutating func fire() -> Bool {
    guard isRunning, change == nil else { return false }
    isRunning = false
    return true
  }

  mutating func nextAction(for timer: ConnectionTimer) -> ConnectionAction? {
    guard let change = change.take() else { return nil }
    switch change {
    case .start(let delay): return .start(timer, delay)
    case .stop: return .stop(timer)
    }
  }
}

struct ExchangeTimers {
  var delay = TimerState()
  var limit = TimerState()
  /// A shutdown waits for another request.
  var lastCall = TimerState()

  mutating func stop() {
    delay.stop()
    limit.stop()
    lastCall.stop()
  }

  mutating func nextAction() -> ConnectionAction? {
    delay.nextAction(for: .delay) ?? limit.nextAction(for: .limit) ?? lastCall.nextAction(for: .lastCall)
  }
}

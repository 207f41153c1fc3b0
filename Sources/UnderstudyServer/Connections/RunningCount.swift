import UnderstudySystem
import UnderstudyText

/// Counts what is running, and waits until nothing is.
final class RunningCount: Sendable {
  private struct State {
    var running = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Lock(State())

  var isZero: Bool { state.withLock { $0.running == 0 } }

  func begin() { state.withLock { $0.running += 1 } }

  func end() {
    let waiting = state.withLock { state in
      state.running -= 1
      guard state.running == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func untilZero() async {
    await withCheckedContinuation { continuation in
      let isZero = state.withLock { state in
        if state.running > 0 { state.waiting.append(continuation) }
        return state.running == 0
      }
      if isZero { continuation.resume() }
    }
  }
}

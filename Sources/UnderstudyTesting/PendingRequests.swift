import UnderstudySystem
import UnderstudyText

/// The requests whose answers are still to come: delayed ones, and those in pieces.
///
/// Other answers are sent at once. A reply that hangs is not waited for.
final class PendingRequests: Sendable {
  private struct State {
    var calls: [Int: Call] = [:]
    var count = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  /// Notes a request; the result ends it, when the client has its answer or has left.
  func begin(_ call: Call) -> @Sendable () -> Void {
    let id = state.withLock { state in
      state.count += 1
      state.calls[state.count] = call
      return state.count
    }
    return { [self] in end(id) }
  }

  /// In the order of their arrival.
  var now: [Call] { state.withLock { $0.calls.sorted { $0.key < $1.key }.map(\.value) } }

  /// Waits until there is none, for at most a time. Returns those that are left, in the order of their arrival.
  func rest(within limit: Duration) async -> [Call] {
    guard !state.withLock(\.calls.isEmpty) else { return [] }
    let timeout = Task {
      try? await Task.sleep(for: limit)
      resume()
    }
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if !state.calls.isEmpty { state.waiter = continuation }
        return state.calls.isEmpty
      }
      if isDone { continuation.resume() }
    }
    timeout.cancel()
    return now
  }

  private func end(_ id: Int) {
    let isLast = state.withLock { state in
      state.calls[id] = nil
      return state.calls.isEmpty
    }
    if isLast { resume() }
  }

  private func resume() { state.withLock { $0.waiter.take() }?.resume() }
}

import UnderstudyMock
import UnderstudySystem
import UnderstudyText

/// The requests whose exchanges go on, as far as their ends matter to a test. Other responses are sent at once.
final class PendingRequests: Sendable {
  enum Reason {
    /// The response is delayed, or sent in pieces.
    case late
    /// No response is sent, and the end of the test waits for none.
    case hung
    /// The lane watches the exchange.
    case watched

    /// `nil` where the end of the exchange does not matter.
    init?(_ reply: Reply) {
      if reply.fault?.hangs == true {
        self = .hung
      } else if reply.fault?.pace != nil || reply.delay > .zero {
        self = .late
      } else if reply.isWatched {
        self = .watched
      } else {
        return nil
      }
    }
  }

  private struct Entry {
    let call: Call
    let reason: Reason
    /// In the journal of the test.
    var position: Int?
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var count = 0
    var waiter: CheckedContinuation<Void, Never>?

    var hasLate: Bool { entries.values.contains { $0.reason == .late } }
  }

  private let state = Lock(State())

  /// Adds a request, and returns its number.
  func begin(_ call: Call, _ reason: Reason) -> Int {
    state.withLock { state in
      state.count += 1
      state.entries[state.count] = Entry(call: call, reason: reason)
      return state.count
    }
  }

  /// Notes where the journal has the request.
  func note(_ number: Int, at position: Int) { state.withLock { $0.entries[number]?.position = position } }

  func position(of number: Int) -> Int? { state.withLock { $0.entries[number]?.position } }

  /// Removes a request when the client has its response or has left.
  func end(_ number: Int) {
    let isLast = state.withLock { state in
      state.entries[number] = nil
      return !state.hasLate
    }
    if isLast { resume() }
  }

  /// In the order of their arrival.
  func calls(_ reason: Reason) -> [Call] {
    state.withLock { state in
      state.entries.filter { $0.value.reason == reason }.sorted { $0.key < $1.key }.map(\.value.call)
    }
  }

  /// Waits until none is late, for at most a time. Returns those that are, in the order of their arrival.
  func rest(within limit: Duration) async -> [Call] {
    guard state.withLock(\.hasLate) else { return [] }
    let timeout = Task {
      try? await Task.sleep(for: limit)
      resume()
    }
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.hasLate { state.waiter = continuation }
        return !state.hasLate
      }
      if isDone { continuation.resume() }
    }
    timeout.cancel()
    return calls(.late)
  }

  private func resume() { state.withLock { $0.waiter.take() }?.resume() }
}

import Synchronization

/// The progress of a run, shared by its workers.
final class LiveProgress: Sendable {
  /// An operation is abandoned after so many requests in a row without an answer.
  static let failureLimit = 2
  /// The run is abandoned after so many abandoned operations in a row.
  static let operationLimit = 3

  private struct State {
    var answers = 0
    var lostInARow = 0
    var errors = 0
    var reason: String?
    var isAtLimit = false
  }

  private let state = Mutex(State())
  private let maximumFailures: Int?
  private let isOver: @Sendable () -> String?

  /// - Parameter isOver: The reason to end the run, if there is one.
  init(maximumFailures: Int?, isOver: @escaping @Sendable () -> String?) {
    self.maximumFailures = maximumFailures
    self.isOver = isOver
  }

  var reasonToStop: String? {
    if let reason = state.withLock({ $0.reason }) { return reason }
    guard let reason = isOver() else { return nil }
    state.withLock { $0.reason = $0.reason ?? reason }
    return reason
  }

  /// Whether requests may still be shrunk, also after the limit of findings.
  var canReproduce: Bool { isOver() == nil && state.withLock { $0.reason == nil || $0.isAtLimit } }

  func noteAnswer() {
    state.withLock { state in
      state.answers += 1
      state.lostInARow = 0
    }
  }

  /// Notes a request without an answer. If it is the first, some failures mean that the server cannot be reached.
  func noteFailure(_ failure: UpstreamFailure) {
    state.withLock { state in
      guard state.answers == 0, [.refused, .unknownHost, .tls].contains(failure.kind) else { return }
      state.reason = state.reason ?? "the server cannot be reached: \(failure.message)"
    }
  }

  func noteLost(_ subject: LiveOperation, _ failure: UpstreamFailure) {
    state.withLock { state in
      state.lostInARow += 1
      guard state.lostInARow >= Self.operationLimit else { return }
      state.reason =
        state.reason
        ?? "\(Self.operationLimit) operations in a row got no answer, the last \(subject.operation.id): \(failure.message)"
    }
  }

  func noteErrors(_ count: Int) {
    state.withLock { state in
      state.errors += count
      guard let maximumFailures, state.errors >= maximumFailures, state.reason == nil else { return }
      state.reason = "the run ended with \(maximumFailures.counted("finding")) (--max-failures \(maximumFailures))"
      state.isAtLimit = true
    }
  }
}

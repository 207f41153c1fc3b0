import Synchronization

/// How a run stands, for all who ask side by side: whether it goes on, and who gets no answer.
final class LiveProgress: Sendable {
  /// Requests of one operation in a row without an answer, after which it is given up.
  static let failureLimit = 2
  /// Operations in a row that were given up, after which the run is.
  static let operationLimit = 3

  private struct State {
    var answers = 0
    var lostInARow = 0
    var errors = 0
    var reason: String?
    /// Whether that is the limit of findings.
    var isAtLimit = false
  }

  private let state = Mutex(State())
  private let maximumFailures: Int?
  private let isOver: @Sendable () -> String?

  /// - Parameter isOver: Why the run must end, once it must.
  init(maximumFailures: Int?, isOver: @escaping @Sendable () -> String?) {
    self.maximumFailures = maximumFailures
    self.isOver = isOver
  }

  /// Why nothing more is to be sent; `nil` as long as there is no reason.
  var reasonToStop: String? {
    if let reason = state.withLock({ $0.reason }) { return reason }
    guard let reason = isOver() else { return nil }
    stop(reason)
    return reason
  }

  /// Whether the requests of findings may still be made smaller: those that reached their limit are told as well as any.
  var canReproduce: Bool { isOver() == nil && state.withLock { $0.reason == nil || $0.isAtLimit } }

  func noteAnswer() {
    state.withLock { state in
      state.answers += 1
      state.lostInARow = 0
    }
  }

  /// A request that got no answer; some reasons leave no hope for the others, unless there were answers before.
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
      state.reason = "the run was to end with \(maximumFailures.counted("finding")) (--max-failures \(maximumFailures))"
      state.isAtLimit = true
    }
  }

  private func stop(_ reason: String) {
    state.withLock { state in state.reason = state.reason ?? reason }
  }
}

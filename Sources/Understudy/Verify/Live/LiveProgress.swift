import Synchronization

/// The progress of a run, shared by its workers.
final class LiveProgress: Sendable {
  /// An operation is abandoned after so many requests in a row without an answer.
  static let failureLimit = 2
  /// The run is abandoned after so many abandoned operations in a row.
  static let operationLimit = 3

  private struct State {
    var answers = 0
    /// The last request that was answered.
    var answered: WireRequest?
    /// The last safe request to a protected operation that succeeded.
    var authorized: WireRequest?
    var lostInARow = 0
    var errors = 0
    var reason: String?
    var isAtLimit = false
    /// The number of findings, by the cause that they may share.
    var causes: [[String]: Int] = [:]
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

  func noteAnswer(_ call: LiveCall, _ answer: LiveAnswer, of subject: LiveOperation) {
    state.withLock { state in
      state.answers += 1
      state.lostInARow = 0
      state.answered = call.wire
      guard subject.isSafe, !subject.operation.security.isEmpty, call.isValid, 200...299 ~= answer.status else {
        return
      }
      state.authorized = call.wire
    }
  }

  /// Whether the credentials worked before and do not any more; then the run ends. The last request that they opened is sent
  /// again, since the refusal of one operation may be about that operation.
  func credentialsStopped(
    at call: LiveCall, of subject: LiveOperation, _ client: LiveClient
  ) async -> Bool {
    guard call.draft.credentials == .good, !subject.operation.security.isEmpty,
      let authorized = state.withLock({ $0.authorized }), (try? await client.send(authorized))?.status == 401
    else { return false }
    state.withLock { state in
      state.reason =
        state.reason
        ?? "the credentials stopped working: \(authorized.request.method.rawValue) \(authorized.target) succeeded and now "
        + "gets 401; the requests after that are not counted"
    }
    return true
  }

  /// Notes a request without an answer. If it is the first, some failures mean that the server cannot be reached.
  func noteFailure(_ failure: UpstreamFailure) {
    state.withLock { state in
      guard state.answers == 0, [.refused, .unknownHost, .tls].contains(failure.kind) else { return }
      state.reason = state.reason ?? "the server cannot be reached: \(failure.message)"
    }
  }

  /// Notes an abandoned operation. Several in a row end the run, unless a request that was answered before is answered again.
  func noteLost(_ subject: LiveOperation, _ failure: UpstreamFailure, _ client: LiveClient) async {
    let (lost, answered) = state.withLock { state in
      state.lostInARow += 1
      return (state.lostInARow, state.answered)
    }
    guard lost >= Self.operationLimit else { return }
    if let answered, (try? await client.send(answered)) != nil { return state.withLock { $0.lostInARow = 0 } }
    state.withLock { state in
      state.reason =
        state.reason
        ?? "\(Self.operationLimit) operations in a row got no answer, the last \(subject.operation.id): \(failure.message)"
    }
  }

  /// Notes a finding; whether so few operations have one like it that it is shown by itself.
  func isRare(_ finding: Report.Finding) -> Bool {
    let cause = [finding.rule, finding.subject.status ?? ""] + SharedFindings.shape(of: finding)
    return state.withLock { state in
      state.causes[cause, default: 0] += 1
      return state.causes[cause, default: 0] < SharedFindings.operationLimit
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

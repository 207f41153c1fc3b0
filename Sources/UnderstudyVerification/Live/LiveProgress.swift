import UnderstudySystem

/// The progress of a run, shared by its workers.
final class LiveProgress: Sendable {
  /// An operation is abandoned after so many requests in a row without an answer in time.
  static let failureLimit = 2
  /// An operation is abandoned after so many requests in a row whose connection the server closes, which takes no time.
  static let closedLimit = 5
  /// The run is abandoned after so many abandoned operations in a row, where no request was ever answered.
  static let operationLimit = 3

  /// A request that credentials opened.
  private struct Opened {
    let operation: String
    let isSecured: Bool
    /// Whether its path names something, whose absence may be answered with 403.
    let namesItem: Bool
    let wire: WireRequest
    /// How much its refusal shows about the credentials.
    var weight: Int { (namesItem ? 0 : 2) + (isSecured ? 1 : 0) }
  }

  private struct State {
    var answers = 0
    /// The last request that was answered, and its operation.
    var answered: (call: LiveCall, subject: LiveOperation, status: Int)?
    /// The last safe request that succeeded, else the last one that was refused.
    var knownGood: (wire: WireRequest, rank: Int)?
    /// The operations whose first change was looked into.
    var changing: Set<String> = []
    var lost: LostServer?
    /// The operations whose names the server keeps apart.
    var apart: Set<String> = []
    /// The last safe request of each operation that credentials opened, the latest last.
    var authorized: [Opened] = []
    /// The operations whose last answer was a refusal for the credentials.
    var refusing: Set<String> = []
    /// The number of refusals that were looked into, by operation.
    var checks: [String: Int] = [:]
    var areCredentialsRefused = false
    /// A request that was rejected for its lack of credentials.
    var locked: WireRequest?
    /// The operations whose first change was followed by a request without credentials.
    var lockedChecks: Set<String> = []
    /// The last operation that changed something, with the status.
    var lastChange: String?
    /// The request after which the server asks for no credentials any more.
    var opened: String?
    /// The request after which the server asks for credentials.
    var closed: String?
    /// Whether the operations run that may take away the rights of the run.
    var isLast = false
    var lostInARow = 0
    var errors = 0
    var reason: String?
    var isAtLimit = false
    /// The number of findings, by the cause that they may share.
    var causes: [[String]: Int] = [:]
  }

  private let state = Lock(State())
  private let maximumFailures: Int?
  private let sendsHeaders: Bool
  private let isOver: @Sendable () -> String?

  /// - Parameters:
  ///   - sendsHeaders: Whether headers are sent with every request, of which one may be a credential.
  ///   - isOver: The reason to end the run, if there is one.
  init(maximumFailures: Int?, sendsHeaders: Bool, isOver: @escaping @Sendable () -> String?) {
    self.maximumFailures = maximumFailures
    self.sendsHeaders = sendsHeaders
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

  func noteAnswer(_ call: LiveCall, _ answer: Exchange.Response, of subject: LiveOperation) {
    state.withLock { state in
      state.answers += 1
      state.lostInARow = 0
      state.answered = (call, subject, answer.status)
      if !subject.isSafe, 200...299 ~= answer.status { state.lastChange = Self.title(of: subject, answer.status) }
      let name = subject.uniqueName
      let isSuccess = subject.isSafe && SafeMethods.contains(call.draft.method) && 200...299 ~= answer.status
      // What a path names may go.
      let namesItem = call.draft.arguments.contains { $0.parameter.location == .path }
      let rank = isSuccess ? (namesItem ? 1 : 2) : 0
      if answer.body.reason == nil, isSuccess || 400...499 ~= answer.status, rank >= state.knownGood?.rank ?? 0 {
        state.knownGood = (call.wire, rank)
      }
      if !Self.isRefusal(answer.status) { state.refusing.remove(name) }
      guard subject.isSafe, usesCredentials(subject), call.isValid, 200...299 ~= answer.status else { return }
      state.authorized.removeAll { $0.operation == name }
      if state.authorized.count >= Self.authorizedLimit {
        state.authorized.remove(at: state.authorized.firstIndex(where: \.namesItem) ?? 0)
      }
      state.authorized.append(
        Opened(
          operation: name, isSecured: !subject.operation.security.isEmpty,
          namesItem: call.draft.arguments.contains { $0.parameter.location == .path }, wire: call.wire))
    }
  }

  // MARK: - Credentials

  /// The operations of which a successful request is kept.
  private static let authorizedLimit = 8
  /// The refusals of one operation that are looked into.
  private static let checkLimit = 3

  private static func isRefusal(_ status: Int) -> Bool { status == 401 || status == 403 }

  /// Whether requests have credentials: those of the contract, or a header of the user.
  private func usesCredentials(_ subject: LiveOperation) -> Bool {
    sendsHeaders || !subject.operation.security.isEmpty
  }

  /// Whether the credentials worked before and do not any more; then the run ends. Requests that they opened are sent again:
  /// one of another operation, since a refusal may be about the operation, and one of the same, since the other may need
  /// no credentials. Where both name something in their paths, a 403 may be about that.
  func credentialsStopped(
    at call: LiveCall, _ answer: Exchange.Response, of subject: LiveOperation, _ client: LiveClient
  ) async -> Bool {
    guard Self.isRefusal(answer.status), call.draft.credentials == .good else { return false }
    if state.withLock({ $0.closed != nil }) { return true }
    guard usesCredentials(subject) else { return false }
    let (isKnown, opened) = state.withLock { state -> (Bool, [Opened]) in
      if state.areCredentialsRefused { return (true, []) }
      let name = subject.uniqueName
      guard !state.authorized.isEmpty, state.checks[name, default: 0] < Self.checkLimit,
        state.refusing.insert(name).inserted
      else { return (false, []) }
      state.checks[name, default: 0] += 1
      let others = state.authorized.filter { $0.operation != name }
      let other = others.reversed().max { $0.weight < $1.weight }
      let own = state.authorized.last { $0.operation == name }
      return (false, [other, own].compactMap(\.self))
    }
    if isKnown { return true }
    var refusal: (wire: WireRequest, status: Int)?
    var isSure = false
    for request in opened {
      guard let status = (try? await client.send(request.wire, LedgerPurpose(.authorization)))?.status,
        Self.isRefusal(status)
      else { return false }
      refusal = refusal ?? (request.wire, status)
      isSure = isSure || status == 401 || !request.namesItem
    }
    guard isSure, let refusal else { return false }
    state.withLock { state in
      state.areCredentialsRefused = true
      guard !state.isLast else { return }
      state.reason =
        state.reason
        ?? "the credentials stopped working: \(refusal.wire.request.method.rawValue) \(refusal.wire.target) succeeded and "
        + "now gets \(refusal.status); "
        + (state.lastChange.map { "the last change was \($0); " } ?? "") + "the requests after that are not counted"
    }
    return true
  }

  private static func title(of subject: LiveOperation, _ status: Int) -> String {
    "\(subject.subject().title) (\(status))"
  }

  /// Notes a request without credentials, if it was rejected for them; returns whether it was.
  func noteLocked(_ wire: WireRequest, _ status: Int) -> Bool {
    guard Self.isRefusal(status) else { return false }
    state.withLock { $0.locked = $0.locked ?? wire }
    return true
  }

  /// Whether the server asks for no credentials any more, where it did before: a request that it rejected without them
  /// succeeds now. Nothing is concluded about credentials then.
  var isOpened: Bool { state.withLock { $0.opened != nil } }

  /// Looks whether the first success of an operation that changes something has switched authentication off.
  func checkAccess(after answer: Exchange.Response, of subject: LiveOperation, _ client: LiveClient) async {
    guard !subject.isSafe, 200...299 ~= answer.status,
      state.withLock({ $0.locked != nil && $0.lockedChecks.insert(subject.uniqueName).inserted })
    else { return }
    await checkAccess(client, after: Self.title(of: subject, answer.status))
  }

  /// Looks whether a request of the run has switched authentication off.
  func checkAccess(_ client: LiveClient, after change: String? = nil) async {
    guard let locked = state.withLock({ $0.opened == nil ? $0.locked : nil }),
      let status = (try? await client.send(locked, LedgerPurpose(.authorization)))?.status, 200...299 ~= status
    else { return }
    state.withLock { $0.opened = $0.opened ?? change ?? $0.lastChange ?? "an unknown request" }
  }

  /// Ends the run, as the server asks for credentials since a request: a request that succeeded before is rejected.
  func noteClosed(_ known: WireRequest, _ status: Int, after answer: Exchange.Response, of subject: LiveOperation) {
    state.withLock { state in
      guard state.closed == nil else { return }
      let title = Self.title(of: subject, answer.status)
      state.closed = title
      guard !state.isLast else { return }
      state.reason =
        state.reason
        ?? "the server asks for credentials since \(title): \(known.request.method.rawValue) \(known.target) succeeded "
        + "before and now gets \(status); the requests after that are not counted"
    }
  }

  /// A remark on the request that changed whether the server asks for credentials.
  var accessRemark: String? {
    state.withLock { state in
      if let opened = state.opened {
        return "the server asks for no credentials since \(opened); nothing is reported about credentials after that"
      }
      return state.closed.map { "the server asks for credentials since \($0); the requests after that are not counted" }
    }
  }

  /// From now on credentials that stop working do not make the run incomplete: the run itself may have changed them.
  func beginLast() { state.withLock { $0.isLast = true } }

  // MARK: - Failures

  /// Notes a request without an answer. If it is the first, some failures mean that the server cannot be reached.
  func noteFailure(_ failure: UpstreamFailure) {
    state.withLock { state in
      guard state.answers == 0, [.refused, .unknownHost, .tls].contains(failure.kind) else { return }
      state.reason = state.reason ?? "the server cannot be reached: \(failure.message)"
    }
  }

  /// Notes an abandoned operation. Several in a row end the run, where no request was ever answered.
  func noteAbandoned(_ subject: LiveOperation, _ failure: UpstreamFailure) {
    state.withLock { state in
      state.lostInARow += 1
      guard state.lostInARow >= Self.operationLimit, state.answers == 0 else { return }
      state.reason =
        state.reason
        ?? "\(Self.operationLimit) operations in a row got no answer, the last \(subject.operation.id): \(failure.message)"
    }
  }

  func noteNamesApart(of subject: LiveOperation) { state.withLock { _ = $0.apart.insert(subject.uniqueName) } }

  /// The operations whose names the server keeps apart, by their unique names.
  var apart: Set<String> { state.withLock { $0.apart } }

  /// A request that the server answered, to ask whether it still does.
  var knownGood: WireRequest? { state.withLock { $0.knownGood?.wire } }

  /// The same for the first success of an operation that changes something; `nil` for any other exchange.
  func knownGood(
    after call: LiveCall, _ answer: Exchange.Response, of subject: LiveOperation
  ) -> (wire: WireRequest, succeeded: Bool)? {
    guard !subject.isSafe, 200...299 ~= answer.status else { return nil }
    return state.withLock { state in
      guard let known = state.knownGood, state.changing.insert(subject.uniqueName).inserted else { return nil }
      return (known.wire, known.rank > 0)
    }
  }

  /// Notes that a server responds to nothing any more, and ends the run; a victim was not the request that ended it.
  func noteLost(_ call: LiveCall, _ subject: LiveOperation, _ failure: UpstreamFailure, isVictim: Bool) {
    state.withLock { state in
      guard state.lost == nil, state.reason == nil, let known = state.knownGood?.wire else { return }
      let before = isVictim ? state.answered : nil
      let status = before?.status ?? (state.answered?.call.wire == call.wire ? state.answered?.status : nil)
      let lost = LostServer(
        call: before?.call ?? call, subject: before?.subject ?? subject, status: status, known: known, failure: failure)
      state.lost = lost
      state.reason =
        "the server responds to nothing since \(lost.subject.subject().title): \(failure.message)"
    }
  }

  /// The end of the server, once.
  func takeLost() -> LostServer? {
    state.withLock { state in
      defer { state.lost = nil }
      return state.lost
    }
  }

  /// Notes a finding; whether so few operations have one like it that it is shown by itself.
  func isRare(_ finding: Report.Finding) -> Bool {
    let cause = [finding.rule, finding.subject.status ?? ""] + SharedFindings.shape(of: finding)
    return state.withLock { state in
      state.causes[cause, default: 0] += 1
      return state.causes[cause, default: 0] < SharedFindings.least(of: finding)
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

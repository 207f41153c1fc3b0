extension Understudy {
  /// What the client did in a test, as a value.
  public struct Result: Sendable {
    /// The requests in the order of their arrival.
    public let calls: [Call]
    /// What the requests break, each problem once.
    public let violations: [ClientViolation]
    /// What states of the scenario ask for, and the client has not done so far.
    public let missingRequests: [Finding]
    /// The replies that no request has met.
    public let unusedReplies: [String]

    /// The requests that reach no operation.
    public var unmatched: [Call] { calls.filter { $0.operation == nil && !$0.findings.isEmpty } }
    /// Whether no request broke the contract, none is missing, and every reply was sent.
    public var isClean: Bool {
      !violations.contains { $0.finding.isError } && unusedReplies.isEmpty && missingRequests.isEmpty
    }

    init(_ session: Session) {
      calls = session.journal.calls
      violations = ClientViolation.all(in: calls, of: session.mock.contracts)
      missingRequests = session.missingRequests.map(Finding.init)
      unusedReplies = session.script.unused.map(\.message)
    }
  }
}

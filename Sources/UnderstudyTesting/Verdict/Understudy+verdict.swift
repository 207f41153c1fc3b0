import Understudy

extension Understudy {
  /// Fails the test for what the client did.
  func reportVerdict(at location: SourceLocation) {
    let result = result
    let exchanges = ExchangeText(session.mock.contracts)
    for violation in result.violations where !session.isAllowed(violation.finding.rule) && violation.finding.isError {
      session.issues.report(
        violation.description, at: location,
        attachments: [("\(violation.call.operation ?? "unmatched").http", exchanges.text(violation.call))])
    }
    guard !session.isAllowed(Self.unusedReply) else { return }
    for (message, place) in session.script.unused {
      session.issues.report("\(message) [\(Self.unusedReply)]\n  help: \(session.journal.overview)", at: place)
    }
  }

  static let unusedReply = "test.reply-unused"
}

extension Understudy {
  /// What the client did in a test, as a value.
  public struct Result: Sendable {
    /// The requests in the order of their arrival.
    public let calls: [Call]
    /// What the requests break, each problem once.
    public let violations: [ClientViolation]
    /// The replies that no request has met.
    public let unusedReplies: [String]

    /// The requests that reach no operation.
    public var unmatched: [Call] { calls.filter { $0.operation == nil && !$0.findings.isEmpty } }
    /// Whether no request broke the contract and every reply was sent.
    public var isClean: Bool { !violations.contains { $0.finding.isError } && unusedReplies.isEmpty }

    init(_ session: Session) {
      calls = session.journal.calls
      violations = ClientViolation.all(in: calls)
      unusedReplies = session.script.unused.map(\.message)
    }
  }
}

/// A problem of one or several requests.
public struct ClientViolation: Sendable, CustomStringConvertible {
  /// The problem.
  public let finding: Finding
  /// The first request that has it.
  public let call: Call
  /// The number of requests that have it.
  public let count: Int

  /// The request, the problem and the advice.
  public var description: String {
    let subject = call.operation.map { "\(call.method) \(call.path) (\($0))" } ?? "\(call.method) \(call.path)"
    return "\(subject): \(finding.message)\(count > 1 ? ", in \(count) requests" : "") [\(finding.rule)]"
      + (finding.help.map { "\n  help: \($0)" } ?? "")
  }

  static func all(in calls: [Call]) -> [ClientViolation] {
    struct Key: Hashable {
      var operation: String
      var finding: Finding
    }
    var order: [Key] = []
    var found: [Key: (call: Call, count: Int)] = [:]
    for call in calls {
      for finding in call.findings {
        let key = Key(operation: call.operation ?? call.target, finding: finding)
        if found[key] == nil { order.append(key) }
        found[key] = (found[key]?.call ?? call, (found[key]?.count ?? 0) + 1)
      }
    }
    return order.compactMap { key in
      found[key].map { ClientViolation(finding: key.finding, call: $0.call, count: $0.count) }
    }
  }
}

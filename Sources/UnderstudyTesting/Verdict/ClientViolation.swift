import Understudy

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
      + proof.map { "\n  \($0)" }.joined() + (finding.help.map { "\n  help: \($0)" } ?? "")
  }

  /// The requests that prove a problem of several.
  private var proof: [String] {
    let diagnostic = call.reply.diagnostics.first { $0.rule.id == finding.rule && $0.message == finding.message }
    return diagnostic.map { $0.rule.isAboutSequences ? $0.notes.map(\.message) : [] } ?? []
  }

  static func all(in calls: [Call]) -> [ClientViolation] {
    struct Key: Hashable {
      var operation: String
      var rule: String
      /// Empty where the message has times and counts, which differ each time.
      var message: String
    }
    var order: [Key] = []
    var found: [Key: ClientViolation] = [:]
    for call in calls {
      for finding in call.findings {
        let isAboutSequences = Rule.named(finding.rule)?.isAboutSequences ?? false
        let key = Key(
          operation: call.operation ?? call.target, rule: finding.rule,
          message: isAboutSequences ? "" : finding.description + (finding.location ?? ""))
        if found[key] == nil { order.append(key) }
        found[key] = ClientViolation(
          finding: found[key]?.finding ?? finding, call: found[key]?.call ?? call, count: (found[key]?.count ?? 0) + 1)
      }
    }
    return order.compactMap { found[$0] }
  }
}

import UnderstudyReport

/// A problem of one or several requests.
public struct ClientViolation: Sendable, CustomStringConvertible {
  /// The problem.
  public var finding: Finding { Finding(diagnostic) }
  /// The first request that has it.
  public let call: Call
  /// The number of requests that have it.
  public let count: Int
  private let diagnostic: Diagnostic

  /// The request, the problem and the advice.
  public var description: String {
    let subject = call.operation.map { "\(call.method) \(call.path) (\($0))" } ?? "\(call.method) \(call.path)"
    return "\(subject): \(finding.message)\(count > 1 ? ", in \(count) requests" : "") [\(finding.rule)]"
      + proof.map { "\n  \($0)" }.joined() + (finding.help.map { "\n  help: \($0)" } ?? "")
  }

  /// The requests that prove a problem of several.
  private var proof: [String] { diagnostic.rule.isAboutSequences ? diagnostic.notes.map(\.message) : [] }

  static func all(in calls: [Call]) -> [ClientViolation] {
    var found = FindingAggregator<String, (diagnostic: Diagnostic, call: Call)>()
    for call in calls {
      let subject = Report.Subject(request: call.operation, call.method, call.target)
      for diagnostic in call.reply.diagnostics where diagnostic.owner == .client {
        let place = diagnostic.location?.pointer ?? ""
        found.add(
          diagnostic, about: subject, in: subject.title, variant: "\(place) \(diagnostic.wording)",
          from: (diagnostic, call))
      }
    }
    return found.entries.map {
      ClientViolation(call: $0.evidence.call, count: $0.finding.count, diagnostic: $0.evidence.diagnostic)
    }
  }
}

import UnderstudyReport

/// A problem of one or several requests.
public struct ClientViolation: Sendable, CustomStringConvertible {
  /// The problem.
  public var finding: Finding { Finding(diagnostic) }
  /// The first request that has it.
  public let call: Call
  /// The number of requests that have it.
  public let count: Int
  private let redacted: Redacted<Diagnostic>
  private var diagnostic: Diagnostic { redacted.value }
  /// The method and the path, without secrets.
  private let request: String

  /// The request, the problem and the advice.
  public var description: String {
    let subject = call.operation.map { "\(request) (\($0))" } ?? request
    return "\(subject): \(diagnostic.placedMessage)\(count > 1 ? ", in \(count) requests" : "") [\(finding.rule)]"
      + proof.map { "\n  \($0)" }.joined() + (finding.help.map { "\n  help: \($0)" } ?? "")
  }

  /// The requests that prove a problem of several.
  private var proof: [String] { diagnostic.rule.isAboutSequences ? diagnostic.notes.map(\.message) : [] }

  /// - Parameter contracts: Name what is secret: messages of tests are read by others, in the log of a job.
  static func all(in calls: [Call], of contracts: [Contract]) -> [ClientViolation] {
    var hidden = HiddenSecrets(of: calls, contracts)
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
    return found.entries.map { entry in
      let call = entry.evidence.call
      return ClientViolation(
        call: call, count: entry.finding.count, redacted: hidden.hide(entry.evidence.diagnostic),
        request: "\(call.method) \(hidden.path(of: call))")
    }
  }
}

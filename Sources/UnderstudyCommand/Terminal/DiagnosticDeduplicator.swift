import UnderstudySystem
import UnderstudyVerification

/// Selects the findings of a reload that were not reported before.
final class DiagnosticDeduplicator: Sendable {
  private let reported = Lock<Set<String>>([])

  /// The findings that are new since the last call, and the number of the others.
  func update(_ findings: [Diagnostic]) -> (new: [Diagnostic], remaining: Int) {
    let new = reported.withLock { reported in
      let new = findings.filter { !reported.contains(Self.identity(of: $0)) }
      reported = Set(findings.map(Self.identity))
      return new
    }
    return (new, findings.count - new.count)
  }

  /// Without the line, which changes when a file is edited.
  private static func identity(of finding: Diagnostic) -> String {
    let location = finding.location
    return [
      finding.rule.id, finding.severity.rawValue, location?.path ?? "", location?.pointer ?? "", finding.message,
    ].joined(separator: "\n")
  }
}

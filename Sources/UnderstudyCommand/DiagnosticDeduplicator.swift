import Synchronization
import Understudy

/// Reports the findings of files that are read again and again once each, until they are gone.
final class DiagnosticDeduplicator: Sendable {
  private let reported = Mutex<Set<String>>([])

  /// The findings that the last reading did not have, and how many it had that are still there.
  func news(of findings: [Diagnostic]) -> (new: [Diagnostic], remaining: Int) {
    let new = reported.withLock { reported in
      let new = findings.filter { !reported.contains(Self.identity(of: $0)) }
      reported = Set(findings.map(Self.identity))
      return new
    }
    return (new, findings.count - new.count)
  }

  /// Lines move while a file is edited; what is wrong with it stays the same.
  private static func identity(of finding: Diagnostic) -> String {
    let place = finding.location
    return [
      finding.rule.id, finding.severity.rawValue, place?.path ?? "", place?.pointer ?? "", finding.message,
    ].joined(separator: "\n")
  }
}

import SourceText
import Synchronization
import Understudy

/// What was told of files that are read again and again: each finding once, until it is gone.
final class ToldFindings: Sendable {
  private let told = Mutex<Set<String>>([])

  /// The findings that the last reading did not have, and how many it had that are still there.
  func news(of findings: [Diagnostic]) -> (new: [Diagnostic], remaining: Int) {
    let new = told.withLock { told in
      let new = findings.filter { !told.contains(Self.identity(of: $0)) }
      told = Set(findings.map(Self.identity))
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

import UnderstudyMock
import UnderstudySystem
import UnderstudyVerification

/// The number of requests of a session that broke the contract, by the gravest finding of each.
///
/// Findings of checks are not counted: these fail a run by themselves.
final class BrokenRequests: Sendable {
  private let counts = Lock<[Severity: Int]>([:])
  private let found = Lock<[Diagnostic]>([])
  private let checks: [ClientCheckSettings]

  init(besides checks: [ClientCheckSettings]) { self.checks = checks }

  /// The maximum number of findings about events: 1,000.
  private static let eventLimit = 1_000

  /// The findings about events of sockets. No recording has them.
  var events: [Diagnostic] { found.withLock(\.self) }

  func note(_ reply: Reply) {
    let events = reply.diagnostics.filter(\.rule.isAboutEvents)
    if !events.isEmpty { found.withLock { $0 += events.prefix(Self.eventLimit - $0.count) } }
    let broken = reply.diagnostics.filter { finding in
      finding.owner == .client && !finding.rule.isAboutSequences
        && !checks.includes(finding, of: reply.operation?.id)
    }
    .map(\.severity).max()
    if let broken { counts.withLock { $0[broken, default: 0] += 1 } }
  }

  /// The remark about requests that did not fail the run; `nil` if no request has an error or a warning.
  var remark: String? {
    let counts = counts.withLock(\.self)
    let (errors, warnings) = (counts[.error] ?? 0, counts[.warning] ?? 0)
    guard errors + warnings > 0 else { return nil }
    var parts: [String] = []
    if errors > 0 { parts.append("\(errors.counted("request")) broke the contract") }
    if warnings > 0 { parts.append("\(warnings.counted("request")) had warnings") }
    let flag = errors > 0 ? Severity.error : .warning
    return "remark: \(parts.joined(separator: ", ")): `--fail-on \(flag.rawValue)` fails the run for that\n"
  }
}

import Testing
import UnderstudyReport

struct ReportLossTests {
  /// The worst first.
  private static let rules: [Rule] = [
    .providerBasePath, .providerServerLost, .stateUseAfterDelete, .providerAuthIgnored, .responseServerError,
    .responseBodySchema, .providerInvalidAccepted, .responseStatusUndocumented, .responseHeaderMissing,
  ]

  private static func report(_ command: String) -> Report {
    let findings = rules.reversed().map { rule in
      Report.Finding(Diagnostic(rule, "A message.", severity: .error), about: Reports.subject)
    }
    return Reports.report(findings) { $0.run.command = command }
  }

  @Test func `a live run shows the worst finding first`() {
    #expect(Self.report("verify live").causes.map(\.first.rule) == Self.rules.map(\.id))
  }

  @Test func `another run shows its findings in its order`() {
    #expect(Self.report("verify fixtures").causes.map(\.first.rule) == Self.rules.reversed().map(\.id))
  }

  @Test func `a note comes after all errors`() {
    var report = Self.report("verify live")
    report.cases[0].findings[0].severity = .info
    report.cases[0].findings.append(
      Report.Finding(Diagnostic(.providerServerLost, "A message.", severity: .info), about: Reports.subject))
    #expect(report.causes.suffix(2).map(\.first.severity) == [.info, .info])
  }

  @Test func `a failure of an invalid request comes after the failures of valid ones`() {
    var findings = ["broken", "plain"].map { message in
      Report.Finding(
        Diagnostic(.responseServerError, message, severity: .error), about: Reports.subject, fingerprint: message)
    }
    findings[0].variant = Report.Variant(isOfInvalid: true)
    let report = Reports.report(findings) { $0.run.command = "verify live" }
    #expect(report.causes.map(\.first.message) == ["plain", "broken"])
  }
}

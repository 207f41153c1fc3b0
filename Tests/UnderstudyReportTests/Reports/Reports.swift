import UnderstudyReport
import UnderstudyTestSupport

/// Reports for tests.
enum Reports {
  /// The report of `Tests/Reports/sample.json`: every kind of case and finding once.
  static func sample() throws -> Report { try read(try Project.text("Tests/Reports/sample.json")) }

  static func read(_ text: String, _ path: String = "report.json") throws -> Report {
    try JSONReportReader.report(try JSONParser.parse(SourceFile(path: path, text: text)))
  }

  static let subject = Report.Subject(
    contract: "shop", operation: "getPet", method: "GET", path: "/pets/{id}", status: "200")

  /// A report with a case and some findings.
  static func report(_ findings: [Report.Finding] = [], _ change: (inout Report) -> Void = { _ in }) -> Report {
    var run = Report.Run("verify fixtures", contracts: [.init("shop.yaml")], startedAt: "2026-11-21T09:15:00.000Z")
    run.version = "0.1.0"
    var report = Report(run)
    report.cases = [Report.Case(subject, "fixture 200.json", checked: 3, findings: findings)]
    change(&report)
    return report
  }

  static func finding(
    _ message: String = "expected string, found number 7", severity: Severity = .error,
    at place: Location? = Location(path: "fixtures/shop/getPet/200.json", line: 3, column: 5, pointer: "/name"),
    notes: [Diagnostic.Note] = [], about subject: Report.Subject = subject, reproduction: String? = nil
  ) -> Report.Finding {
    var finding = Report.Finding(
      Diagnostic(.responseBodySchema, message, at: place, severity: severity, notes: notes), about: subject,
      fingerprint: Fingerprint.of([message, subject.titleWithStatus, place?.path ?? "", place?.pointer ?? ""]))
    finding.reproduction = reproduction
    return finding
  }

  /// What servers and fuzzers send: markup of every format, commands, control characters, turns of direction.
  static let hostile = [
    "]]></failure><script>alert(1)</script>", "%0A::set-output name=x::y", "\n::error::forged\r\n##[error]forged",
    "nul \0 bell \u{7} escape \u{1B}[31m", "right \u{202E}to left\u{2066}", "\u{FFFE}\u{FFFF}\u{FEFF}",
    "emoji 👩‍👩‍👧 e\u{301}",
    "| pipe `tick ``` fence\n```\n# heading @everyone #1 <img src=x onerror=alert(1)> [a](http://evil.example)",
    "\" ' & < > , : % \\ --> ?>", "${{ secrets.TOKEN }}",
  ]
}

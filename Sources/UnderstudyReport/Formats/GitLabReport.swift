/// GitLab's code quality report (a subset of Code Climate's): an array of findings with unique fingerprints.
///
/// Known findings are omitted, since GitLab shows only the findings that a merge request adds.
struct GitLabReport {
  let report: Report
  let context: ReportContext
  private static let longest = 1_000

  var text: String {
    var numbers = FingerprintNumbers()
    let entries = ReportAnchors(report).all.filter { !$0.finding.isKnown }.map { finding, place in
      entry(finding, place, number: numbers.number(of: finding.fingerprint))
    }
    return JSONWriter.text(.array(entries), .pretty) + "\n"
  }

  private func entry(_ finding: Report.Finding, _ place: Location?, number: Int) -> JSON {
    // An entry has one place, so notes with another one are left out.
    let texts = [finding.placedMessage] + finding.notes.filter { $0.location == nil }.map(\.message)
    let message = VisibleText.line(VisibleText.shortened(texts.joined(separator: "; "), to: Self.longest))
    return [
      "description": .string("\(VisibleText.line(finding.subject.titleWithStatus)): \(message)"),
      "check_name": .string(VisibleText.line(finding.rule)),
      "fingerprint": .string(finding.fingerprint + (number == 1 ? "" : "-\(number)")),
      "severity": .string(severity(finding.severity)),
      "location": [
        "path": .string(VisibleText.line(context.paths.path(place?.path ?? finding.subject.contract))),
        "lines": ["begin": .integer(max(1, place?.line ?? 1))],
      ],
    ]
  }

  private func severity(_ severity: Severity) -> String {
    switch severity {
    case .error: "major"
    case .warning: "minor"
    case .info: "info"
    }
  }
}

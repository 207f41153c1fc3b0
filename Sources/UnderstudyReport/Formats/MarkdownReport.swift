/// A summary for a pull request or a job: the verdict, counts, a table of causes, excerpts.
struct MarkdownReport {
  let report: Report
  let context: ReportContext
  /// GitHub accepts 65,536 characters in a comment.
  private static let limit = 58_000
  /// The most rows of the table.
  private static let rows = 50

  var text: String {
    var out =
      "## understudy \(MarkdownText.text(report.run.command)): \(MarkdownText.text(report.verdict(context).text))\n\n"
    out += "| checked | not validated | errors | warnings | notes | known |\n|--:|--:|--:|--:|--:|--:|\n"
    let numbers = [
      report.checked, report.unvalidated, report.count(.error), report.count(.warning), report.count(.info),
      report.known,
    ]
    out += "| \(numbers.map(String.init).joined(separator: " | ")) |\n\n"
    let tail = tail
    let causes = report.newCauses
    out += table(of: causes)
    out += coverage
    out += details(of: causes, room: Self.limit - out.utf8.count - tail.utf8.count)
    return out + tail
  }

  private func table(of causes: [Report.Cause]) -> String {
    guard !causes.isEmpty else { return "" }
    var out = "| | what | where | findings |\n|---|---|---|--:|\n"
    for cause in causes.prefix(Self.rows) {
      let finding = cause.first
      let place = finding.location?.shown ?? ""
      out += "| \(mark(finding.severity)) \(finding.severity.rawValue) "
      out += "| \(MarkdownText.text(finding.message, limit: 200))<br>\(MarkdownText.code(finding.rule)) "
      out +=
        "| \(MarkdownText.code(cause.title, limit: 120))\(place.isEmpty ? "" : "<br>\(MarkdownText.code(place, limit: 160))") "
      out += "| \(cause.count) |\n"
    }
    if causes.count > Self.rows { out += "\n\(causes.count - Self.rows) further causes are omitted.\n" }
    return out + "\n"
  }

  private func details(of causes: [Report.Cause], room: Int) -> String {
    var out = ""
    for (position, cause) in causes.enumerated() {
      let lines = FindingText().lines(cause.first).map { VisibleText.shortened($0, to: 1_000) }
      let rest = cause.findings.count > 1 ? "\(cause.findings.count - 1) more of the same cause.\n\n" : ""
      let entry = "**\(MarkdownText.text(cause.title, limit: 200))**\n\n\(MarkdownText.block(lines))\n\(rest)"
      guard out.utf8.count + entry.utf8.count < room - 200 else {
        out += "\(causes.count - position) further causes are omitted.\n\n"
        break
      }
      out += entry
    }
    return out.isEmpty ? "" : "<details><summary>Excerpts</summary>\n\n\(out)</details>\n\n"
  }

  private var coverage: String {
    report.coverage.map { MarkdownCoverage($0, isOpen: report.run.command.hasPrefix("coverage")).text } ?? ""
  }

  private var tail: String {
    var out = ""
    if !report.notValidated.isEmpty {
      out += "Not validated:\n\n"
      for item in report.notValidated.prefix(20) { out += "- \(MarkdownText.text(item.reason)): \(item.count)\n" }
      out += "\n"
    }
    for remark in report.remarks.prefix(20) { out += "> \(MarkdownText.text(remark))\n\n" }
    let known = report.run.scope.map { name, value in "\(name) \(MarkdownText.code(value))" }
    if !known.isEmpty { out += known.joined(separator: ", ") + "\n" }
    return out
  }

  private func mark(_ severity: Severity) -> String {
    switch severity {
    case .error: "🔴"
    case .warning: "🟡"
    case .info: "🔵"
    }
  }
}

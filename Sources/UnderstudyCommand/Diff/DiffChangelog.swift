import UnderstudyVerification

/// The changes of a comparison by operation, as Markdown for people.
struct DiffChangelog {
  private let report: Report

  /// The maximum length in bytes: a comment on a pull request has 65,536 characters.
  private static let maximumBytes = 60_000

  init(_ report: Report) { self.report = report }

  var text: String {
    let findings = report.findings.filter { !$0.isKnown }
    guard !findings.isEmpty else { return "No changes.\n" }
    var text = ""
    var left = findings.count
    for (title, group) in findings.grouped(by: \.subject.title) {
      let isContract = group.first?.subject.method == nil
      var section = "### \(isContract ? Self.escaped(title) : "`\(title.replacing("`", with: "'"))`")\n\n"
      for finding in group.sorted(by: { $0.severity > $1.severity }) {
        section +=
          "- \(Self.mark(finding.severity))\(finding.subject.status.map { "`\($0)`: " } ?? "")\(Self.escaped(finding.message))\(Self.uses(finding))\n"
      }
      guard text.utf8.count + section.utf8.count < Self.maximumBytes else { break }
      text += (text.isEmpty ? "" : "\n") + section
      left -= group.count
    }
    return left > 0 ? text + "\nand \(left.counted("more change"))\n" : text
  }

  private static func mark(_ severity: Severity) -> String {
    switch severity {
    case .error: "**breaking:** "
    case .warning: "**may break:** "
    case .info: ""
    }
  }

  private static func uses(_ finding: Report.Finding) -> String {
    finding.others.isEmpty ? "" : " (also \(finding.others.count.counted("other place")))"
  }

  /// The text without HTML, mentions and links; code in backticks stays.
  private static func escaped(_ text: String) -> String {
    var result = ""
    var isCode = false
    for scalar in VisibleText.line(text).unicodeScalars {
      if scalar == "`" { isCode.toggle() }
      if !isCode, "<>&@#*_[]|\\!".unicodeScalars.contains(scalar) { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}

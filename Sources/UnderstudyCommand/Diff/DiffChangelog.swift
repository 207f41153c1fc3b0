import UnderstudyVerification

/// The changes of a comparison by operation, as Markdown for people.
struct DiffChangelog {
  private let report: Report

  /// The maximum length in bytes: a comment on a pull request has at most 65,536 characters.
  private static let maximumBytes = 60_000
  /// The maximum length of a message.
  private static let maximumMessage = 500

  init(_ report: Report) { self.report = report }

  /// The operations with breaking changes come first, so that a long text ends with others.
  var text: String {
    let findings = report.findings.filter { !$0.isKnown }
    guard !findings.isEmpty else { return "No changes\(known).\n" }
    var text = "\(Self.counts(findings))\(known)\n"
    var left = findings.count
    sections: for (title, group) in sections(of: findings) {
      var isOpen = false
      for finding in group.sorted(by: { $0.severity > $1.severity }) {
        let added = (isOpen ? "" : "\n### \(title)\n\n") + Self.line(finding)
        guard text.utf8.count + added.utf8.count < Self.maximumBytes else { break sections }
        text += added
        isOpen = true
        left -= 1
      }
    }
    return left > 0 ? text + "\n... and \(left.counted("more change"))\n" : text
  }

  private var known: String { report.known > 0 ? " (\(report.known) accepted by the baseline)" : "" }

  /// `**2 breaking**, 1 that may break, 3 others`
  private static func counts(_ findings: [Report.Finding]) -> String {
    func count(_ severity: Severity) -> Int { findings.count { $0.severity == severity } }
    let parts = [
      count(.error) > 0 ? "**\(count(.error).counted("breaking change"))**" : nil,
      count(.warning) > 0 ? "\(count(.warning)) that may break" : nil,
      count(.info) > 0 ? count(.info).counted("other") : nil,
    ]
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  private func sections(of findings: [Report.Finding]) -> [(title: String, findings: [Report.Finding])] {
    let names = report.cases.map(\.subject.contract).unique()
    let groups = findings.grouped { finding in
      let subject = finding.subject
      let contract = names.count > 1 && subject.method != nil ? "\(MarkdownText.text(subject.contract)): " : ""
      return contract + (subject.method == nil ? MarkdownText.text(subject.title) : MarkdownText.code(subject.title))
    }
    return Severity.allCases.reversed().flatMap { severity in
      groups.filter { $0.elements.map(\.severity).max() == severity }.map { ($0.key, $0.elements) }
    }
  }

  private static func line(_ finding: Report.Finding) -> String {
    let status = finding.subject.status.map { "\(MarkdownText.code($0)): " } ?? ""
    let message = MarkdownText.text(finding.message, limit: maximumMessage)
    let uses = finding.others.isEmpty ? "" : " (also \(finding.others.count.counted("other place")))"
    return "- \(mark(finding.severity))\(status)\(message)\(uses)\n"
  }

  private static func mark(_ severity: Severity) -> String {
    switch severity {
    case .error: "**breaking:** "
    case .warning: "**may break:** "
    case .info: ""
    }
  }
}

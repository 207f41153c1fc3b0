/// The report for a terminal: the findings by cause, the counts and the verdict.
struct TextReport {
  let report: Report
  let context: ReportContext
  /// The most places listed for each cause.
  private static let listed = 5
  /// The most operations of a cause whose reproductions are shown; the JSON report has all.
  private static let reproduced = 3
  /// So many causes of one rule in one subject are shown as a list.
  private static let folded = 3

  var text: String {
    // What the baseline has is counted in the summary; the other formats list it.
    let groups = report.causes.filter { !$0.first.isKnown }.grouped {
      [$0.title, $0.first.rule, $0.first.severity.rawValue]
    }
    return (groups.flatMap { lines(of: $0.elements) } + summary).map { $0 + "\n" }.joined()
  }

  private var style: TerminalStyle { context.style }

  /// Folds the causes of one rule in one subject: the first in full, each other in a line, with its help if it differs.
  private func lines(of group: [Report.Cause]) -> [String] {
    guard group.count >= Self.folded, group.allSatisfy({ $0.first.reproduction == nil }) else {
      return group.flatMap(lines)
    }
    let others = group.dropFirst().flatMap { cause in
      let whole = lines(cause)
      let finding = FindingText(style: style).lines(cause.first)
      let hasHelp = cause.first.help != group[0].first.help
      let help = finding.drop { !hasHelp || !$0.hasPrefix("  \(style.bold("help:"))") }
      return finding.prefix(1) + help + whole.dropFirst(1 + finding.count).dropLast()
    }
    return lines(group[0]).dropLast() + others + [""]
  }

  private func lines(_ cause: Report.Cause) -> [String] {
    var lines = [style.bold(cause.title)]
    lines += FindingText(style: style).lines(cause.first)
    for (position, other) in cause.first.others.prefix(Self.listed).enumerated() {
      let isElsewhere = other.subject != cause.first.subject || other.place == nil
      let place = [
        isElsewhere ? VisibleText.line(other.subject.titleWithStatus) : nil, other.place.map(VisibleText.line),
      ]
      lines.append("  also: \(place.compactMap(\.self).joined(separator: " "))")
      guard position < Self.reproduced - 1, let command = other.reproduction else { continue }
      lines += FindingText.lines(ofCommand: command).map { "    " + $0 }
    }
    if cause.first.others.count > Self.listed {
      let rest = cause.first.others.dropFirst(Self.listed)
      let isOfOthers = rest.contains { $0.subject != cause.first.subject }
      lines.append("  and \(rest.count.counted(isOfOthers ? "other operation" : "other place"))")
    }
    // A place that is that of the first says nothing.
    let others = cause.findings.dropFirst().compactMap { (other) -> String? in
      let subject = other.subject == cause.first.subject ? nil : VisibleText.line(other.subject.titleWithStatus)
      let place = other.location?.shown
      let row = other.row.map(VisibleText.line)
      let words = row.map { [$0] } ?? [subject, place == cause.first.location?.shown ? nil : place].compactMap(\.self)
      return words.isEmpty ? nil : words.joined(separator: " ")
    }
    for other in others.prefix(Self.listed) { lines.append("  also: \(other)") }
    if others.count > Self.listed { lines.append("  and \(others.count - Self.listed) more of the same cause") }
    if cause.count > cause.findings.count { lines.append("  occurred \(cause.count) times") }
    return lines + [""]
  }

  private var summary: [String] {
    var lines = report.remarks.map { "remark: \(VisibleText.line($0))" }
    lines.append(report.checkedText + ", \(report.run.tookText)")
    lines.append(report.unvalidatedText)
    lines.append("found: \(report.countsText)")
    if let coverage = report.coverage, !coverage.rows.isEmpty { lines.append(Self.line(coverage)) }
    let known = report.run.scope.map { name, value in "\(name): \(VisibleText.line(value))" }
    if !known.isEmpty { lines.append(known.joined(separator: ", ")) }
    let verdict = report.verdict(context)
    lines.append("verdict: \(colored(verdict))")
    return lines
  }

  /// The shares of the run; `coverage` shows the matrix.
  private static func line(_ coverage: Coverage) -> String {
    "coverage: of \(coverage.answers.count.counted("documented answer")) \(coverage.shares(of: [.served, .asserted]))"
  }

  private func colored(_ verdict: Report.Verdict) -> String {
    let text = VisibleText.line(verdict.text)
    return switch verdict {
    case .passed: style.green(text)
    case .failed: style.red(text)
    case .incomplete, .nothingChecked: style.yellow(text)
    }
  }
}

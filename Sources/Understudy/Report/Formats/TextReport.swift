import SourceText

/// The report for a terminal: what was found, by cause, and at the end the counts and the verdict.
struct TextReport {
  private let report: Report
  private let context: ReportContext
  /// Further places of a cause that are listed; the JSON has them all.
  private static let listed = 5

  init(_ report: Report, _ context: ReportContext) {
    self.report = report
    self.context = context
  }

  var text: String {
    (report.causes.flatMap(lines) + summary).map { $0 + "\n" }.joined()
  }

  private var style: TerminalStyle { context.style }

  private func lines(_ cause: Report.Cause) -> [String] {
    var lines = [style.bold(cause.title)]
    lines += FindingText(style: style).lines(cause.first)
    let others = cause.findings.dropFirst()
    for other in others.prefix(Self.listed) {
      let subject = other.subject == cause.first.subject ? "" : VisibleText.line(other.subject.titleWithStatus) + " "
      lines.append("  also: \(subject)\(other.place?.description ?? "")")
    }
    if others.count > Self.listed { lines.append("  and \(others.count - Self.listed) more of the same cause") }
    if cause.count > cause.findings.count { lines.append("  met \(cause.count) times") }
    return lines + [""]
  }

  private var summary: [String] {
    var lines = report.remarks.map { "remark: \(VisibleText.line($0))" }
    lines.append(report.checkedText + ", \(report.run.tookText)")
    lines.append(report.unjudgedText)
    lines.append("found: \(report.countsText)")
    if let coverage = report.coverage, !coverage.rows.isEmpty { lines.append(Self.line(coverage)) }
    let run = [
      ("target", report.run.target), ("seed", report.run.seed), ("part", report.run.shard),
      ("limited to", report.run.limits),
    ]
    let known = run.compactMap { name, value in value.map { "\(name): \(VisibleText.line($0))" } }
    if !known.isEmpty { lines.append(known.joined(separator: ", ")) }
    let verdict = report.verdict(context)
    lines.append("verdict: \(colored(verdict))")
    return lines
  }

  /// What of the contract the run met; `coverage` shows the matrix.
  private static func line(_ coverage: Coverage) -> String {
    let marks = [Coverage.Mark.served, .asserted].map { mark in
      let share = coverage.share(of: mark)
      return "\(mark.rawValue) \(share.count) (\(share.percent ?? 0) %)"
    }
    return "coverage: of \(coverage.answers.count.counted("documented answer")) \(marks.joined(separator: ", "))"
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

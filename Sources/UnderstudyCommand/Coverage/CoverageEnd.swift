import Understudy

/// How a coverage leaves the command: the matrix or a report, the gates, the exit code.
struct CoverageEnd {
  let gates: [CoverageGate]
  let ignoresDeprecated: Bool
  let reporting: ReportOptions
  let common: CommonOptions

  /// Prints the coverage, holds the gates, and ends the command with 5 when one is not passed.
  func finish(_ report: Report) throws {
    var report = report
    var coverage = report.coverage ?? Coverage()
    if ignoresDeprecated { coverage = coverage.withoutDeprecated }
    let results = try results(coverage)
    report.coverage = coverage
    report.cases += CoverageCases.of(coverage, results)
    if reporting.format == .text {
      Terminal.standardOutput.write(
        CoverageMatrix(
          coverage, style: common.standardOutput, glyphs: Environment.isUnicode ? .unicode : .ascii
        ).text)
      for remark in report.remarks { Terminal.standardError.write("\(VisibleText.line(remark))\n") }
      if report.unvalidated > 0 { Terminal.standardError.write("\(report.unvalidatedText)\n") }
    }
    for (_, result) in results where !result.isPassed {
      Terminal.standardError.write("\(common.standardError.red("too low:")) \(result.sentence)\n")
      for row in result.missing { Terminal.standardError.write("  missing: \(VisibleText.line(row.title))\n") }
    }
    try reporting.finish(report, common, text: "", failure: .coverageTooLow)
  }

  /// What came of each gate, under the name that it has in reports.
  private func results(_ coverage: Coverage) throws -> [(name: String, result: CoverageGate.Evaluation)] {
    do throws(CoverageGate.Problem) {
      return try gates.map { (gate) throws(CoverageGate.Problem) in (gate.description, try gate.evaluate(coverage)) }
    } catch {
      throw CommandFailure(.usage, error.message, help: error.help)
    }
  }
}

extension Environment {
  /// Whether the locale says that the terminal shows UTF-8 (POSIX, 8.2: the first of these that is set).
  static var isUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { self[$0] }.first { !$0.isEmpty } ?? ""
    let name = locale.uppercased()
    return name.hasSuffix("UTF-8") || name.hasSuffix("UTF8")
  }
}

import ArgumentParser
import UnderstudyVerification

/// The requirements on a coverage.
struct GateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Exit with 5 below these shares of the answers: served=80,asserted=50; a number alone means served. Repeatable.",
      valueName: "mark=percent")
  )
  var minCoverage: [String] = []

  @Option(
    help: ArgumentHelp(
      "Exit with 5 unless these cells were served: 'chat/*:200,401,500'. Repeatable.", valueName: "operations:statuses")
  )
  var require: [String] = []

  @Flag(help: "Ignore deprecated operations.")
  var ignoreDeprecated = false

  func gates() throws(UsageProblem) -> [CoverageGate] {
    var gates: [CoverageGate] = []
    for text in minCoverage { gates += try CoverageGate.shares(text) }
    for text in require { gates.append(try CoverageGate(cells: text)) }
    return gates
  }

  /// Prints the coverage, evaluates the gates, and ends the command with 5 if one is not passed.
  ///
  /// - Parameter showsMatrix: Whether the matrix is printed if the format is text.
  func finish(
    _ report: Report, _ gates: [CoverageGate], _ reporting: ReportOptions, _ common: CommonOptions,
    showsMatrix: Bool = true
  ) throws {
    var report = report
    var coverage = report.coverage ?? Coverage()
    if ignoreDeprecated { coverage = coverage.withoutDeprecated }
    let results = try gates.map { (name: $0.description, result: try $0.evaluate(coverage)) }
    report.coverage = coverage
    report.cases += CoverageCases.of(coverage, results)
    if reporting.format == .text, showsMatrix {
      let glyphs: CoverageMatrix.Glyphs = Environment.isUnicode ? .unicode : .ascii
      Terminal.standardOutput.write(CoverageMatrix(coverage, style: common.standardOutput, glyphs: glyphs).text)
      for remark in report.remarks { Terminal.standardError.write("\(VisibleText.line(remark))\n") }
      if report.unvalidated > 0 { Terminal.standardError.write("\(report.unvalidatedText)\n") }
    }
    for (_, result) in results {
      for line in result.lines(common.standardError) { Terminal.standardError.write("\(line)\n") }
    }
    let isPassed = results.allSatisfy { $0.result.isPassed }
    try reporting.finish(report, common, text: "", failure: isPassed ? .findings : .coverageTooLow)
  }
}

extension Environment {
  /// Whether the locale uses UTF-8 (POSIX, 8.2: the first of these variables that is set).
  static var isUnicode: Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { self[$0] }.first { !$0.isEmpty } ?? ""
    let name = locale.uppercased()
    return name.hasSuffix("UTF-8") || name.hasSuffix("UTF8")
  }
}

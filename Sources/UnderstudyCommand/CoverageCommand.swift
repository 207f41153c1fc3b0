import ArgumentParser
import Understudy

/// `understudy coverage`: which cells have a fixture, a valid one, were served, and held.
struct CoverageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Show which operations and statuses have fixtures, were served, and kept the contract.")

  @OptionGroup var contracts: ContractOptions
  @OptionGroup var traffic: TrafficOptions

  @Option(
    help: ArgumentHelp(
      "Fail (5) below this share of answers: served=80,asserted=50; 80 alone is for served.", valueName: "mark=percent")
  )
  var minCoverage: String?

  @Option(
    help: ArgumentHelp(
      "Fail (5) unless these cells were served: 'chat/*:200,401,500'. Repeatable.", valueName: "operations:statuses"))
  var require: [String] = []

  @Flag(help: "Leave deprecated operations out.")
  var ignoreDeprecated = false

  @OptionGroup var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let configuration = try common.configuration()
    let gates = try self.gates()
    let start = ContinuousClock.now
    let startedAt = Timestamp.now()
    let engine = try TrafficRun.engine(contracts, configuration, common)
    var report = Report(
      Report.Run(
        "coverage", contracts: engine.contracts.compactMap { $0.api.files.first?.path },
        target: traffic.har.isEmpty ? nil : traffic.har.joined(separator: ", "), startedAt: startedAt))
    // What the exchanges break is for `verify` to tell; here they only leave marks.
    try traffic.judge(by: engine, .whole, into: &report)
    report.cases = []
    report.run.duration = ContinuousClock.now - start
    try CoverageEnd(
      gates: gates, ignoresDeprecated: ignoreDeprecated, reporting: reporting, common: common
    ).finish(report)
  }

  private func gates() throws -> [CoverageGate] {
    do throws(CoverageGate.Problem) {
      return try (minCoverage.map(CoverageGate.shares) ?? []) + require.map(CoverageGate.init(cells:))
    } catch {
      throw CommandFailure(.usage, error.message, help: error.help)
    }
  }
}

/// How a coverage leaves the command: the matrix, the gates, the exit code.
struct CoverageEnd {
  let gates: [CoverageGate]
  let ignoresDeprecated: Bool
  let reporting: ReportOptions
  let common: CommonOptions

  /// Prints the matrix, holds the gates, and ends the command with 5 when one is not passed.
  func finish(_ report: Report) throws {
    var coverage = report.coverage ?? Coverage()
    if ignoresDeprecated { coverage = coverage.withoutDeprecated }
    Terminal.standardOutput.write(
      CoverageMatrix(
        coverage, style: common.standardOutput, glyphs: Environment.isUnicode ? .unicode : .ascii
      ).text)
    for remark in report.remarks { Terminal.standardError.write("\(remark)\n") }
    for item in report.notJudged { Terminal.standardError.write("not judged: \(item.count) (\(item.reason))\n") }
    if let reason = report.run.abortedBecause { throw CommandFailure(.nothingChecked, reason) }
    guard !coverage.rows.isEmpty else { throw CommandFailure(.nothingChecked, "the contracts have no operations") }
    var failed = 0
    for gate in gates {
      let verdict: CoverageGate.Verdict
      do throws(CoverageGate.Problem) {
        verdict = try gate.verdict(coverage)
      } catch {
        throw CommandFailure(.usage, error.message, help: error.help)
      }
      guard !verdict.isPassed else { continue }
      failed += 1
      Terminal.standardError.write("\(common.standardError.red("too low:")) \(verdict.sentence)\n")
      for row in verdict.missing { Terminal.standardError.write("  missing: \(row.title)\n") }
    }
    if failed > 0 { throw CommandFailure(.coverageTooLow) }
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

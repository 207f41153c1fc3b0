import ArgumentParser
import Understudy

/// How a report leaves the command: what is printed, what is written to files, and what fails.
struct ReportOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The least severity that fails: error, warning or info.", valueName: "severity"))
  var failOn: Threshold = .error

  /// Prints and writes the report, and ends the command when it fails: 1 for findings, 4 where nothing was judged or the
  /// run was cut short.
  func finish(_ report: Report, _ common: CommonOptions) throws {
    if let reason = report.run.abortedBecause { throw CommandFailure(.nothingChecked, reason) }
    guard report.checked > 0 else { throw CommandFailure(.nothingChecked, "nothing was checked") }
    if report.findings.contains(where: { !$0.isKnown && $0.severity >= failOn.severity }) {
      throw CommandFailure(.findings)
    }
  }
}

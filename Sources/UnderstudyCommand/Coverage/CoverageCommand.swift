import ArgumentParser
import UnderstudyVerification

/// `understudy coverage`: the coverage of contracts.
struct CoverageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Show which operations and statuses have fixtures, were served and were valid.",
    subcommands: [CoverageShow.self, CoverageMerge.self], defaultSubcommand: CoverageShow.self)
}

/// `understudy coverage SPEC...`: the coverage of contracts, and of recordings.
struct CoverageShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show which operations and statuses have fixtures, were served and were valid.",
    usage: """
      understudy coverage [<spec> ...] [<options>]
      understudy coverage merge <file> ... [<options>]
      """)

  @OptionGroup(title: "Contracts and fixtures") var contracts: ContractOptions
  @OptionGroup(title: "Recordings") var traffic: TrafficOptions
  @OptionGroup(title: "What fails") var gates: GateOptions
  @OptionGroup(title: "Output") var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let configuration = try common.configuration()
    let gates = try self.gates.gates()
    try reporting.prepare(common)
    try reporting.spare(contracts.specs + configuration.contracts.map(\.path) + traffic.har)
    let run = Report.Run(
      "coverage", contracts: contracts.specs.map { Report.ContractFile($0) },
      target: traffic.har.isEmpty ? nil : traffic.target, startedAt: Timestamp.now())
    let report = try await reporting.attempt(run) { try await validated(run, configuration) }
    try self.gates.finish(report, gates, reporting, common)
  }

  private func validated(_ run: Report.Run, _ configuration: Configuration) async throws -> Report {
    let start = ContinuousClock.now
    let loaded = try await TrafficRun.contracts(contracts, configuration, common)
    var report = Report(run)
    report.run.contracts = loaded.map { Report.ContractFile($0) }
    // Only the marks count here; `verify` reports the findings.
    try traffic.validate(by: loaded, configuration.rules, .whole, into: &report)
    report.cases = []
    report.run.duration = ContinuousClock.now - start
    return report
  }
}

/// `understudy coverage merge FILE...`: the joint coverage of several jobs.
struct CoverageMerge: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge the coverage of several jobs, and check the gates.",
    discussion: "Reads JSON reports of `coverage --format json`, of `sweep`, and of `verify` with --har or --live.")

  @Argument(help: ArgumentHelp("Reports that `--report json=FILE` or `--format json` wrote.", valueName: "file"))
  var files: [String]

  @OptionGroup(title: "What fails") var gates: GateOptions
  @OptionGroup(title: "Output") var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let gates = try self.gates.gates()
    try reporting.prepare(common)
    try reporting.spare(files)
    let parts = try ReportParts.read(files, common)
    for part in parts where !part.hasCoverage {
      throw CommandFailure(
        .usage, "\(part.name) is a report without coverage",
        help: "`understudy coverage --format json`, `sweep`, and `verify` with --har or --live write coverage")
    }
    var report = try ReportMerger.merge(parts)
    report.run.command = "coverage"
    report.cases = []
    try self.gates.finish(report, gates, reporting, common)
  }
}

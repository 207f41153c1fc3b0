import ArgumentParser
import Understudy

/// `understudy verify`: holds fixtures, a live server or recorded traffic against contracts.
struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Hold fixtures, a live server (--live) or recorded traffic (--har) against the contracts.")

  @OptionGroup var contracts: ContractOptions
  @OptionGroup var live: LiveOptions
  @OptionGroup var traffic: TrafficOptions
  @OptionGroup var fixing: FixOptions

  @Option(
    help: ArgumentHelp("Only this part of the operations, for jobs that run side by side: 2/8.", valueName: "part"))
  var shard: String?

  @OptionGroup var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard !fixing.fix || (live.live == nil && traffic.har.isEmpty) else {
      throw ValidationError("--fix repairs fixtures, so it goes with neither --live nor --har")
    }
  }

  func run() async throws {
    let configuration = try common.configuration()
    try reporting.prepare(common)
    let report =
      if let run = try live.run(self, configuration) {
        try await run.report()
      } else if !traffic.har.isEmpty {
        try await TrafficRun(verify: self, configuration: configuration).report()
      } else {
        try await everything(configuration)
      }
    try reporting.finish(report, common)
  }

  /// Fixtures, and the server that the config file names, if it names one.
  private func everything(_ configuration: Configuration) async throws -> Report {
    let server = try live.configuredRun(self, configuration)
    var report = try await FixturesRun(verify: self, configuration: configuration).report()
    if let server { report.add(try await server.report()) }
    return report
  }

  /// The part of the operations that this run is to look at.
  func part() throws -> Shard {
    guard let shard else { return .whole }
    guard let part = Shard(shard) else {
      throw CommandFailure(
        .usage, "`--shard \(shard)` is no part", help: "expected index/count, from 1/2 and 2/2 up to 1000 parts")
    }
    return part
  }
}

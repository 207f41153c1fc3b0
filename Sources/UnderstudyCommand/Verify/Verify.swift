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
    guard live.live == nil || traffic.har.isEmpty else {
      throw ValidationError("--live and --har are two runs; `understudy report merge` joins their reports")
    }
  }

  func run() async throws {
    let configuration = try common.configuration()
    try reporting.prepare(common)
    try reporting.spare(contracts.specs.specs + configuration.contracts + traffic.har)
    let run = Report.Run("verify", contracts: contracts.specs.specs, startedAt: Timestamp.now())
    let report = try await reporting.attempt(run) { try await self.report(configuration) }
    try reporting.finish(report, common)
  }

  private func report(_ configuration: Configuration) async throws -> Report {
    let asksServer = live.live != nil || configuration.live.url != nil && traffic.har.isEmpty && takesEverything
    if !asksServer, let flag = live.given {
      throw CommandFailure(.usage, "`\(flag)` says how a server is asked, and none is", help: "name it with --live URL")
    }
    if let run = try live.run(self, configuration) { return try await run.report() }
    guard traffic.har.isEmpty else { return try await TrafficRun(verify: self, configuration: configuration).report() }
    return try await everything(configuration)
  }

  /// Whether nothing was named, so that the config file says what is looked at.
  private var takesEverything: Bool { contracts.specs.specs.isEmpty && !fixing.fix }

  /// Fixtures, and the server that the config file names, if it names one.
  private func everything(_ configuration: Configuration) async throws -> Report {
    let server = takesEverything ? try live.configuredRun(self, configuration) : nil
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

import ArgumentParser
import UnderstudyVerification

/// `understudy verify`: validates fixtures, a live server or recorded traffic.
struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Validate fixtures, a live server (--live) or recorded traffic (--har) by the contracts.")

  @OptionGroup(title: "Contracts and fixtures") var contracts: ContractOptions
  @OptionGroup(title: "Live server") var live: LiveOptions
  @OptionGroup(title: "Recordings") var traffic: TrafficOptions
  @OptionGroup(title: "Repair") var fixing: FixOptions
  @OptionGroup(title: "Many contracts") var estate: EstateOptions

  @Option(
    help: ArgumentHelp(
      "Only this part of the operations, or of the entries of recordings, for parallel jobs: 2/8.", valueName: "part"))
  var shard: String?

  @OptionGroup(title: "Output") var reporting: ReportOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard !fixing.fix || (live.live == nil && traffic.har.isEmpty) else {
      throw ValidationError("--fix repairs fixtures; remove --live and --har")
    }
    if let flag = estate.flag, live.live != nil || !traffic.har.isEmpty {
      throw ValidationError("`\(flag)` is for fixtures; remove \(live.live == nil ? "--har" : "--live")")
    }
    if let ledger = live.ledger, let report = reporting.report.first(where: { $0.path == ledger }) {
      throw ValidationError(
        "`--ledger \(ledger)` and `--report \(report.format.rawValue)=\(ledger)` are the same file")
    }
    guard live.live == nil || traffic.har.isEmpty else {
      throw ValidationError("--live and --har are separate runs; `understudy report merge` merges their reports")
    }
  }

  func run() async throws {
    let configuration = try common.configuration()
    try reporting.prepare(common)
    let inputs = contracts.specs + configuration.contracts.map(\.path) + traffic.har
    try reporting.spare(inputs)
    if let ledger = live.ledger {
      try ReportOptions.checkFolder(of: ledger, of: "`--ledger \(ledger)`")
      try reporting.spare(inputs, from: ledger, of: "`--ledger \(ledger)`")
    }
    let run = Report.Run(
      "verify", contracts: contracts.specs.map { Report.ContractFile($0) }, startedAt: Timestamp.now())
    let report = try await reporting.attempt(run) { try await self.report(configuration) }
    try reporting.finish(report, common)
  }

  private func report(_ configuration: Configuration) async throws -> Report {
    let usesServer = live.live != nil || configuration.liveURL != nil && traffic.har.isEmpty && takesEverything
    if !usesServer, let flag = live.withoutServer {
      throw CommandFailure(.usage, "`\(flag)` needs a server", help: "name it with --live URL")
    }
    if let run = try live.run(self, configuration) { return try await run.report() }
    guard traffic.har.isEmpty else { return try await TrafficRun(verify: self, configuration: configuration).report() }
    return try await everything(configuration)
  }

  /// Whether the config file determines the run.
  private var takesEverything: Bool { contracts.specs.isEmpty && !fixing.fix }

  /// Validates the fixtures, and the server of the config file, if any.
  private func everything(_ configuration: Configuration) async throws -> Report {
    let server = takesEverything ? try live.configuredRun(self, configuration) : nil
    var report = try await FixturesRun(verify: self, configuration: configuration).report()
    if let server { report.add(try await server.report()) }
    return report
  }

  /// The part of the operations in this run.
  func part() throws -> Shard {
    guard let shard else { return .whole }
    guard let part = Shard(shard) else {
      throw CommandFailure(
        .usage, "`--shard \(shard)` is not a part", help: "expected index/count, from 1/2 and 2/2 up to 1000 parts")
    }
    return part
  }
}

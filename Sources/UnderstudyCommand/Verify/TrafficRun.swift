import ArgumentParser
import SourceText
import Understudy

/// `understudy verify --har FILE`: what a client sent and what it got.
struct TrafficRun {
  let verify: Verify
  let configuration: Configuration

  func report() async throws -> Report {
    let start = ContinuousClock.now
    let startedAt = Timestamp.now()
    let engine = try Self.engine(verify.contracts, configuration, verify.common)
    let shard = try verify.part()
    var run = Report.Run(
      "verify traffic", contracts: engine.contracts.compactMap { $0.api.files.first?.path },
      target: verify.traffic.har.joined(separator: ", "), startedAt: startedAt)
    if verify.shard != nil { run.shard = shard.description }
    var report = Report(run)
    report.add(problemsOf: engine.contracts)
    try verify.traffic.judge(by: engine, shard, into: &report)
    report.run.duration = ContinuousClock.now - start
    return report
  }

  /// An engine that judges by the contracts and the rules of the configuration; ends the command when there can be none.
  static func engine(
    _ contracts: ContractOptions, _ configuration: Configuration, _ common: CommonOptions
  ) throws -> MockEngine {
    let loaded = try Loading(common: common, contracts: contracts).load(configuration, quietly: true)
    var options = MockEngine.Options()
    options.rules = configuration.rules
    options.usesBasePaths = configuration.usesBasePaths ?? true
    let engine = MockEngine(contracts: loaded, options: options)
    guard engine.diagnostics.isEmpty else {
      common.report(engine.diagnostics)
      throw CommandFailure(.usage)
    }
    return engine
  }
}

import ArgumentParser
import UnderstudyVerification

/// `understudy verify --har FILE`: validates recordings.
struct TrafficRun {
  let verify: Verify
  let configuration: Configuration

  func report() async throws -> Report {
    let start = ContinuousClock.now
    let startedAt = Timestamp.now()
    let contracts = try await Self.contracts(verify.contracts, configuration, verify.common)
    let shard = try verify.part()
    var run = Report.Run(
      "verify traffic", contracts: contracts.map { Report.ContractFile($0) },
      target: verify.traffic.target, startedAt: startedAt)
    if verify.shard != nil { run.shard = shard.description }
    var report = Report(run)
    report.add(problemsOf: contracts)
    try verify.traffic.validate(by: contracts, configuration.rules, shard, into: &report)
    report.run.duration = ContinuousClock.now - start
    return report
  }

  /// The contracts. Throws if they or the rules of the configuration contradict each other.
  static func contracts(
    _ contracts: ContractOptions, _ configuration: Configuration, _ common: CommonOptions
  ) async throws -> [Contract] {
    let loaded = try await Loading(common: common, contracts: contracts).load(configuration, quietly: true)
    let compiled = loaded.map(\.compiled)
    let problems =
      ContractConflict.names(compiled)
      + configuration.rules.unknownOperations(among: compiled.flatMap { $0.operations.map(\.id) })
    guard problems.isEmpty else {
      common.report(problems)
      throw CommandFailure(.usage)
    }
    return loaded
  }
}

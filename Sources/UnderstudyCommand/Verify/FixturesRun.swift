import NIOCore
import UnderstudyVerification

/// `understudy verify`: validates contracts, their examples and fixtures.
struct FixturesRun {
  let verify: Verify
  let configuration: Configuration

  func report() async throws -> Report {
    let startedAt = ContinuousClock.now
    let sources = try await verify.contracts.sources(configuration)
    let files = sources.map { Report.ContractFile($0) }
    var report = Report(Report.Run("verify fixtures", contracts: files, startedAt: Timestamp.now()))
    let shard = try verify.part()
    if shard != .whole { report.run.shard = shard.description }

    let verifiers = try open(sources, shard)
    if verify.fixing.fix { try await repair(verifiers) }
    let bar = ProgressBar("fixture", total: verifiers.reduce(0) { $0 + $1.count })
    for verifier in verifiers { await verifier.verify(into: &report) { bar.advance(by: $0) } }
    bar.finish()
    for verifier in verifiers { report.skipFormats(of: verifier.contract) }
    report.run.duration = ContinuousClock.now - startedAt
    return report
  }

  private func repair(_ verifiers: [FixtureVerifier]) async throws {
    var repairs: [FixtureRepair] = []
    let bar = ProgressBar("fixture", total: verifiers.reduce(0) { $0 + $1.count })
    for verifier in verifiers {
      repairs += await verifier.repairs(sortingMembers: verify.fixing.sortKeys) { bar.advance(by: $0) }
    }
    bar.finish()
    // Standard output has only the report, unless that is text.
    let isText = verify.reporting.format == .text
    try verify.fixing.apply(repairs, showing: isText ? .standardOutput : .standardError)
  }

  private func open(_ sources: [ContractSource], _ shard: Shard) throws -> [FixtureVerifier] {
    let folder = try verify.contracts.folder(configuration)
    var options = FixtureVerifier.Options()
    options.rules = configuration.rules
    options.shard = shard
    options.width = System.coreCount
    options.contracts = (sources + configuration.contracts).map(\.name)
    options.isChoice = !verify.contracts.specs.isEmpty
    var verifiers: [FixtureVerifier] = []
    for source in sources {
      let (verifier, diagnostics) = FixtureVerifier.open(source, fixtures: folder, options)
      if let verifier { verifiers.append(verifier) } else { verify.common.report(diagnostics) }
    }
    guard verifiers.count == sources.count else { throw CommandFailure(.notLoadable) }
    let problems =
      ContractConflict.names(verifiers.map(\.contract))
      + configuration.rules.unknownOperations(among: verifiers.flatMap { $0.contract.operations.map(\.id) })
    verify.common.report(problems)
    guard problems.count(.error) == 0 else { throw CommandFailure(.usage) }
    return verifiers
  }
}

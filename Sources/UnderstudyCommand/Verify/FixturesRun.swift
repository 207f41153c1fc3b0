import NIOCore
import UnderstudyVerification

/// `understudy verify`: validates contracts, their examples and fixtures, one contract after the other.
struct FixturesRun {
  let verify: Verify
  let configuration: Configuration

  func report() async throws -> Report {
    let startedAt = ContinuousClock.now
    let all = try await verify.contracts.sources(configuration)
    try requireNames(all)
    let folder = try verify.contracts.folder(configuration)
    let sources = try verify.estate.changed(all, fixtures: folder, configuration.path)
    let files = sources.map { Report.ContractFile($0) }
    var report = Report(Report.Run("verify fixtures", contracts: files, startedAt: Timestamp.now()))
    let options = try options(all)
    if options.shard != .whole { report.run.shard = options.shard.description }
    if let revision = verify.estate.changedSince {
      report.run.limits = "--changed-since \(revision)"
      report.remarks.append(
        "\(sources.count) of \(all.count.counted("contract")) changed since `\(VisibleText.line(revision))`")
    }
    if verify.fixing.fix { try await repair(sources.map { try open($0, folder, options) }) }
    try await add(sources, folder, options, to: &report)
    report.run.duration = ContinuousClock.now - startedAt
    return report
  }

  private func options(_ sources: [ContractSource]) throws -> FixtureVerifier.Options {
    var options = FixtureVerifier.Options()
    options.rules = configuration.rules
    options.shard = try verify.part()
    options.width = System.coreCount
    options.contracts = (sources + configuration.contracts).map(\.name)
    options.isChoice = !verify.contracts.specs.isEmpty
    return options
  }

  /// Validates the contracts, of which one at a time is in memory.
  private func add(
    _ sources: [ContractSource], _ folder: String, _ options: FixtureVerifier.Options, to report: inout Report
  ) async throws {
    let cache = try verify.estate.cache(settings(folder, options))
    var operations: [String] = []
    var (kept, unreadable) = (0, 0)
    let bar = sources.count > 1 ? ProgressBar("contract", total: sources.count) : nil
    for source in sources {
      if let verdict = cache?.verdict(of: source) {
        kept += 1
        operations += verdict.operations
        report.append(verdict.report)
      } else if let verdict = try await validate(source, folder, options, cache, hasBar: bar == nil) {
        operations += verdict.operations
        report.append(verdict.report)
      } else {
        unreadable += 1
      }
      bar?.advance(by: 1)
    }
    bar?.finish()
    guard unreadable == 0 else { throw CommandFailure(.notLoadable) }
    if verify.estate.changedSince == nil {
      try require(configuration.rules.unknownOperations(among: operations))
    }
    if kept > 0, let folder = verify.estate.cache {
      report.remarks.append("\(kept) of \(sources.count.counted("contract")): verdicts of \(VisibleText.line(folder))")
    }
  }

  /// Validates one contract; `nil` if it cannot be read, which is reported.
  private func validate(
    _ source: ContractSource, _ folder: String, _ options: FixtureVerifier.Options, _ cache: VerdictCache?, hasBar: Bool
  ) async throws -> VerdictCache.Verdict? {
    let (verdict, observations) = await Observations.during { () async -> VerdictCache.Verdict? in
      guard let verifier = try? open(source, folder, options) else { return nil }
      var report = Report(Report.Run("verify fixtures", contracts: [], startedAt: ""))
      let bar = hasBar ? ProgressBar("fixture", total: verifier.count) : nil
      await verifier.verify(into: &report) { bar?.advance(by: $0) }
      bar?.finish()
      report.skipFormats(of: verifier.contract)
      return VerdictCache.Verdict(report: report, operations: verifier.contract.operations.map(\.id))
    }
    if let verdict, let problem = cache?.keep(verdict, of: source, observations) {
      throw CommandFailure(
        .usage, "`--cache`: \(problem.path) cannot be written: \(problem.message)", help: problem.help)
    }
    return verdict
  }

  /// Reads a contract; throws if it cannot be read, which is reported.
  private func open(
    _ source: ContractSource, _ folder: String, _ options: FixtureVerifier.Options
  ) throws -> FixtureVerifier {
    let (verifier, diagnostics) = FixtureVerifier.open(source, fixtures: folder, options)
    guard let verifier else {
      verify.common.report(diagnostics)
      throw CommandFailure(.notLoadable)
    }
    return verifier
  }

  /// All that a verdict depends on, besides the files of its contract.
  private func settings(_ folder: String, _ options: FixtureVerifier.Options) throws -> [String] {
    let file = try configuration.path.map { path in
      try FileProblem.asFailure(.notLoadable) { () throws(FileProblem) in
        String(decoding: try FileSystem.read(path).bytes, as: UTF8.self)
      }
    }
    let contracts = verify.contracts
    return [Version.details, VerdictCache.programDigest, file ?? "", folder, "\(options.shard) \(options.isChoice)"]
      + contracts.applyOverlay + contracts.allowFiles + ["\(contracts.allowRemoteRefs)"] + options.contracts
  }

  // MARK: - Problems of the project

  /// Throws if two contracts share a name.
  private func requireNames(_ sources: [ContractSource]) throws {
    guard Set(sources.map { Array($0.name.utf8) }).count < sources.count else { return }
    let groups = sources.grouped(by: \.name).filter { $0.elements.count > 1 }
    try require(ContractConflict.names(groups.flatMap(\.elements).compactMap { CompiledContract.read($0).contract }))
  }

  private func require(_ problems: [Diagnostic]) throws {
    verify.common.report(problems)
    guard problems.count(.error) == 0 else { throw CommandFailure(.usage) }
  }

  // MARK: - Repairs

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
}

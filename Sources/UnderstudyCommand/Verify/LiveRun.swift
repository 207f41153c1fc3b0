import ArgumentParser
import UnderstudyVerification

extension Report {
  /// Appends the report of a live run.
  mutating func add(_ live: Report) {
    run.command = "verify"
    run.target = live.run.target
    run.seed = live.run.seed
    run.limits = live.run.limits
    run.duration += live.run.duration
    run.abortedBecause = run.abortedBecause ?? live.run.abortedBecause
    cases += live.cases.filter { $0.name != Case.contract }
    for reason in live.notValidated { skip(reason.reason, count: reason.count) }
    remarks += live.remarks
    coverage = live.coverage
  }
}

/// `understudy verify --live URL`: validates a running server.
struct LiveRun {
  let common: CommonOptions
  let contracts: ContractOptions
  let configuration: Configuration
  var settings: LiveSettings
  /// Certificates (PEM) that are trusted besides those of the system.
  let trusted: [UInt8]
  /// The path of a Unix domain socket; `nil` for TCP.
  let socket: String?
  let timeout: Duration
  let maximumTime: Duration?
  let pace: Pace?
  let before: String?
  let after: String?
  /// The file for the exchanges of the run; `nil` for none.
  let ledger: String?

  func report() async throws -> Report {
    let contracts = try await Loading(common: common, contracts: contracts).load(
      configuration, basePaths: settings.basePaths, quietly: true)
    let settings = try settings(for: contracts)
    var run = Report.Run(
      "verify live", contracts: contracts.map { Report.ContractFile($0) },
      target: settings.target.url, startedAt: Timestamp.now())
    run.seed = settings.seed
    if settings.shard != .whole { run.shard = settings.shard.description }
    run.limits = settings.limits
    var report = Report(run)
    report.add(problemsOf: contracts)
    report.mergeContractProblems()
    let start = ContinuousClock.now
    let client = try UpstreamClient(
      timeout: timeout, setting: "--timeout", limitsWhole: true, trusting: trusted, socket: socket)
    Terminal.standardError.write("seed \(settings.seed); \(scope(contracts, settings))\n")
    if let before, let problem = ShellCommand(text: before).problem() {
      report.run.abortedBecause = "`--before` \(problem): \(before)"
      await client.shutdown()
      return report
    }
    let interruption = Interruption()
    let deadline = deadline(from: start)
    let verifier = LiveVerifier(contracts, settings: settings, transport: paced(client.transport)) {
      interruption.reason ?? deadline()
    }
    await verifier.verify(into: &report)
    await client.shutdown()
    if let after, let problem = ShellCommand(text: after).problem() {
      report.remarks.append("`--after` \(problem): \(after)")
    }
    report.run.duration = start.duration(to: .now)
    try write(verifier.ledger, of: report.run, settings)
    return report
  }

  private func write(_ ledger: Ledger, of run: Report.Run, _ settings: LiveSettings) throws {
    guard let path = self.ledger else { return }
    var file = LedgerFile(ledger, of: run, secrets: settings.secrets)
    do throws(FileProblem) { try file.write(to: path) } catch {
      throw CommandFailure(.usage, "\(path): the ledger cannot be written: \(error.message)", help: error.help)
    }
  }

  // MARK: - Settings

  /// Adds the credentials of the environment for the schemes of the contracts. Throws if `--operation` names an unknown
  /// operation.
  private func settings(for contracts: [Contract]) throws -> LiveSettings {
    var settings = settings
    for scheme in contracts.flatMap(\.api.securitySchemes) where settings.credentials[scheme.name] == nil {
      let variable = "UNDERSTUDY_AUTH_" + Secret.variable(named: scheme.name)
      guard let value = Environment[variable], !value.isEmpty else { continue }
      settings.credentials[scheme.name] = value
      settings.secrets.append(Secret(value, variable: variable))
    }
    settings.hideHeaders(of: contracts.flatMap(\.api.securitySchemes))
    let known = contracts.flatMap(\.api.securitySchemes).map(\.name)
    for name in settings.credentials.keys.sorted() where !known.contains(name) {
      throw CommandFailure(
        .usage, "`verify: live: auth:` names the security scheme `\(name)`, which no contract has",
        help: Suggestion.help(for: name, among: known, none: "no contract has any"))
    }
    try SelectionCheck(operations: contracts.flatMap(\.api.operations)).validate(settings, configuration)
    return settings
  }

  private func scope(_ contracts: [Contract], _ settings: LiveSettings) -> String {
    let total = contracts.reduce(0) { $0 + $1.api.operations.count }
    let named = contracts.flatMap(\.api.operations).count(where: settings.selection.contains)
    return "matched \(named) of \(total.counted("operation"))"
      + (settings.shard == .whole ? "" : ", of which part \(settings.shard)")
  }

  // MARK: - Sending

  private func paced(_ transport: @escaping Transport) -> Transport {
    guard let pace else { return transport }
    return { request, body in
      try await pace.turn()
      return try await transport(request, body)
    }
  }

  private func deadline(from start: ContinuousClock.Instant) -> @Sendable () -> String? {
    guard let maximumTime else { return { nil } }
    let end = start + maximumTime
    return { ContinuousClock.now < end ? nil : "the run took longer than --max-time" }
  }
}

import NIOCore
import UnderstudyDiff
import UnderstudyVerification

/// Compares the contracts of two versions.
struct DiffRun {
  let command: DiffCommand
  let configuration: Configuration
  let levels: DiffLevels

  private struct Loaded {
    let name: String
    let old: API
    let new: API
    /// Whether no other contract has the folder of its fixtures.
    var ownsFixtures = true
  }

  func report() async throws -> Report {
    let start = ContinuousClock.now
    let before = try ContractVersion.open(command.old, beside: command.new)
    let after = try ContractVersion.open(command.new, beside: command.old)
    var run = Report.Run("diff", contracts: [], target: before.name, startedAt: Timestamp.now())
    run.contracts = [Report.ContractFile(after.localPath, name: name(of: after))]
    var report = DiffReport(run, levels, before, after)
    if before.isSame(as: after) {
      report.report.remarks.append(
        "both versions are \(VisibleText.line(after.name)): expected two, such as `HEAD:openapi.yaml` and `openapi.yaml`"
      )
    }
    switch (before.kind, after.kind) {
    case (.folder, .folder), (.absent, .folder): try await compareFolders(before, after, &report)
    case (.absent, .file):
      // The new contract must be readable all the same.
      _ = try await after.load(command, configuration)
      report.isNew(name(of: after))
    case (.folder, _), (_, .folder):
      throw CommandFailure(
        .usage, "\(before.name) and \(after.name) are a folder and a file: expected two files or two folders")
    case (_, .absent):
      throw CommandFailure(
        .notLoadable, "\(after.name) does not exist",
        help: "a removed contract is reported where two folders are compared")
    case (.file, .file):
      let new = try await after.load(command, configuration)
      let old = try await before.load(command, configuration)
      try await compare([Loaded(name: name(of: after), old: old, new: new)], &report, showsOperations: true)
    }
    report.report.run.duration = ContinuousClock.now - start
    return report.finished()
  }

  /// The name of a contract in understudy.yaml, or the name of its file.
  private func name(of version: ContractVersion) -> String {
    guard version.kind == .file, version.tree == nil else { return ContractSource.name(of: version.path) }
    return (try? command.source(version.path, configuration).name) ?? ContractSource.name(of: version.path)
  }

  // MARK: - Folders

  private func compareFolders(
    _ before: ContractVersion, _ after: ContractVersion, _ report: inout DiffReport
  ) async throws {
    if before.kind == .absent {
      report.report.remarks.append("\(before.name) does not exist: new contracts break nothing")
    }
    let pairs = ContractFolder.pairs(try ContractFolder(before), try ContractFolder(after))
    report.report.run.contracts = pairs.map { Report.ContractFile(after.file($0.name).localPath, name: $0.name) }
    let stems = Dictionary(grouping: pairs) { Path.stem(of: $0.name) }
    var loaded: [Loaded] = []
    var broken = 0
    let bar = ProgressBar("contract", total: pairs.count)
    for pair in pairs {
      defer { bar.advance() }
      guard pair.isInBoth else {
        if pair.isOld { report.removed(pair.name) } else { report.added(pair.name) }
        continue
      }
      do {
        let new = try await after.file(pair.name).load(command, configuration)
        let old = try await before.file(pair.name).load(command, configuration)
        let ownsFixtures = stems[new.name].map { $0.count == 1 } ?? true
        loaded.append(Loaded(name: pair.name, old: old, new: new, ownsFixtures: ownsFixtures))
      } catch let failure as CommandFailure where failure.code == .notLoadable {
        bar.finish()
        let help = failure.help.map { "  help: \($0)\n" } ?? ""
        Terminal.standardError.write("error: \(failure.message ?? "")\n\(help)")
        broken += 1
      }
      // Recordings need all contracts at once.
      guard command.used.isEmpty else { continue }
      try await compare(loaded, &report)
      loaded = []
    }
    bar.finish()
    guard broken == 0 else {
      throw CommandFailure(.notLoadable, "\(broken) of \(pairs.count.counted("contract")) cannot be compared")
    }
    try await compare(loaded, &report)
  }

  // MARK: - Contracts

  private func compare(
    _ contracts: [Loaded], _ report: inout DiffReport, showsOperations: Bool = false
  ) async throws {
    let prefixes = (old: command.stripPrefix.first ?? "", new: command.stripPrefix.last ?? "")
    let recorded =
      command.used.isEmpty || contracts.isEmpty
      ? nil
      : try RecordedUse(
        command.used, contracts.map { ($0.old, $0.new) }, configuration.rules, prefixes: prefixes)
    var options = ContractDiff.Options()
    options.oldPrefix = prefixes.old
    options.newPrefix = prefixes.new
    options.today = String(Timestamp.now().prefix(10))
    options.notice = NoticePeriod.days(of: command.notice)
    for (position, contract) in contracts.enumerated() {
      let diff = ContractDiff(contract.old, contract.new, options)
      let bar = ProgressBar("operation", total: showsOperations ? contract.new.operations.count : 0)
      let changes = diff.run { _ in bar.advance() }
      bar.finish()
      var use = ContractUse(contract.name, contract.old, contract.new, changes)
      use.recorded = recorded
      use.position = position
      if contract.ownsFixtures {
        use.fixtures = await OutdatedFixtures(
          in: try command.folder(configuration), old: contract.old, new: contract.new, configuration.rules,
          width: System.coreCount)
      }
      report.add(changes, use)
    }
    if let recorded { report.report.remarks.append(recorded.remark) }
  }
}

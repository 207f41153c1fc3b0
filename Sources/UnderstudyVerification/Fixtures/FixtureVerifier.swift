/// Verifies a contract, its examples and its fixtures, read a few at a time, so that memory stays bounded.
package struct FixtureVerifier: Sendable {
  package struct Options: Sendable {
    package var rules = RuleSettings()
    package var shard = Shard.whole
    package var width = 1
    /// The names of all contracts, which own the folders of fixtures; those that this run skips included. Without names,
    /// folders of other contracts are not reported.
    package var contracts: [String] = []
    /// Whether the user chose some of the contracts.
    package var isChoice = false

    package init() {}
  }

  package let contract: CompiledContract
  private let listing: FixtureListing
  private let root: String
  private let options: Options

  /// Reads a contract and lists its fixtures below `root`; `nil` when it is unusable, with the reason in the findings.
  package static func open(
    _ path: String, fixtures root: String, _ options: Options
  ) -> (verifier: FixtureVerifier?, diagnostics: [Diagnostic]) {
    open(ContractSource(path), fixtures: root, options)
  }

  /// The same for a contract with a name of its own, or from a URL.
  package static func open(
    _ source: ContractSource, fixtures root: String, _ options: Options
  ) -> (verifier: FixtureVerifier?, diagnostics: [Diagnostic]) {
    let (contract, found) = CompiledContract.read(source)
    guard let contract else { return (nil, found) }
    return (FixtureVerifier(contract, fixtures: root, options), found)
  }

  /// Lists the fixtures of a contract that was read before.
  init(_ contract: CompiledContract, fixtures root: String, _ options: Options) {
    self.contract = contract
    self.root = root
    self.options = options
    listing = FixtureListing.list(Path.join(root, contract.name), for: contract.api)
  }

  private var api: API { contract.api }

  private var folders: [(operation: CompiledOperation, folder: FixtureListing.Folder)] {
    let all = Dictionary(listing.folders.map { ($0.operation.id, $0) }, uniquingKeysWith: { first, _ in first })
    return contract.operations.compactMap { operation in all[operation.id].map { (operation, $0) } }.filter {
      options.shard.contains(contract: api.name, operation: $0.operation.id)
    }
  }

  package var count: Int { folders.reduce(0) { $0 + $1.folder.files.count } }

  /// Validates everything and adds it to a report, always in the same order; `progress` is called from any thread with
  /// the number of fixtures that are done since the last call.
  package func verify(
    into report: inout Report, progress: @escaping @Sendable (_ done: Int) -> Void = { _ in }
  ) async {
    report.cases.append(contractCase())
    let examples = ExampleVerifier(
      api: api,
      validator: ExampleValidator(
        specification: api.specification, schemas: contract.schemas, access: api.access),
      shard: options.shard)
    await Parallel.forEach(examples.work(), width: options.width, examples.batch) { report.add($1) }
    await verifyFiles(into: &report, progress)
  }

  /// Validates the files beside the contract: fixtures, collections, scenarios and events.
  func verifyFiles(into report: inout Report, _ progress: @escaping @Sendable (_ done: Int) -> Void = { _ in }) async {
    await verifyFixtures(into: &report, progress)
    report.cases += collectionCases() + scenarioCases() + socketCases(into: &report)
  }

  // MARK: - The contract

  /// The contract itself; every shard lints all of it.
  private func contractCase() -> Report.Case {
    let subject = Report.Subject(contract: api.name)
    return Report.Case(
      subject, Report.Case.contract, checked: api.operations.isEmpty ? 0 : 1,
      at: Location(path: api.root.path, line: 1),
      reporting: contract.lint() + contract.unsendableHeaders
        + (unownedFolders + listing.diagnostics).map { $0.owned(by: .fixture) })
  }

  /// Folders that belong to no contract, which are reported with the first contract.
  private var unownedFolders: [Diagnostic] {
    guard options.contracts.first?.utf8Equals(api.name) == true else { return [] }
    return UnownedFixtures.findings(in: root, owners: options.contracts, isChoice: options.isChoice)
  }

  private var resources: ResourceContract {
    ResourceContract(compiled: contract, fixtures: [:], folder: Path.join(root, api.name))
  }

  /// The descriptions of collections, in the contract and beside its fixtures.
  private func collectionCases() -> [Report.Case] {
    guard options.shard.contains(contract: api.name, operation: "") else { return [] }
    var reader = ResourceDescriptionReader(contract: resources)
    let file = reader.path
    guard file != nil || api.root[ResourceDescriptionReader.extensionName] != nil else { return [] }
    let actions = reader.actions()
    let findings = reader.diagnostics.map { finding in
      finding.owned(by: file != nil && finding.location?.path == file ? .fixture : .contract)
    }
    return [
      Report.Case(
        Report.Subject(contract: api.name), "collections", checked: actions.count + findings.count,
        at: Location(path: file ?? api.root.path, line: 1), reporting: findings)
    ]
  }

  /// The sockets of the contract, and the files of their events.
  private func socketCases(into report: inout Report) -> [Report.Case] {
    guard options.shard.contains(contract: api.name, operation: "") else { return [] }
    let sockets = SocketContract(of: contract, fixtures: resources.folder)
    guard !sockets.isEmpty else { return [] }
    let subject = Report.Subject(contract: api.name)
    var batch = CaseBatch()
    for fixture in sockets.fixtures {
      batch.add(
        sockets.verify(fixture, options.rules.validationOptions()), about: subject,
        "event \(Path.name(of: fixture.source.path))", at: Location(path: fixture.source.path, line: 1))
    }
    report.add(batch)
    return [
      Report.Case(
        subject, "sockets", checked: sockets.count + sockets.diagnostics.count,
        at: Location(path: api.root.path, line: 1), reporting: sockets.diagnostics.map { $0.owned(by: .fixture) })
    ]
  }

  /// The scenarios; they belong to no operation, so one shard has them.
  private func scenarioCases() -> [Report.Case] {
    guard options.shard.contains(contract: api.name, operation: "") else { return [] }
    let subject = Report.Subject(contract: api.name)
    let (resources, cells) = (resources, CellNames(listing))
    return ScenarioReader.files(in: MockScenario.folder(of: resources.folder)).map { path in
      var reader = ScenarioReader(resources, cells)
      let scenario = reader.read(path)
      let steps =
        scenario.map { scenario in
          (Array(scenario.sequences.values) + (scenario.invalidSequences ?? [:]).values).reduce(0) {
            $0 + $1.steps.count
          }
        } ?? 0
      let check = ScenarioContractCheck(contract: contract)
      // Those about the descriptions that it names are in a case of their own.
      let own = reader.diagnostics.filter { $0.rule != .configInvalid }
      let findings = own + (scenario?.machines.flatMap(check.findings) ?? [])
      return Report.Case(
        subject, "scenario \(Path.stem(of: path))", checked: steps + findings.count,
        at: Location(path: path, line: 1), reporting: findings.map { $0.owned(by: .fixture) })
    }
  }

  // MARK: - Fixtures

  private struct Chunk: Sendable {
    var folder: FixtureListing.Folder
    var validator: FixtureValidator
    var files: ArraySlice<String>
    var isLast: Bool
  }

  private struct Validated: Sendable {
    var batch: CaseBatch
    var outlines: [FixtureOutline]
    var bodyFiles: [String] = []
    /// The fixtures with findings that `--fix` reduces.
    var repairable = 0
  }

  private static let chunkSize = 64

  private func verifyFixtures(
    into report: inout Report, _ progress: @escaping @Sendable (Int) -> Void
  ) async {
    var outlines: [FixtureOutline] = []
    var bodyFiles: [String] = []
    var repairable = 0
    report.cases.reserveCapacity(report.cases.count + count)
    var first = report.cases.count
    await forEachChunk(progress, validate) { chunk, result in
      report.add(result.batch)
      outlines += result.outlines
      bodyFiles += result.bodyFiles
      repairable += result.repairable
      guard chunk.isLast else { return }
      let relations = FixtureRelations(
        operation: chunk.folder.operation, specification: api.specification, schemas: contract.schemas)
      relations.report(outlines, in: &report.cases[first...])
      report.cases += misplaced(in: chunk.folder, besides: bodyFiles)
      outlines = []
      bodyFiles = []
      first = report.cases.count
    }
    guard repairable > 0 else { return }
    report.remarks.append("\(repairable.counted("fixture")) of \(api.name) can be repaired: `understudy verify --fix`")
  }

  private func misplaced(in folder: FixtureListing.Folder, besides bodyFiles: [String]) -> [Report.Case] {
    let subject = Report.Subject(contract: api.name, folder.operation)
    return folder.misplaced(besides: bodyFiles).map { found in
      let path = found.location?.path ?? folder.path
      return Report.Case(
        subject, "fixture \(path.dropFirst(folder.path.count + 1))", checked: 1, at: Location(path: path, line: 1),
        reporting: [found.owned(by: .fixture)])
    }
  }

  /// Runs `body` for all fixtures, chunk by chunk and in parallel; `consume` gets the results in order.
  private func forEachChunk<Result: Sendable>(
    _ progress: @escaping @Sendable (Int) -> Void, _ body: @escaping @Sendable (Chunk) -> Result,
    inOrder consume: (Chunk, Result) -> Void
  ) async {
    var chunks: [Chunk] = []
    for (operation, folder) in folders {
      let validator = FixtureValidator(operation, options.rules.validationOptions(for: operation.id))
      // A folder without fixtures may have misplaced ones.
      for start in stride(from: 0, to: max(folder.files.count, 1), by: Self.chunkSize) {
        let end = min(start + Self.chunkSize, folder.files.count)
        chunks.append(
          Chunk(
            folder: folder, validator: validator, files: folder.files[start..<end], isLast: end == folder.files.count))
      }
    }
    await Parallel.forEach(
      chunks, width: options.width,
      { chunk in
        let result = body(chunk)
        progress(chunk.files.count)
        return result
      }, inOrder: consume)
  }

  private func validate(_ chunk: Chunk) -> Validated {
    var validated = Validated(batch: CaseBatch(), outlines: [])
    for file in chunk.files {
      let reading = chunk.folder.read(file)
      if let bodyFile = reading.bodyFile { validated.bodyFiles.append(bodyFile) }
      let status = FixtureFileName(file)?.status.description
      let subject = Report.Subject(contract: api.name, chunk.folder.operation, status: status)
      var result = ValidationResult()
      if let fixture = reading.fixture {
        result = chunk.validator.validate(fixture, reading: reading.diagnostics)
        if !result.findings.isEmpty, fixture.node == nil,
          repairer(for: chunk, sortingMembers: false).repair(fixture) != nil
        {
          validated.repairable += 1
        }
        validated.outlines.append(FixtureOutline(fixture))
      } else {
        result.checked = 1
        result.findings = reading.diagnostics.map { $0.owned(by: .fixture) }
      }
      validated.batch.add(
        result, about: subject, "fixture \(chunk.folder.title(of: file))", at: chunk.folder.location(of: file))
    }
    return validated
  }

  /// The safe repairs of the fixtures, in the order of the report.
  package func repairs(
    sortingMembers: Bool, progress: @escaping @Sendable (_ done: Int) -> Void = { _ in }
  ) async -> [FixtureRepair] {
    var repairs: [FixtureRepair] = []
    await forEachChunk(progress) { chunk -> [FixtureRepair] in
      let repairer = repairer(for: chunk, sortingMembers: sortingMembers)
      return chunk.files.compactMap { file -> FixtureRepair? in
        let reading = chunk.folder.read(file)
        guard let fixture = reading.fixture, fixture.node == nil,
          sortingMembers || chunk.validator.findings(of: reading) != 0
        else { return nil }
        return repairer.repair(fixture)
      }
    } inOrder: {
      repairs += $1
    }
    return repairs
  }

  private func repairer(for chunk: Chunk, sortingMembers: Bool) -> FixtureRepairer {
    FixtureRepairer(
      operation: chunk.folder.operation, schemas: contract.schemas, sortsMembers: sortingMembers,
      findings: { chunk.validator.findings(of: chunk.folder.read($0)) })
  }
}

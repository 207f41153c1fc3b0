import JSONSchema

/// Holds a contract, its examples and its fixtures against each other, without a server.
///
/// Fixtures are read, validated and dropped a few at a time, so that a folder of many thousand needs no more memory than a
/// small one, but for what the report says of each.
package struct FixtureVerifier: Sendable {
  package struct Options: Sendable {
    package var rules = RuleSettings()
    package var shard = Shard.whole
    /// How much is done side by side.
    package var width = 1
    /// The names of all contracts of the run, so that a folder of one is not taken for a misspelt other.
    package var contracts: [String] = []

    package init() {}
  }

  package let contract: CompiledContract
  private let listing: FixtureListing
  private let root: String
  private let options: Options

  /// Reads a contract and lists its fixtures below `root`; `nil` when it cannot be read at all, and the findings say why.
  package static func open(
    _ path: String, fixtures root: String, _ options: Options
  ) -> (verifier: FixtureVerifier?, diagnostics: [Diagnostic]) {
    let (contract, found) = CompiledContract.read(path)
    guard let contract else { return (nil, found) }
    let listing = FixtureListing.list(Path.join(root, contract.name), for: contract.api)
    return (FixtureVerifier(contract: contract, listing: listing, root: root, options: options), found)
  }

  private var api: API { contract.api }

  private var folders: [(operation: CompiledOperation, folder: FixtureListing.Folder)] {
    let all = Dictionary(listing.folders.map { ($0.operation.id, $0) }, uniquingKeysWith: { first, _ in first })
    return contract.operations.compactMap { operation in all[operation.id].map { (operation, $0) } }.filter {
      options.shard.contains(contract: api.name, operation: $0.operation.id)
    }
  }

  /// How many fixtures there are in this part.
  package var count: Int { folders.reduce(0) { $0 + $1.folder.files.count } }

  /// Validates everything and adds it to a report, always in the same order.
  ///
  /// `progress` is told how many fixtures more are done; from any thread.
  package func verify(
    into report: inout Report, progress: @escaping @Sendable (_ done: Int) -> Void = { _ in }
  ) async {
    report.cases.append(contractCase())
    let examples = ExampleVerifier(
      api: api, validator: ExampleValidator(specification: api.specification, schemas: contract.schemas),
      shard: options.shard)
    await Parallel.forEach(examples.work(), width: options.width, examples.batch) { report.add($1) }
    await verifyFixtures(into: &report, progress)
    report.cases += scenarioCases()
  }

  // MARK: - The contract

  /// The contract by itself; every part of a divided run looks at all of it.
  private func contractCase() -> Report.Case {
    let subject = Report.Subject(contract: api.name)
    return Report.Case(
      subject, Report.Case.contract, checked: api.operations.isEmpty ? 0 : 1,
      at: Report.Place(file: api.root.path, line: 1),
      reporting: contract.lint() + (misspeltFolders + listing.diagnostics).map { $0.owned(by: .fixture) })
  }

  /// Folders beside the contract's own that have nearly its name, and no other contract's.
  private var misspeltFolders: [Diagnostic] {
    let names = options.contracts.isEmpty ? [api.name] : options.contracts
    let folders = ((try? FileSystem.list(root)) ?? []).filter(\.isFolder).map(\.name)
    return folders.filter { folder in !names.contains { $0.utf8Equals(folder) } }.compactMap { folder in
      guard let nearest = Suggestion.nearest(to: folder, among: names), nearest.utf8Equals(api.name) else { return nil }
      return Diagnostic(
        .fixtureContractUnknown, "no contract of this run is called `\(folder)`, so its fixtures are not read",
        at: Location(path: Path.join(root, folder)), help: "did you mean `\(nearest)`?")
    }
  }

  /// What sequences name, against what there is. They belong to no operation, so one part of a divided run has them.
  private func scenarioCases() -> [Report.Case] {
    guard options.shard.contains(contract: api.name, operation: "") else { return [] }
    let subject = Report.Subject(contract: api.name)
    return ScenarioReader.files(in: MockScenario.folder(of: Path.join(root, api.name))).map { path in
      var reader = ScenarioReader(api, listing)
      let steps = reader.read(path)?.sequences.values.reduce(0) { $0 + $1.count } ?? 0
      return Report.Case(
        subject, "scenario \(Path.stem(of: path))", checked: steps + reader.diagnostics.count,
        at: Report.Place(file: path, line: 1),
        reporting: reader.diagnostics.map { $0.owned(by: .fixture) })
    }
  }

  // MARK: - Fixtures

  /// Some files of one folder.
  struct Chunk: Sendable {
    var folder: FixtureListing.Folder
    var validator: FixtureValidator
    var files: ArraySlice<String>
    var isLast: Bool
  }

  private struct Validated: Sendable {
    var batch: CaseBatch
    var outlines: [FixtureOutline]
    var bodyFiles: [String] = []
  }

  private static let chunkSize = 64

  private func verifyFixtures(
    into report: inout Report, _ progress: @escaping @Sendable (Int) -> Void
  ) async {
    var outlines: [FixtureOutline] = []
    var bodyFiles: [String] = []
    report.cases.reserveCapacity(report.cases.count + count)
    var first = report.cases.count
    await forEachChunk(progress, validate) { chunk, result in
      report.add(result.batch)
      outlines += result.outlines
      bodyFiles += result.bodyFiles
      guard chunk.isLast else { return }
      let relations = FixtureRelations(
        operation: chunk.folder.operation, specification: api.specification, schemas: contract.schemas)
      relations.tell(outlines, in: &report.cases[first...])
      report.cases += misplaced(in: chunk.folder, besides: bodyFiles)
      outlines = []
      bodyFiles = []
      first = report.cases.count
    }
  }

  private func misplaced(in folder: FixtureListing.Folder, besides bodyFiles: [String]) -> [Report.Case] {
    let subject = Report.Subject(contract: api.name, folder.operation)
    return folder.misplaced(besides: bodyFiles).map { found in
      let path = found.location?.path ?? folder.path
      return Report.Case(
        subject, "fixture \(path.dropFirst(folder.path.count + 1))", checked: 1, at: Report.Place(file: path, line: 1),
        reporting: [found.owned(by: .fixture)])
    }
  }

  /// Does something with all fixtures, chunk by chunk and side by side; the results come in order.
  func forEachChunk<Result: Sendable>(
    _ progress: @escaping @Sendable (Int) -> Void, _ body: @escaping @Sendable (Chunk) -> Result,
    inOrder consume: (Chunk, Result) -> Void
  ) async {
    var chunks: [Chunk] = []
    for (operation, folder) in folders {
      let validator = FixtureValidator(operation, options.rules.validationOptions(for: operation.id))
      // An empty folder may still hold what is misplaced.
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
      validated.bodyFiles += reading.bodyFile.map { [$0] } ?? []
      let status = FixtureFileName(file)?.status.description
      let subject = Report.Subject(contract: api.name, chunk.folder.operation, status: status)
      var result = ValidationResult()
      if let fixture = reading.fixture {
        result = chunk.validator.validate(fixture, told: reading.diagnostics)
        validated.outlines.append(FixtureOutline(fixture))
      } else {
        result.checked = 1
        result.findings = reading.diagnostics.map { $0.owned(by: .fixture) }
      }
      validated.batch.add(
        result, about: subject, "fixture \(file)",
        at: Report.Place(file: Path.join(chunk.folder.path, file), line: 1))
    }
    return validated
  }
}

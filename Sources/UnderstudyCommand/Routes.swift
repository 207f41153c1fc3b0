import ArgumentParser
import UnderstudyVerification

/// `understudy routes SPEC...`: lists every cell with the place of its fixtures and its answer.
struct Routes: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "routes",
    abstract: "List operations and statuses, the places of their fixtures, and their answers.")

  @OptionGroup var contracts: ContractOptions

  @Option(help: ArgumentHelp("text or json.", valueName: "format"))
  var format: OutputFormat = .text

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let configuration = try common.configuration()
    let loaded = try await Loading(common: common, contracts: contracts).load(configuration)
    common.report(ContractConflict.all(among: loaded.map(\.compiled)))
    switch format {
    case .json: Terminal.standardOutput.write(JSONWriter.text(RouteListing.json(loaded), .pretty) + "\n")
    case .text: Terminal.standardOutput.write(RouteListing.text(loaded, style: common.standardOutput))
    }
  }
}

extension Report {
  /// Adds the errors of contracts that are used despite them, because they make the validation incomplete.
  mutating func add(problemsOf contracts: [Contract]) {
    for contract in contracts {
      skipFormats(of: contract.compiled)
      let subject = Subject(contract: contract.api.name)
      let errors = contract.diagnostics.filter { $0.severity == .error && $0.owner == .contract }
      guard !errors.isEmpty else { continue }
      cases.append(Case(subject, Case.contract, checked: errors.count, reporting: errors))
    }
  }
}

extension Report {
  /// Counts the formats that are not asserted.
  mutating func skipFormats(of contract: CompiledContract) {
    let count = contract.annotatedFormatCount
    guard count > 0 else { return }
    skip(
      "the `format` of a schema, an annotation (JSON Schema 2020-12, 7.2.1; `formats: assert` asserts it)", count: count
    )
  }
}

/// Loads the contracts of a command and reports their errors.
struct Loading {
  let common: CommonOptions
  let contracts: ContractOptions

  /// Throws if a contract cannot be used.
  /// - Parameter basePaths: The base paths of operations, by default those of the configuration.
  func load(
    _ configuration: Configuration, basePaths: BasePathPolicy? = nil, quietly: Bool = false
  ) async throws -> [Contract] {
    let sources = try await contracts.sources(configuration)
    let folder = try contracts.folder(configuration)
    var result: [Contract] = []
    for source in sources {
      let (contract, diagnostics) = Contract.load(
        source, fixtures: folder, basePaths: basePaths ?? configuration.basePaths())
      let shown = diagnostics.filter { contract == nil || $0.severity == .error }
      if !quietly || contract == nil { common.report(shown) }
      guard let contract else {
        throw CommandFailure(
          .notLoadable, "\(source.path) cannot be used",
          help: source.isRemote || FileSystem.exists(source.path)
            ? "`understudy lint \(source.path)` checks it again"
            : UnderstudyCommand.suggestion(for: CommandLine.arguments.dropFirst()))
      }
      result.append(contract)
    }
    return result
  }
}

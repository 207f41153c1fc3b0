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

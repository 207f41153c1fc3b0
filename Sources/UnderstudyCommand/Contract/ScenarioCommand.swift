import ArgumentParser
import UnderstudyVerification

/// `understudy scenario`: shows scenarios.
struct ScenarioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario", abstract: "Show a scenario: its sequences, its machines and their states.",
    subcommands: [ScenarioShow.self, ScenarioList.self])
}

/// `understudy scenario list`
struct ScenarioList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the scenarios of the contracts.")

  @OptionGroup var contracts: ContractOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    for contract in try await LoadedScenarios.contracts(contracts, common) {
      if contract.scenarios.isEmpty {
        Terminal.standardError.write("no scenarios in \(contract.fixtures.folder)/_scenarios\n")
      }
      for reading in contract.scenarios {
        let summary = reading.scenario?.summary.map { ": \($0)" } ?? ""
        Terminal.standardOutput.write("\(contract.name)/\(reading.name)\(summary)\n")
      }
    }
  }
}

/// `understudy scenario show NAME`
struct ScenarioShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print a scenario as text, or its machines as Mermaid diagrams.")

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, mermaid }

  @Argument(help: ArgumentHelp("The file's name without extension.", valueName: "name"))
  var name: String

  @OptionGroup var contracts: ContractOptions

  @Option(help: ArgumentHelp("text or mermaid.", valueName: "format"))
  var format: Format = .text

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let loaded = try await LoadedScenarios.contracts(contracts, common)
    let readings = loaded.flatMap(\.scenarios).filter { $0.name.utf8Equals(name) }
    let problems = readings.flatMap(\.diagnostics)
    common.report(problems)
    let scenarios = readings.compactMap(\.scenario)
    guard !scenarios.isEmpty else {
      guard let problem = MockScenario.problems(of: name, loaded).first, problems.isEmpty else {
        throw CommandFailure(.findings)
      }
      throw CommandFailure(.usage, problem.message, help: problem.help)
    }
    for scenario in scenarios {
      let outline = ScenarioOutline(scenario)
      if format == .mermaid, scenario.machines.isEmpty {
        throw CommandFailure(
          .usage, "the scenario `\(name)` has no machine to draw", help: "`--format text` prints its sequences")
      }
      Terminal.standardOutput.write(format == .text ? outline.text : outline.mermaid)
    }
    if problems.count(.error) > 0 { throw CommandFailure(.findings) }
  }
}

/// The contracts whose scenarios are shown.
private enum LoadedScenarios {
  static func contracts(_ options: ContractOptions, _ common: CommonOptions) async throws -> [Contract] {
    let configuration = try common.configuration()
    let folder = try options.folder(configuration)
    return try await options.sources(configuration).map { source in
      let (contract, diagnostics) = Contract.load(source, fixtures: folder)
      guard let contract else {
        common.report(diagnostics)
        throw CommandFailure(.notLoadable)
      }
      return contract
    }
  }
}

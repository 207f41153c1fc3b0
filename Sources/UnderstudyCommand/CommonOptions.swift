import ArgumentParser
import Understudy

/// How a subcommand speaks to people.
struct TerminalOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Colours: auto, always or never. NO_COLOR is obeyed.", valueName: "when"))
  var color: ColorChoice = .auto

  var standardError: TerminalStyle { Terminal.standardError.style(color) }
  var standardOutput: TerminalStyle { Terminal.standardOutput.style(color) }

  /// Prints findings to standard error.
  func report(_ diagnostics: [Diagnostic]) {
    let printer = DiagnosticPrinter(style: standardError)
    for diagnostic in diagnostics { Terminal.standardError.write(printer.text(diagnostic)) }
  }
}

/// Options of every subcommand that a config file has a say in.
struct CommonOptions: ParsableArguments {
  @OptionGroup var terminal: TerminalOptions

  @Option(
    help: ArgumentHelp("Use this config file instead of the understudy.yaml found upward from here.", valueName: "file")
  )
  var config: String?

  var standardError: TerminalStyle { terminal.standardError }
  var standardOutput: TerminalStyle { terminal.standardOutput }

  /// Prints findings to standard error.
  func report(_ diagnostics: [Diagnostic]) { terminal.report(diagnostics) }

  /// The config file that holds here; ends the command when it says something that cannot stand.
  func configuration() throws -> Configuration {
    let (configuration, diagnostics) = Configuration.find(named: config)
    report(diagnostics)
    guard diagnostics.count(.error) == 0 else { throw CommandFailure(.usage) }
    return configuration
  }
}

/// Which contracts to use.
struct SpecOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Contracts: Swagger 2.0 or OpenAPI 3.x, YAML or JSON. Without any, those of understudy.yaml.", valueName: "spec"))
  var specs: [String] = []

  /// The contracts to use, from the command line or the config file; ends the command when there are none.
  func paths(_ configuration: Configuration) throws -> [String] {
    let paths = specs.isEmpty ? configuration.contracts : specs
    guard !paths.isEmpty else {
      throw CommandFailure(
        .usage, "no contract was named",
        help: "name it behind the command, or list it in understudy.yaml")
    }
    return paths
  }

}

/// Which contracts to use, and where their fixtures are.
struct ContractOptions: ParsableArguments {
  @OptionGroup var specs: SpecOptions

  @Option(
    help: ArgumentHelp(
      "The folder that holds one folder of fixtures per contract. (default: fixtures)", valueName: "folder"))
  var fixtures: String?

  /// The folder of fixtures; ends the command when one was named that is not there. The default one need not exist.
  func folder(_ configuration: Configuration) throws -> String {
    guard let named = Setting("fixtures", flag: fixtures, "UNDERSTUDY_FIXTURES", configuration.fixtures) else {
      return "fixtures"
    }
    let path = named.text
    guard !FileSystem.isFolder(path) else { return path }
    let above = Path.folder(of: path)
    let siblings = ((try? FileSystem.list(above.isEmpty ? "." : above)) ?? []).filter(\.isFolder).map(\.name)
    throw CommandFailure(
      .usage,
      "the folder of \(named.phrase) \(FileSystem.exists(path) ? "is a file" : "does not exist"): \(path)",
      help: Suggestion.nearest(to: Path.name(of: path), among: siblings).map {
        "did you mean `\(Path.join(above, $0))`?"
      } ?? "`understudy init` writes the first fixtures; without a folder of that name, leave the setting out")
  }
}

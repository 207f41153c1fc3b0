import ArgumentParser
import UnderstudyVerification

/// Options of the output to the terminal.
///
/// A protocol, and not a group within the groups of others: in a debug build ArgumentParser validates a group some times for
/// each group around it.
protocol TerminalReporting {
  var color: ColorChoice { get }
}

extension TerminalReporting {
  var standardError: TerminalStyle { Terminal.standardError.style(color) }
  var standardOutput: TerminalStyle { Terminal.standardOutput.style(color) }

  /// Prints findings to standard error.
  func report(_ diagnostics: [Diagnostic]) {
    let printer = DiagnosticPrinter(style: standardError)
    for diagnostic in diagnostics { Terminal.standardError.write(printer.text(diagnostic)) }
  }
}

extension ArgumentHelp {
  static let color = ArgumentHelp("Colours: auto, always or never. NO_COLOR is obeyed.", valueName: "when")
  static let failOn = ArgumentHelp(
    "The lowest severity that fails: error, warning or info; any is info.", valueName: "severity")
  static let specs = ArgumentHelp(
    """
    Contracts: Swagger 2.0 or OpenAPI 3.x, YAML or JSON: files, URLs, or the page of a Swagger UI or Redoc. Without any, \
    those of understudy.yaml.
    """, valueName: "spec")
  static let applyOverlay = ArgumentHelp(
    "Change the contracts by this OpenAPI Overlay, a file or a URL, before they are used. Repeatable, in order.",
    valueName: "file")
  static let remoteRefs: ArgumentHelp = "Also fetch the documents on other hosts that contracts refer to."
}

/// The output of a subcommand that reads no config file.
struct TerminalOptions: ParsableArguments, TerminalReporting {
  @Option(help: .color) var color: ColorChoice = .auto
}

/// Options of every subcommand that reads a config file.
struct CommonOptions: ParsableArguments, TerminalReporting {
  @Option(help: .color) var color: ColorChoice = .auto

  @Option(\.config, value: "file", help: "Use this config file instead of the nearest understudy.yaml.")
  var config: String?

  /// The settings of the config file. Throws if it has errors.
  func configuration() throws -> Configuration {
    let (configuration, diagnostics) = Configuration.find(named: config)
    report(diagnostics)
    guard diagnostics.count(.error) == 0 else { throw CommandFailure(.usage) }
    return configuration
  }
}

/// Contracts that are named on the command line.
protocol ContractNaming {
  var specs: [String] { get }
  var applyOverlay: [String] { get }
  var allowRemoteRefs: Bool { get }
  var allowFiles: [String] { get }
  /// The folder of fixtures that the command line names.
  var fixtures: String? { get }
}

extension ContractNaming {
  /// The contracts of the command line or the config file; URLs are fetched. Throws if there are none, or if one cannot be
  /// fetched.
  ///
  /// - Parameter routes: Routes of the command line, which are served after the contracts.
  func sources(
    _ configuration: Configuration, trust: TrustOptions? = nil, besides routes: ContractSource? = nil
  ) async throws -> [ContractSource] {
    // A contract on the command line keeps its name of the config file.
    let named = specs.map { spec in
      configuration.contracts.first { $0.path.utf8.elementsEqual(spec.utf8) || FileSystem.isSame($0.path, spec) }
        .map { ContractSource(spec, name: $0.name, reading: $0.reading) }
        ?? ContractSource(spec, reading: configuration.reading)
    }
    let sources = (named.isEmpty ? configuration.contracts : named) + [routes].compactMap(\.self)
    guard !sources.isEmpty else {
      throw CommandFailure(
        .usage, "no contract is named",
        help: NearbyContracts.help() ?? "name it after the command, or list it in understudy.yaml")
    }
    return try await ContractFetcher.fetched(
      try granted(sources, configuration), allowsOtherHosts: allowRemoteRefs, trust)
  }

  /// The contracts with the overlays of the options, which may name the files of the options, of the environment and of a
  /// named folder of fixtures.
  func granted(_ sources: [ContractSource], _ configuration: Configuration) throws -> [ContractSource] {
    let access = try AllowedFiles.access(flags: allowFiles)
    let fixtures = namedFixtures(configuration)
    return sources.map { source in
      var source = source.withFixtures(in: fixtures?.text)
      source.reading.access.formUnion(access)
      if !source.isInMemory { source.reading.overlays.files += applyOverlay }
      return source
    }.sharingOverlays
  }

  /// The command that checks a contract with the overlays of the command line.
  func lintCommand(_ source: ContractSource) -> String {
    let word = ShellQuoting().word
    return "understudy lint \(source.path)" + applyOverlay.map { " --apply-overlay \(word($0))" }.joined()
  }

  /// The fixtures folder of the command line, the environment or the config file.
  func namedFixtures(_ configuration: Configuration) -> Setting? {
    Setting(\.fixtures, flag: fixtures, configuration)
  }

  /// The folder of fixtures. Throws if a named folder does not exist. The default one need not exist.
  func folder(_ configuration: Configuration) throws -> String {
    guard let named = namedFixtures(configuration) else {
      return "fixtures"
    }
    let path = named.text
    if FileSystem.isFolder(path) { return path }
    let above = Path.folder(of: path)
    let siblings = ((try? FileSystem.list(above.isEmpty ? "." : above)) ?? []).filter(\.isFolder).map(\.name)
    throw CommandFailure(
      .usage,
      "the folder of \(named.phrase) \(FileSystem.exists(path) ? "is a file" : "does not exist"): \(path)",
      help: Suggestion.nearest(to: Path.name(of: path), among: siblings).map {
        "did you mean `\(Path.join(above, $0))`?"
      } ?? "`understudy init` writes the first fixtures; without fixtures, remove the setting")
  }
}

extension ContractSource {
  /// Whether it is fetched once, at the start, as a whole or in part.
  var isFetched: Bool { isRemote || !reading.overlays.remoteFiles.isEmpty }
}

extension [ContractSource] {
  /// The contracts, each of which knows the others, so that `extends` of an overlay can select one.
  var sharingOverlays: [ContractSource] {
    let paths = filter { !$0.isInMemory }.map(\.path)
    return map { source in
      var source = source
      if !source.reading.overlays.files.isEmpty { source.reading.overlays.contracts = paths }
      return source
    }
  }
}

/// The contracts.
struct SpecOptions: ParsableArguments, ContractNaming {
  @Argument(help: .specs) var specs: [String] = []
  @Option(help: .applyOverlay) var applyOverlay: [String] = []
  @Flag(help: .remoteRefs) var allowRemoteRefs = false
  @Option(\.allowFiles, value: "folder", help: AllowedFiles.help) var allowFiles: [String] = []

  var fixtures: String? { nil }
}

/// The contracts and the folder of their fixtures.
struct ContractOptions: ParsableArguments, ContractNaming {
  @Argument(help: .specs) var specs: [String] = []
  @Option(help: .applyOverlay) var applyOverlay: [String] = []
  @Flag(help: .remoteRefs) var allowRemoteRefs = false
  @Option(\.allowFiles, value: "folder", help: AllowedFiles.help) var allowFiles: [String] = []

  @Option(
    \.fixtures, value: "folder",
    help: "The folder with one folder of fixtures for each contract. (default: fixtures)")
  var fixtures: String?

  /// Those of the command line, each with a blank before it, for a command that a message proposes.
  var arguments: String {
    let word = ShellQuoting().word
    let overlays = applyOverlay.map { " --apply-overlay \(word($0))" }.joined()
    return specs.map { " " + word($0) }.joined() + overlays + (fixtures.map { " --fixtures \(word($0))" } ?? "")
  }
}

import ArgumentParser
import UnderstudyVerification

/// `understudy init SPEC`: writes a config file and a fixture for every cell.
struct Init: AsyncParsableCommand, ContractNaming {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write understudy.yaml and one fixture for each cell, from examples or samples; nothing is overwritten.")

  @Argument(
    help: ArgumentHelp("Contracts: Swagger 2.0 or OpenAPI 3.x, YAML or JSON: files or URLs.", valueName: "spec"))
  var specs: [String]

  @Option(help: .applyOverlay) var applyOverlay: [String] = []

  @Flag(help: "Also fetch the documents on other hosts that contracts refer to.")
  var allowRemoteRefs = false

  @Option(\.allowFiles, value: "folder", help: AllowedFiles.help) var allowFiles: [String] = []

  @Option(
    help: ArgumentHelp(
      "The folder for fixtures. (default: that of understudy.yaml, else fixtures)", valueName: "folder"))
  var fixtures: String?

  @Option(help: ArgumentHelp("Seeds the samples: the same seed gives the same bytes.", valueName: "text"))
  var seed = "0"

  @Flag(help: "Show what would be written, and write nothing.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "Only the summary.")
  var quiet = false

  @OptionGroup var common: CommonOptions

  /// The files that are named one by one.
  private static let limit = 20

  func run() async throws {
    for spec in specs {
      guard !FileSystem.exists(spec) || FileSystem.isRegular(spec) || FileSystem.isFolder(spec) else {
        throw CommandFailure(
          .usage, "\(spec) no longer exists when this command ends, so understudy.yaml cannot name it",
          help: "name a file or a URL; `understudy fetch URL` saves a contract")
      }
    }
    var project = try ProjectFile(common)
    let folder = namedFixtures(project.configuration)?.text ?? "fixtures"
    var writer = Scaffold(folder: folder, isDry: dryRun)
    let named = try granted(project.named(specs), project.configuration)
    for source in try await ContractFetcher.fetched(named, allowsOtherHosts: allowRemoteRefs, nil) {
      let (contract, diagnostics) = Contract.load(source, fixtures: folder)
      guard let contract else {
        common.report(diagnostics)
        throw CommandFailure(
          .notLoadable, "\(source.path) cannot be used",
          help: source.isRemote || FileSystem.exists(source.path)
            ? "`understudy lint \(ShellQuoting().word(source.path))` checks it again" : nil)
      }
      project.add(source)
      writer.fixtures(of: contract, seed: seed)
    }
    writer.configuration(project)
    for note in project.notes { Terminal.standardError.write("\(note)\n") }
    let style = common.standardOutput
    let listed = quiet ? 0 : dryRun ? writer.written.count : Self.limit
    for path in writer.written.prefix(listed) {
      Terminal.standardOutput.write("\(style.green(dryRun ? "would write" : "wrote")) \(path)\n")
    }
    if !quiet, writer.written.count > listed {
      Terminal.standardOutput.write("and \((writer.written.count - listed).counted("more file"))\n")
    }
    for path in writer.changed {
      let names = project.added.map(\.file).joined(separator: ", ")
      Terminal.standardOutput.write("\(style.green(dryRun ? "would add" : "added")) \(names) to \(path)\n")
    }
    for (cell, reason) in writer.replaced {
      Terminal.standardError.write("a sample replaces the invalid example of \(cell): \(reason)\n")
    }
    for (cell, reason) in writer.skipped { Terminal.standardError.write("no fixture for \(cell): \(reason)\n") }
    Terminal.standardError.write(writer.summary + "\n")
    if let (path, problem) = writer.failed {
      throw CommandFailure(.findings, "\(path): \(problem.message)", help: problem.help)
    }
    if let unextended = writer.unextended { throw CommandFailure(.findings, unextended) }
    if !dryRun { Terminal.standardError.write("next: understudy serve\n") }
  }
}

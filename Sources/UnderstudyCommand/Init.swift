import ArgumentParser
import Understudy

/// `understudy init SPEC`: writes a config file and a fixture for every cell.
struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write understudy.yaml and one fixture for each cell, from examples or samples; nothing is overwritten.")

  @Argument(help: ArgumentHelp("Contracts: Swagger 2.0 or OpenAPI 3.x, YAML or JSON.", valueName: "spec"))
  var specs: [String]

  @Option(help: ArgumentHelp("The folder for fixtures.", valueName: "folder"))
  var fixtures = "fixtures"

  @Option(help: ArgumentHelp("Seeds the samples: the same seed gives the same bytes.", valueName: "text"))
  var seed = "0"

  @Flag(help: "Show what would be written, and write nothing.")
  var dryRun = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    var writer = Scaffold(folder: fixtures, isDry: dryRun)
    for spec in specs {
      let (contract, diagnostics) = Contract.load(spec, fixtures: fixtures)
      guard let contract else {
        common.report(diagnostics)
        throw CommandFailure(.notLoadable, "\(spec) cannot be used")
      }
      writer.fixtures(of: contract, seed: seed)
    }
    writer.configuration(specs: specs)
    let style = common.standardOutput
    for path in writer.written {
      Terminal.standardOutput.write("\(style.green(dryRun ? "would write" : "wrote")) \(path)\n")
    }
    for (path, reason) in writer.failed { Terminal.standardError.write("error: \(path): \(reason)\n") }
    for (cell, reason) in writer.replaced {
      Terminal.standardError.write("a sample instead of the example of \(cell), which breaks its schema: \(reason)\n")
    }
    for (cell, reason) in writer.skipped { Terminal.standardError.write("no fixture for \(cell): \(reason)\n") }
    let written = "\(writer.written.count) \(dryRun ? "to write" : "written")"
    Terminal.standardError.write("\(written), \(writer.kept) kept, \(writer.skipped.count) skipped\n")
    guard writer.failed.isEmpty else { throw CommandFailure(.findings) }
    if !dryRun { Terminal.standardError.write("next: understudy serve\n") }
  }
}

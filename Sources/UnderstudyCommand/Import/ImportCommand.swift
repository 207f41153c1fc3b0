import ArgumentParser
import UnderstudyImport
import UnderstudyVerification

/// `understudy import TOOL FILE...`: writes routes, fixtures and scenarios out of files of other tools.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Write routes, fixtures and scenarios out of files of WireMock, Mockoon, Postman, MockServer, Pact and Hoverfly.",
    discussion: """
      Parts that have no counterpart are listed with their location and counted by feature. Without the name of the tool it is \
      detected.
      """)

  @Argument(
    help: ArgumentHelp(
      "The tool (wiremock, mockoon, postman, mockserver, pact, hoverfly), and its files or folders.",
      valueName: "tool-and-files"))
  var words: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The folder to write to.", valueName: "folder"))
  var out = "."

  @Option(
    help: ArgumentHelp(
      "Write fixtures for the operations of this contract, and routes for the rest.", valueName: "file"))
  var contract: String?

  @Flag(help: "Exit with 1 if a part has no counterpart.")
  var strict = false

  @Flag(help: "Show the files that would be written, and write nothing.")
  var dryRun = false

  @Flag(help: "Replace files that exist.")
  var force = false

  @Flag(help: "Fill the tags of every response, as WireMock does with this option.")
  var globalResponseTemplating = false

  @Option(help: ArgumentHelp("text, or json.", valueName: "format"))
  var format: OutputFormat = .text

  @OptionGroup var common: CommonOptions

  func run() async throws {
    var words = words
    var tool = words.first.flatMap { ForeignTool(rawValue: $0.lowercased()) }
    if tool != nil { words.removeFirst() }
    guard !words.isEmpty else {
      throw CommandFailure(
        .usage, "expected a file or a folder", help: "write `understudy import \(tool ?? .wiremock) mappings`")
    }
    var inputs: [ImportInput] = []
    for path in words {
      inputs.append(try FileProblem.asFailure { () throws(FileProblem) in try ImportInput.read(path) })
    }
    let skipped = inputs.flatMap(\.skipped)
    common.report(skipped)
    tool = tool ?? inputs.lazy.compactMap(\.tool).first
    guard let tool else {
      let names = ForeignTool.allCases.map(\.title)
      throw CommandFailure(
        .usage, "\(words[0]) is not a file of \(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])",
        help: "name the tool: understudy import \(ForeignTool.allCases.map(\.rawValue).joined(separator: "|")) FILE")
    }
    let context = Importer.read(inputs, of: tool, isAlwaysTemplate: globalResponseTemplating)
    guard context.count > 0 || !context.data.isEmpty else {
      throw CommandFailure(
        skipped.isEmpty ? .nothingChecked : .notLoadable, "\(words[0]) has nothing that \(tool.title) serves",
        help: "`understudy import --help` lists the tools")
    }
    let output = ImportOutput(context, name: tool.rawValue, title: tool.title, contract: try compiledContract())
    try write(output)
    let summary = ImportSummary(tool: tool, output: output, context: context)
    switch format {
    case .json: Terminal.standardOutput.write(summary.json)
    case .text:
      for file in output.files {
        let word = common.standardOutput.green(dryRun ? "would write" : "wrote")
        Terminal.standardOutput.write("\(word) \(Path.join(folder, file.path))\n")
      }
      Terminal.standardOutput.write(summary.text)
      Terminal.standardError.write(summary.counts + "\n")
      if !dryRun, let next = next(output) { Terminal.standardError.write("next: \(next)\n") }
    }
    if !skipped.isEmpty { throw CommandFailure(.findings) }
    if strict, output.remarks.contains(where: { $0.kind == .lost }) { throw CommandFailure(.findings) }
  }

  /// The folder for messages and paths; empty for the working directory.
  private var folder: String { out == "." ? "" : out }

  private func compiledContract() throws -> CompiledContract? {
    guard let contract else { return nil }
    let (compiled, diagnostics) = CompiledContract.read(ContractSource(contract))
    guard let compiled else {
      common.report(diagnostics)
      throw CommandFailure(.notLoadable, "\(contract) cannot be used")
    }
    return compiled
  }

  private func write(_ output: ImportOutput) throws {
    if !force, let taken = output.files.first(where: { FileSystem.isTaken(Path.join(folder, $0.path)) }) {
      throw CommandFailure(
        .usage, "\(Path.join(folder, taken.path)) exists, and the import would replace it",
        help: "choose another folder with `--out`, or replace the files with `--force`")
    }
    guard !dryRun, !output.files.isEmpty else { return }
    try FileProblem.asFailure { () throws(FileProblem) in
      var staged = try StagedFiles(in: out)
      do throws(FileProblem) {
        for file in output.files { try staged.add(file.bytes, as: file.path) }
        try staged.commit()
      } catch {
        staged.discard()
        throw error
      }
    }
  }

  /// The command that serves the files.
  private func next(_ output: ImportOutput) -> String? {
    var parts = ["understudy serve"]
    let quoting = ShellQuoting()
    let files = [contract, output.routes.map { Path.join(folder, $0) }, output.data.map { Path.join(folder, $0) }]
    parts += files.compactMap { $0.map(quoting.word) }
    guard parts.count > 1 else { return nil }
    let hasFixtures = output.scenario != nil || output.fixtures > 0
    if hasFixtures, !folder.isEmpty { parts.append("--fixtures \(quoting.word(Path.join(folder, "fixtures")))") }
    if let scenario = output.scenario { parts.append("--scenario \(scenario)") }
    return parts.joined(separator: " ")
  }
}

import ArgumentParser
import UnderstudyRecording
import UnderstudyVerification

/// `understudy infer FILE...`: drafts a contract from routes files and recordings, or writes the contract of data.
struct Infer: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "infer",
    abstract: "Draft a contract (OpenAPI 3.1) from routes files and recordings, with schemas of their bodies.")

  @Argument(
    help: ArgumentHelp(
      "Routes files (.yaml, .json), recordings (.har, .ndjson, .sqlite), or one file or folder of data (db.json).",
      valueName: "file"))
  var files: [String]

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The file to write. (default: standard output)", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("The title of the contract. (default: the name of the file)", valueName: "text"))
  var title: String?

  @OptionGroup var terminal: TerminalOptions

  func run() throws {
    if let output, FileSystem.isTaken(output) {
      throw CommandFailure(
        .usage, "\(output) exists, and a draft would replace it", help: "choose another file, or remove it")
    }
    if let text = data() { return try write(text, "written from the collections of \(files[0])") }
    let routes = try files.compactMap(routes)
    var draft = ContractDraft(of: routes)
    for file in files where !isRoutes(file) { try RecordedFile(file).forEach { entry, _ in draft.add(entry) } }
    guard draft.exchanges > 0 else {
      throw CommandFailure(.nothingChecked, "the files have no routes and no exchanges, so nothing was written")
    }
    try write(
      draft.yaml(title: title ?? Path.stem(of: output ?? files[0])),
      "drafted from \(draft.exchanges.counted("exchange")) with \(draft.paths.counted("path"))")
  }

  private func write(_ text: String, _ summary: String) throws {
    guard let output else { return Terminal.standardOutput.write(text) }
    try FileProblem.asFailure { () throws(FileProblem) in
      try FileSystem.write(Array(text.utf8), to: output)
    }
    let word = ShellQuoting().word(output)
    Terminal.standardOutput.write("\(terminal.standardOutput.green("wrote")) \(output)\n")
    Terminal.standardError.write("\(summary)\nnext: understudy lint \(word); understudy serve \(word)\n")
  }

  /// The contract of a data file or of a folder of data; `nil` for other files.
  private func data() -> String? {
    guard files.count == 1, FileSystem.isFolder(files[0]) || Path.fileExtension(of: files[0]) == "json" else {
      return nil
    }
    let (contract, diagnostics) = Contract.load(files[0], fixtures: nil)
    guard let contract, let text = DataDraft.yaml(of: contract.compiled, title: title) else { return nil }
    terminal.report(diagnostics)
    return text
  }

  private func isRoutes(_ file: String) -> Bool {
    ["yaml", "yml"].contains(Path.fileExtension(of: file))
      || Path.fileExtension(of: file) == "json"
        && (try? TextDocument.read(FileSystem.read(file)).root["routes"]) != nil
  }

  /// The contract of a routes file; `nil` for a recording.
  private func routes(_ file: String) throws -> Contract? {
    guard isRoutes(file) else { return nil }
    let (contract, diagnostics) = Contract.load(file, fixtures: nil)
    terminal.report(diagnostics)
    guard let contract, contract.api.routes != nil else {
      throw CommandFailure(
        .notLoadable, "\(file) is no routes file",
        help: contract == nil ? nil : "it is a contract already: expected a file with `routes:`")
    }
    return contract
  }
}

import ArgumentParser
import UnderstudyVerification

/// `understudy fetch URL`: saves a contract and the documents that it refers to.
struct Fetch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch",
    abstract: "Save a contract from a URL, or from the page of a Swagger UI or Redoc, with the documents it refers to.")

  @Argument(help: ArgumentHelp("An http(s) URL: of the contract, or of a page that shows it.", valueName: "url"))
  var url: String

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("The file to write. (default: the file name in the URL)", valueName: "file"))
  var output: String?

  @Flag(help: "Show what has changed since it was saved, and save it again.")
  var update = false

  @Option(
    help: ArgumentHelp(
      "Send this field to the host of the URL; `${NAME}` stands for an environment variable. Repeatable.",
      valueName: "name: value"))
  var header: [String] = []

  @Flag(help: "Fetch what the contract refers to on other hosts, too.")
  var allowRemoteRefs = false

  @OptionGroup(title: "Network") var trust: TrustOptions
  @OptionGroup var terminal: TerminalOptions

  func run() async throws {
    guard URIReference(url).origin != nil else {
      throw CommandFailure(
        .usage, "`\(url)` is not a URL to fetch from",
        help: "expected http or https without user and password, as in https://api.example.com/openapi.json")
    }
    let fields = try fields()
    let client = try UpstreamClient(
      timeout: .seconds(30), setting: "30 s", limitsWhole: true,
      trusting: try trust.certificates(for: URIReference(url).origin))
    let contract: ContractFetcher.Fetched
    do {
      contract = try await ContractFetcher(
        fetcher: DocumentFetcher(transport: client.transport, fields: fields), allowsOtherHosts: allowRemoteRefs
      ).contract(at: url)
    } catch {
      await client.shutdown()
      throw error
    }
    await client.shutdown()
    for note in contract.notes { Terminal.standardError.write("\(VisibleText.line(note))\n") }
    try save(contract)
  }

  private func fields() throws -> HTTPFields {
    HTTPFields(
      try header.map { line in
        let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, HeaderText.isName(parts[0]) else {
          throw CommandFailure(.usage, "`--header \(line)` is not a header: expected 'Name: value'")
        }
        let value = try EnvironmentText(String(parts[1].drop { $0 == " " }), in: "`--header \(line)`").value
        guard HeaderText.isValue(value) else {
          throw CommandFailure(.usage, "the header `\(parts[0])` would contain a line break")
        }
        return (parts[0], value)
      })
  }

  // MARK: - Saving

  private func save(_ contract: ContractFetcher.Fetched) throws {
    var documents: [String: JSONDocument] = [:]
    var problems: [Diagnostic] = []
    for (url, result) in contract.documents.sorted(by: { $0.key < $1.key }) {
      switch result {
      case .success(let document): documents[url] = document
      case .failure(let failure): problems.append(failure.diagnostic(of: "document", at: url))
      }
    }
    terminal.report(problems)
    guard documents[contract.url] != nil else { throw CommandFailure(.notLoadable) }
    let saved = SavedContract(contract.url, documents, as: path(of: contract))
    try write(saved.files)
    if !problems.isEmpty {
      throw CommandFailure(
        .findings, "\(problems.count.counted("document")) that the contract refers to cannot be read")
    }
  }

  /// The file for the contract. The URL of a generated document may have no extension.
  private func path(of contract: ContractFetcher.Fetched) -> String {
    let name = Path.name(of: URIReference(contract.url).path)
    let isNamed = ["json", "yaml", "yml"].contains(Path.fileExtension(of: name)) && !name.hasPrefix(".")
    let isJSON = (try? contract.documents[contract.url]?.get().source)?.bytes.first { $0 > 0x20 } == UInt8(ascii: "{")
    let file = isNamed ? name : ContractSource.name(of: contract.url) + (isJSON ? ".json" : ".yaml")
    guard let output else { return file }
    return FileSystem.isFolder(output) ? Path.join(output, file) : output
  }

  private func write(_ files: [SavedContract.File]) throws {
    let old = files.map { try? FileSystem.read($0.path).bytes }
    let changed = zip(files, old).filter { $0.bytes != $1 }
    if !update, let (file, _) = changed.first(where: { $1 != nil }) {
      throw CommandFailure(
        .usage, "\(file.path) exists with other content",
        help: "`--update` shows what has changed and saves it; `-o FILE` saves it elsewhere")
    }
    for (file, old) in changed {
      if update { Terminal.standardOutput.write(UnifiedDiff.text(old ?? [], file.bytes, path: file.path)) }
      do throws(FileProblem) {
        try FileSystem.replace(file.path, with: file.bytes)
      } catch {
        throw CommandFailure(.usage, "\(file.path) cannot be written: \(error.message)")
      }
    }
    guard let contract = files.first else { return }
    let others = files.count == 1 ? "" : " and \((files.count - 1).counted("file")) that it refers to"
    Terminal.standardError.write(
      changed.isEmpty
        ? "\(contract.path)\(others): nothing has changed\n"
        : "saved \(contract.path) (\(contract.bytes.count.asBytes))\(others)\nnext: understudy init \(contract.path)\n")
  }
}

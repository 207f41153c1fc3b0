import ArgumentParser
import UnderstudyVerification

/// `understudy generate LANGUAGE SPEC`: the statuses of a contract in the language of a client.
struct Generate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Write the statuses of each operation, with their meanings, in the language of a client.",
    discussion: """
      One small file: an enumeration for each operation, so that a client which forgets a status does not compile. Models are \
      left to other generators. Statuses such as `4XX` and `default` have no number and are named in a comment; `--cells` has \
      constants for them too.
      """)

  @Argument(help: ArgumentHelp("swift, typescript or kotlin.", valueName: "language"))
  var language: Language

  @OptionGroup var specs: SpecOptions

  @Option(help: ArgumentHelp("The file to write; standard output without it.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("The package of the Kotlin file.", valueName: "name"))
  var package: String?

  @Flag(help: "Add constants of UnderstudyTesting for the cells, for tests in Swift.")
  var cells = false

  @OptionGroup var common: CommonOptions

  enum Language: String, CaseIterable, ExpressibleByArgument {
    case swift, typescript, kotlin
  }

  func validate() throws {
    if cells, language != .swift { throw ValidationError("`--cells` is for swift: other languages have no `Cell`") }
    if package != nil, language != .kotlin { throw ValidationError("`--package` is for kotlin") }
  }

  func run() async throws {
    let configuration = try common.configuration()
    var contracts: [CompiledContract] = []
    for source in try await specs.sources(configuration) {
      let (contract, diagnostics) = CompiledContract.read(source)
      common.report(diagnostics.filter { contract == nil ? $0.severity == .error : Rule.overlay.contains($0.rule) })
      guard let contract else {
        throw CommandFailure(
          .notLoadable, "\(source.path) cannot be used", help: "`\(specs.lintCommand(source))` checks it again")
      }
      contracts.append(contract)
    }
    let lists = StatusList.all(of: contracts.flatMap(\.operations))
    let names = contracts.map { "\($0.name)" }.joined(separator: ", ")
    let note = "// Made from the contract \(names) by `understudy generate \(language.rawValue)`. Edits are lost."
    let text =
      switch language {
      case .swift: SwiftStatuses.text(of: lists, note: note, withCells: cells)
      case .typescript: TypeScriptStatuses.text(of: lists, note: note)
      case .kotlin: KotlinStatuses.text(of: lists, note: note, package: package)
      }
    guard let output else { return Terminal.standardOutput.write(text) }
    do {
      try FileSystem.replace(output, with: Array(text.utf8))
    } catch {
      throw CommandFailure(.usage, "\(error.path): the file cannot be written: \(error.message)", help: error.help)
    }
  }
}

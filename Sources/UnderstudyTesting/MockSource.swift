import UnderstudyClient
import UnderstudyMock
import UnderstudySystem

/// Where the mock of a test comes from.
struct MockSource: Sendable {
  /// The file of the contract, or the name of one in memory.
  var spec: String
  var fixtures: String?
  /// The settings of a separate mock; `nil` for the mock that all tests of the contract share.
  var options: Mock.Options?
  /// The file of the test, from whose folder upward relative paths are searched.
  var filePath = ""
  var usesTLS = false
  /// A contract that the test has read, or why it could not.
  private var given: Result<Contract, UnderstudyError>?

  init(
    spec: String, fixtures: String? = nil, options: Mock.Options? = nil, filePath: String, usesTLS: Bool = false
  ) {
    self.spec = spec
    self.fixtures = fixtures
    self.options = options
    self.filePath = filePath
    self.usesTLS = usesTLS
  }

  /// A contract that the test reads.
  init(given contract: () throws -> Contract, options: Mock.Options?, usesTLS: Bool) {
    let read = Result(catching: contract)
    spec = (try? read.get().name) ?? ""
    self.options = options
    self.usesTLS = usesTLS
    given = read.mapError { UnderstudyError(.misused, "the contract does not load\n" + "\($0)".trimmed) }
  }

  /// The mock that all tests of a contract share, since each has a lane of its own; with options, a new one.
  ///
  /// - Parameter rules: Those whose findings about fixtures and references are accepted.
  func running(allowing rules: [String]) async throws -> RunningMock {
    let (contract, defects) = try loaded()
    let broken = defects.filter { !rules.contains($0.rule.id) }
    guard broken.isEmpty else { throw Self.failure(of: spec, broken) }
    if let options { return try await Self.start(Mock(contracts: [contract], options: options), usesTLS) }
    let task = Self.mocks.withLock { [usesTLS] mocks in
      let key = MockKey(contract: ObjectIdentifier(contract.compiled), usesTLS: usesTLS)
      let task = mocks[key] ?? Task { try await Self.start(Mock(contracts: [contract]), usesTLS) }
      mocks[key] = task
      return task
    }
    return try await task.value
  }

  private static func start(_ mock: Mock, _ usesTLS: Bool) async throws -> RunningMock {
    if let problem = mock.diagnostics.first(where: { $0.severity == .error }) {
      let help = problem.help.map { "\n  help: \($0)" } ?? ""
      throw UnderstudyError(
        .misused, problem.location == nil ? problem.message + help : problem.description.trimmed)
    }
    return try await InProcessMock(mock, usesTLS: usesTLS).running()
  }

  private struct MockKey: Hashable {
    /// The compiled contract, which the mock keeps.
    let contract: ObjectIdentifier
    let usesTLS: Bool
  }

  private static let mocks = Lock<[MockKey: Task<RunningMock, any Error>]>([:])

  /// The contract, whether its fixtures and references are broken or not.
  func contract() throws(UnderstudyError) -> Contract { try loaded().contract }

  /// The contract, and the errors about its fixtures and references; read once for each combination of files.
  private func loaded() throws(UnderstudyError) -> (contract: Contract, defects: [Diagnostic]) {
    if let given {
      let contract = try given.get()
      return (contract, contract.diagnostics.filter(Self.isDecisive))
    }
    let path = try found(spec, "contract")
    let folder = try fixtures.map { (name) throws(UnderstudyError) in try found(name, "folder of fixtures") }
    let loaded = Self.contracts.withLock { contracts in
      let key = Key(path: path, fixtures: folder)
      if let known = contracts[key] { return known }
      // Without fixtures the contract's examples and samples answer.
      var read = Contract.load(ContractSource(path).withFixtures(in: folder), fixtures: folder)
      if let folder, let name = read.contract?.name { read.diagnostics += Self.missingFolder(of: name, in: folder) }
      contracts[key] = read
      return read
    }
    if let contract = loaded.contract {
      return (contract, loaded.diagnostics.filter(Self.isDecisive))
    }
    let errors = loaded.diagnostics.filter { $0.severity == .error }
    throw UnderstudyError(.misused, "`\(spec)` does not load\n" + errors.map(\.description).joined().trimmed)
  }

  /// Whether a defect changes what a test is answered with: a sample comes in place of a fixture, any value in place of
  /// what a reference stands for.
  private static func isDecisive(_ defect: Diagnostic) -> Bool {
    let id = defect.rule.id
    return defect.severity == .error
      && (id.hasPrefix("fixture.") || id.hasPrefix("spec.ref.") || defect.rule == .specUnparsable)
  }

  /// The finding about a contract without a folder among the fixtures.
  private static func missingFolder(of contract: String, in root: String) -> [Diagnostic] {
    let folder = Path.join(root, contract)
    guard !FileSystem.isFolder(folder) else { return [] }
    let folders = ((try? FileSystem.list(root)) ?? []).filter(\.isFolder).map(\.name)
    return [
      Diagnostic(
        .fixtureContractUnknown, "the contract `\(contract)` has no folder of fixtures, which would be \(folder)",
        at: Location(path: root), help: Suggestion.phrase(for: contract, among: folders))
    ]
  }

  /// The most defects that are listed.
  private static let defectLimit = 20

  private static func failure(of spec: String, _ defects: [Diagnostic]) -> UnderstudyError {
    let rest = defects.count - defectLimit
    return UnderstudyError(
      .misused,
      "`\(spec)` has broken fixtures or references, so a test would get other answers than it says\n"
        + defects.prefix(defectLimit).map(\.description).joined().trimmed + (rest > 0 ? "\nand \(rest) more" : ""))
  }

  private struct Key: Hashable {
    var path: String
    var fixtures: String?
  }

  private static let contracts = Lock<[Key: (contract: Contract?, diagnostics: [Diagnostic])]>([:])

  /// A path below the nearest folder above the test's file that has it, else below the working directory.
  private func found(_ path: String, _ noun: String) throws(UnderstudyError) -> String {
    if path.hasPrefix("/") {
      if FileSystem.exists(path) { return path }
      throw UnderstudyError(.misused, "the \(noun) `\(path)` does not exist")
    }
    var folder = Path.folder(of: filePath)
    while !folder.isEmpty {
      let candidate = Path.join(folder, path)
      if FileSystem.exists(candidate) { return candidate }
      let above = Path.folder(of: folder)
      if above == folder { break }
      folder = above
    }
    if FileSystem.exists(path) { return path }
    throw UnderstudyError(
      .misused,
      "the \(noun) `\(path)` does not exist\n  help: it is searched in the folders above \(filePath), "
        + "then in the working directory\(FileSystem.workingFolder.map { " \($0)" } ?? "")")
  }
}

extension String {
  /// Without line breaks at the end.
  var trimmed: String {
    var text = self[...]
    while text.last == "\n" { text.removeLast() }
    return String(text)
  }
}

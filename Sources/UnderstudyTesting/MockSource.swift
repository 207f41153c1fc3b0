import Synchronization
import Understudy

/// Where the mock of a test comes from.
struct MockSource: Sendable {
  var spec: String
  var fixtures: String?
  var scenario: String?
  /// The file of the test, from whose folder upward relative paths are searched.
  var filePath: String

  /// The mock that all tests of a contract share, since each has a lane of its own.
  func mock() throws(UnderstudyError) -> Mock {
    let contract = try contract()
    let mock = Self.mocks.withLock { mocks in
      let key = ObjectIdentifier(contract.compiled)
      if let known = mocks[key] { return known }
      let new = Mock(contracts: [contract])
      mocks[key] = new
      return new
    }
    try Self.report(mock.diagnostics)
    return mock
  }

  /// The state of a lane of the mock that no request has reached.
  func newState(of mock: Mock) throws(UnderstudyError) -> LaneState {
    var state = mock.newState()
    guard let scenario else { return state }
    try Self.report(MockScenario.problems(of: scenario, mock.contracts))
    state.play(scenario, in: mock)
    return state
  }

  private static func report(_ diagnostics: [Diagnostic]) throws(UnderstudyError) {
    guard let problem = diagnostics.first(where: { $0.severity == .error }) else { return }
    let help = problem.help.map { "\n  help: \($0)" } ?? ""
    throw UnderstudyError(problem.location == nil ? problem.message + help : problem.description.trimmed)
  }

  /// By their contracts, which are kept as well.
  private static let mocks = Mutex<[ObjectIdentifier: Mock]>([:])

  /// The contract, read once for each combination of files.
  func contract() throws(UnderstudyError) -> Contract {
    let path = try found(spec, "contract")
    let folder = try fixtures.map { (name) throws(UnderstudyError) in try found(name, "folder of fixtures") }
    let loaded = Self.contracts.withLock { contracts in
      let key = Key(path: path, fixtures: folder)
      if let known = contracts[key] { return known }
      // Without fixtures the contract's examples and samples answer.
      let read = Contract.load(path, fixtures: folder ?? "")
      contracts[key] = read
      return read
    }
    if let contract = loaded.contract { return contract }
    let errors = loaded.diagnostics.filter { $0.severity == .error }
    throw UnderstudyError("`\(spec)` does not load\n" + errors.map(\.description).joined().trimmed)
  }

  private struct Key: Hashable {
    var path: String
    var fixtures: String?
  }

  private static let contracts = Mutex<[Key: (contract: Contract?, diagnostics: [Diagnostic])]>([:])

  /// A path below the nearest folder above the test's file that has it, else below the working directory.
  private func found(_ path: String, _ noun: String) throws(UnderstudyError) -> String {
    if path.hasPrefix("/") {
      if FileSystem.exists(path) { return path }
      throw UnderstudyError("the \(noun) `\(path)` does not exist")
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

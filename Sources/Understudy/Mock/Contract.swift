/// A contract with its fixtures, ready to be served, listed and verified.
public struct Contract: Sendable {
  package let compiled: CompiledContract
  package let fixtures: FixtureStore
  /// The scenario that was asked for, where the contract has it.
  package let scenario: MockScenario?
  /// The findings about the contract and its fixtures.
  public let diagnostics: [Diagnostic]

  /// Reads a contract (Swagger 2.0 or OpenAPI 3.0 to 3.2, as YAML or JSON) and its fixtures.
  ///
  /// - Parameters:
  ///   - path: The file of the contract.
  ///   - fixtures: The folder that has the folder `<contract>/<operationId>` of every operation; it may be missing.
  /// - Throws: `DiagnosticError` when the contract cannot be used at all. What can be used in spite of its defects is
  ///   loaded, and `diagnostics` lists them.
  public init(contentsOf path: String, fixtures: String = "fixtures") throws(DiagnosticError) {
    let (contract, diagnostics) = Contract.load(path, fixtures: fixtures)
    guard let contract else { throw DiagnosticError(diagnostics) }
    self = contract
  }

  package init(compiled: CompiledContract, fixtures: FixtureStore, scenario: MockScenario?, diagnostics: [Diagnostic]) {
    self.compiled = compiled
    self.fixtures = fixtures
    self.scenario = scenario
    self.diagnostics = diagnostics
  }

  /// The contract's name: that of its file without the extension.
  public var name: String { compiled.name }

  package var api: API { compiled.api }

  /// Reads a contract and its fixtures; `nil` when the contract cannot be used at all, and the findings say why.
  ///
  /// Fixtures are looked for in `<fixtures>/<contract>`, the contract named by its file name without extension.
  package static func load(
    _ path: String, fixtures root: String, scenario: String? = nil, basePaths: BasePathPolicy = .servers
  ) -> (contract: Contract?, diagnostics: [Diagnostic]) {
    let (read, found) = CompiledContract.read(path, basePaths: basePaths)
    guard let compiled = read else { return (nil, found) }
    let api = compiled.api
    let store = FixtureStore.load(Path.join(root, api.name), for: api)
    var diagnostics = Linter.checkReferences(of: api) + compiled.diagnostics + store.diagnostics
    let played = scenario.flatMap { MockScenario.load($0, for: api, fixtures: store.folder, &diagnostics) }
    let contract = Contract(compiled: compiled, fixtures: store, scenario: played, diagnostics: diagnostics)
    return (contract, diagnostics)
  }

  /// Every file and folder it was made from, and those that it asked for in vain.
  package var watched: [String] {
    api.files.map(\.path) + api.missingFiles + [fixtures.folder] + fixtures.bodyFiles + externalExamples
  }

  /// The files that examples of answers name by `externalValue`.
  private var externalExamples: [String] {
    let examples = api.operations.lazy.flatMap(\.responses).flatMap(\.content).flatMap(\.examples)
    var seen: Set<String> = []
    return examples.compactMap(\.externalPath).filter { seen.insert($0).inserted }
  }
}

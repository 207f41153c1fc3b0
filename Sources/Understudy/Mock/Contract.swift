package import SourceText

/// A compiled contract with what a mock answers from: its fixtures and the scenario.
package struct Contract: Sendable {
  package var compiled: CompiledContract
  package var fixtures: FixtureStore
  /// The scenario that was asked for, where the contract has it.
  package var scenario: MockScenario?
  /// The findings about the contract and its fixtures.
  package var diagnostics: [Diagnostic]

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

import JSONSchema
package import SourceText

extension Contract {
  /// Reads a contract and its fixtures; `nil` when the contract cannot be used at all, and the findings say why.
  ///
  /// Fixtures are looked for in `<fixtures>/<contract>`, the contract named by its file name without extension.
  package static func load(
    _ path: String, fixtures root: String, scenario: String? = nil
  ) -> (contract: Contract?, diagnostics: [Diagnostic]) {
    let documents = DocumentStore()
    let (read, found) = OpenAPIReader.read(path, from: documents)
    guard let api = read else { return (nil, found) }
    var diagnostics = Linter.checkReferences(of: api)
    diagnostics += ViolationMap.check(api)
    var told: [Diagnostic] = []
    let violations = ViolationMap(api.root, diagnostics: &told)
    let store = FixtureStore.load(Path.join(root, api.name), for: api)
    diagnostics += store.diagnostics
    let played = scenario.flatMap { MockScenario.load($0, for: api, fixtures: store.folder, &diagnostics) }
    let contract = Contract(
      api: api, schemas: SchemaLibrary(of: api, documents), fixtures: store, violations: violations,
      scenario: played, diagnostics: diagnostics)
    return (contract, diagnostics)
  }
}

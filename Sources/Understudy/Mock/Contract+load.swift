extension Contract {
  /// Reads a contract and its fixtures; `nil` when the contract cannot be used at all, and the findings say why.
  ///
  /// Fixtures are looked for in `<fixtures>/<contract>`, the contract named by its file name without extension.
  package static func load(_ path: String, fixtures root: String) -> (contract: Contract?, diagnostics: [Diagnostic]) {
    let (loaded, found) = OpenAPIReader.read(path: path)
    guard let loaded else { return (nil, found) }
    var diagnostics = found
    let violations = ViolationMap(loaded.api.root, diagnostics: &diagnostics)
    for operation in loaded.api.operations { _ = ViolationMap(operation.node, diagnostics: &diagnostics) }
    let store = FixtureStore.load(Path.join(root, loaded.api.name), for: loaded.api)
    diagnostics += store.diagnostics
    let contract = Contract(
      api: loaded.api, schemas: loaded.schemas, fixtures: store, violations: violations, diagnostics: diagnostics)
    return (contract, diagnostics)
  }
}

package import SourceText

extension ViolationMap {
  /// What is wrong with `x-understudy` at the root of a contract and in its operations.
  package static func check(_ api: API) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for node in [api.root] + api.operations.map(\.node) { _ = ViolationMap(node, diagnostics: &diagnostics) }
    return diagnostics
  }
}

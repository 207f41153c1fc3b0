/// A contract, as far as its collections are concerned.
package struct ResourceContract {
  let compiled: CompiledContract
  /// By the ids of operations.
  let fixtures: [String: [Fixture]]
  /// Of the fixtures.
  package let folder: String

  package init(compiled: CompiledContract, fixtures: [String: [Fixture]], folder: String) {
    (self.compiled, self.fixtures, self.folder) = (compiled, fixtures, folder)
  }

  var operations: [CompiledOperation] { compiled.operations }

  /// The actions by operation: those that descriptions have, and with `infers` those that the paths show.
  package func actions(infers: Bool) -> (actions: [ObjectIdentifier: ResourceAction], diagnostics: [Diagnostic]) {
    var actions = infers ? ResourceInference(contract: self).actions() : [:]
    var reader = ResourceDescriptionReader(contract: self)
    actions.merge(reader.actions()) { _, described in described }
    return (actions, reader.diagnostics)
  }
}

extension ResourceContract {
  package init(_ contract: Contract) {
    compiled = contract.compiled
    fixtures = contract.fixtures.fixtures
    folder = contract.fixtures.folder
  }
}

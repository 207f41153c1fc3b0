package import JSONSchema
package import SourceText

/// A contract with everything that serving it needs: the model, its schemas and its fixtures.
package struct Contract: Sendable {
  package var api: API
  package var schemas: SchemaLibrary
  package var fixtures: FixtureStore
  /// What `x-understudy` says at the root.
  package var violations: ViolationMap
  /// The scenario that was asked for, where the contract has it.
  package var scenario: MockScenario?
  /// Everything that was wrong with the contract and its fixtures.
  package var diagnostics: [Diagnostic]

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

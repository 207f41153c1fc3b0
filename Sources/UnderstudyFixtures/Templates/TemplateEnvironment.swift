/// The time and the chance of one rendering: the same environment gives the same bytes.
package struct TemplateEnvironment: Sendable {
  /// Microseconds since 1970.
  let now: Int
  var generator: SeededGenerator
  /// The values of `{{var.name}}`.
  var variables: [String: String]
  /// The values of `{{other.name}}`.
  package var others: [String: String] = [:]
  /// The other instances for `{{#others.name}}`, each with its variables.
  package var lists: [String: [[String: String]]] = [:]
  /// The values of `{{response...}}`.
  package var response: (any RequestValues & Sendable)?

  /// - Parameter seed: Everything that the random values depend on, such as the seed of a run and the number of a reply.
  package init(now: Int, seed: [String], variables: [String: String] = [:]) {
    self.now = now
    self.variables = variables
    generator = SeededGenerator(state: StableHash.of(seed), isPlain: false, ordinal: 0)
  }

  /// The environment in which a fixture is validated: 2022-12-06T11:02:15.120Z.
  package static let sample = TemplateEnvironment(now: 1_670_324_535_120_000, seed: ["0"])
}

/// One operation x one status: everything that can be served for it.
package struct Cell: Sendable {
  package var operationId: String
  package var status: Response.Status
  /// `nil` for a status that only a fixture has.
  package var response: Response?
  /// Fixtures in the order of their file names.
  package var fixtures: [Variant]
  /// Media types with examples or a schema, in the contract's order.
  package var content: [MediaTypeObject] { response?.content ?? [] }

  /// The meaning of the status, where the contract gives one.
  package var meaning: String? { response?.meaning }

  /// A fixture, ready to be sent.
  package struct Variant: Sendable {
    package var fixture: Fixture
    package var mediaType: MediaRange?
    package var content: Content

    package enum Content: Sendable {
      case prepared(PreparedResponse)
      case template(FixtureTemplate, headers: [(name: String, value: String)])
    }
  }

  /// The fixtures that answer when nobody asks for a name.
  package var defaults: [Variant] { fixtures.filter { $0.fixture.name == nil && $0.fixture.when == nil } }

  /// The names that can be asked for: fixtures first, then the contract's examples.
  package var names: [String] {
    var names: [String] = []
    for name in fixtures.compactMap(\.fixture.name) + content.flatMap({ $0.examples.compactMap(\.name) })
    where !names.contains(name) { names.append(name) }
    return names
  }
}

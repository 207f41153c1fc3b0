/// One operation x one status: everything that can be served for it.
///
/// A class, like all that is compiled once and asked for every request: it is handed around, never copied.
package final class Cell: Sendable {
  package let operationId: String
  package let status: Response.Status
  /// `nil` for a status that only a fixture has.
  package let response: Response?
  /// Fixtures in the order of their file names.
  package let fixtures: [Variant]
  /// The fixtures that answer when nobody asks for a name.
  package let defaults: [Variant]
  /// Media types with examples or a schema, in the contract's order.
  package let content: [MediaTypeObject]
  /// The same with their media types parsed; those whose type is none are left out.
  let offers: [(object: MediaTypeObject, range: MediaRange)]
  /// The names that can be asked for, each once: fixtures first, then the contract's examples.
  package let names: [String]
  /// What `Accept` chooses from; `nil` when a default has no body, which no `Accept` can refuse.
  let defaultOffers: [MediaRange]?

  init(operationId: String, status: Response.Status, response: Response?, fixtures: [Variant]) {
    self.operationId = operationId
    self.status = status
    self.response = response
    self.fixtures = fixtures
    defaults = fixtures.filter { $0.fixture.name == nil && $0.fixture.when == nil }
    content = response?.content ?? []
    offers = content.compactMap { object in MediaRange(object.range).map { (object, $0) } }
    var names: [String] = []
    for name in fixtures.compactMap(\.fixture.name) + content.flatMap({ $0.examples.compactMap(\.name) })
    where !names.contains(name) { names.append(name) }
    self.names = names
    let types = defaults.compactMap(\.mediaType)
    defaultOffers = types.count == defaults.count ? types : nil
  }

  /// The meaning of the status, where the contract gives one.
  package var meaning: String? { response?.meaning }

  /// A fixture, ready to be sent.
  package final class Variant: Sendable {
    package let fixture: Fixture
    package let mediaType: MediaRange?
    package let content: Content
    /// `fixture readChat/200.empty`
    package let reason: String

    package enum Content: Sendable {
      case prepared(PreparedResponse)
      case template(FixtureTemplate, headers: [(name: String, value: String)])
    }

    init(_ fixture: Fixture, mediaType: MediaRange?, content: Content) {
      self.fixture = fixture
      self.mediaType = mediaType
      self.content = content
      reason = "fixture \(fixture.label)"
    }
  }
}

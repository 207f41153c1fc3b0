/// A cell with everything that can be served for it.
package final class MockCell: Sendable {
  package let status: Response.Status
  /// `nil` for a status that only a fixture has.
  package let response: Response?
  let cell: Cell
  /// Fixtures in the order of their file names.
  let fixtures: [Variant]
  /// The fixtures that answer when no name is asked for.
  let defaults: [Variant]
  /// The documented media types, parsed; those that are none are left out.
  let offers: [(object: MediaTypeObject, range: MediaRange)]
  /// The names that can be asked for, each once: fixtures first, then the contract's examples.
  package let names: [String]
  /// What `Accept` chooses from; `nil` when a default has no body, which no `Accept` can refuse.
  let defaultOffers: [MediaRange]?

  init(_ source: FixtureCell, fixtures: [Variant]) {
    cell = source.cell
    status = cell.status
    response = cell.response
    self.fixtures = fixtures
    names = source.names
    defaults = fixtures.filter { $0.fixture.name == nil && $0.fixture.when == nil }
    offers = cell.content.compactMap { object in MediaRange(object.range).map { (object, $0) } }
    let types = defaults.compactMap(\.mediaType)
    defaultOffers = types.count == defaults.count ? types : nil
  }

  /// The meaning of the status, where the contract gives one.
  package var meaning: String? { response?.meaning }

  /// A fixture, ready to be sent.
  final class Variant: Sendable {
    let fixture: Fixture
    let mediaType: MediaRange?
    let content: Content
    /// `fixture readChat/200.empty`
    let reason: String

    enum Content: Sendable {
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

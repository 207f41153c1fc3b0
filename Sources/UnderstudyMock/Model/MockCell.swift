import UnderstudySystem

package final class MockCell: Sendable {
  package let cell: CompiledCell
  /// In the order of their file names.
  let fixtures: [Variant]
  /// The fixtures that answer when the request prefers no name.
  let defaults: [Variant]
  /// The documented media types that can be parsed.
  let offers: [Offer]
  /// The names of its fixtures, then of the contract's examples, each once.
  package let names: [String]
  /// The choices for `Accept`; `nil` when a default has no body, which no `Accept` can refuse.
  let defaultOffers: [MediaRange]?

  init(_ source: FixtureCell, fixtures: [Variant]) {
    cell = source.cell
    self.fixtures = fixtures
    names = source.names
    defaults = fixtures.filter { $0.fixture.name == nil && $0.fixture.when == nil }
    offers = cell.offers.compactMap { object in MediaRange(object.range).map { Offer(object, $0) } }
    let types = defaults.compactMap(\.mediaType)
    defaultOffers = types.count == defaults.count ? types : nil
  }

  package var status: Response.Status { cell.status }
  /// `nil` for a status that only a fixture has.
  package var response: Response? { cell.response }
  package var meaning: String? { cell.meaning }
  /// The names of its fixtures, each once, without those that never end.
  package var endingFixtureNames: [String] {
    fixtures.filter { variant in !variant.fixture.faults.contains { $0.fault?.hangs == true } }
      .compactMap(\.fixture.name).unique()
  }

  /// A media type of the contract with the first responses that were made from it.
  final class Offer: Sendable {
    let object: MediaTypeObject
    let range: MediaRange
    private let made = GrowingTable<Key, ContractResponses.Made>(limit: Offer.limit)
    /// Clients choose seeds, and so the number of responses.
    private static let limit = 4

    struct Key: Hashable {
      let code: Int
      let seed: String
      let isDynamic: Bool
      let asJSON: Bool
    }

    init(_ object: MediaTypeObject, _ range: MediaRange) { (self.object, self.range) = (object, range) }

    /// The response of a key; `make` makes it on first use.
    func response(
      of key: Key, by rendering: Rendering, _ make: () throws(SelectionProblem) -> ContractResponses.Made
    ) throws(SelectionProblem) -> ContractResponses.Made {
      if let known = made[key] { return known }
      let new = try make()
      if rendering.isWhole { _ = made.add(new, for: key) }
      return new
    }
  }

  /// A fixture, ready to be sent.
  final class Variant: Sendable {
    let fixture: Fixture
    let mediaType: MediaRange?
    let content: Content
    let key: ResponseName
    /// The body with its pauses; `nil` where it is sent at once.
    let stream: EventStreamScript?

    enum Content: Sendable {
      case prepared(PreparedResponse)
      case template(ResponseTemplate, headers: [(name: String, value: String)])
    }

    init(
      _ fixture: Fixture, mediaType: MediaRange?, content: Content, _ key: ResponseName,
      stream: EventStreamScript? = nil
    ) {
      self.fixture = fixture
      self.stream = stream
      self.mediaType = mediaType
      self.content = content
      self.key = key
    }
  }
}

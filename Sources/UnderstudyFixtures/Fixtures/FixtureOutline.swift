/// A fixture without its bytes, for comparisons with the others of its operation.
package struct FixtureOutline: Sendable {
  package var path: String
  private var node: JSON?
  package var status: Response.Status
  /// `readChat/200.empty`
  package var label: String
  package var when: RequestMatcher?
  package var rank: MatchRank
  /// Fixtures of one cell and name may differ in their media types.
  fileprivate var mediaTypeKey: String

  package init(_ fixture: Fixture) {
    path = fixture.source.path
    node = fixture.node
    status = fixture.status
    label = fixture.label
    when = fixture.when
    rank = MatchRank(fixture.when, priority: fixture.priority)
    mediaTypeKey = fixture.contentType ?? fixture.body.fileExtension
  }
}

extension FixtureOutline {
  /// The location of the fixture. Its pointer takes a walk over a routes file, so it is computed for findings alone.
  package var location: Location { Location(ofFixtureAt: path, node) }

  /// Whether a routes file holds the fixture, so that the order of its replies decides, and no file name.
  package var isRouteReply: Bool { node != nil }

  /// Fixtures of one operation in the order in which they are tried.
  ///
  /// - Parameters:
  ///   - fixtures: Fixtures in the order of their file names.
  ///   - statuses: Documented statuses, then others.
  package static func ranked(_ fixtures: [FixtureOutline], _ statuses: [Response.Status]) -> [FixtureOutline] {
    statuses.flatMap { status in fixtures.filter { $0.status == status } }.ranked(\.rank)
  }
}

/// Finds fixtures of one operation with the same status, name and media type.
package struct FixtureDuplicates {
  private var seen: [String: FixtureOutline] = [:]

  package init() {}

  package mutating func add(_ fixture: FixtureOutline) -> Diagnostic? {
    let key = fixture.label + " " + fixture.mediaTypeKey
    guard let first = seen[key], fixture.when == nil || first.when != nil else {
      seen[key] = fixture
      return nil
    }
    return Diagnostic(
      .fixtureDuplicate, "a second fixture for \(fixture.label)", at: fixture.location,
      notes: [Diagnostic.Note("this one is served", at: first.location)],
      help: "give one of them a name: \(fixture.status).other.\(Path.fileExtension(of: fixture.path))")
  }
}

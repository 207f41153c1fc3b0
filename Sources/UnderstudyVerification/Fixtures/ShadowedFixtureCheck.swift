/// Finds fixtures of one operation whose `when` is never reached.
enum ShadowedFixtureCheck {
  struct Shadow {
    var fixture: FixtureOutline
    var by: FixtureOutline
    var isSame: Bool
  }

  /// `fixtures` are those of one operation, in the order of their file names.
  static func shadows(among fixtures: [FixtureOutline], of operation: Operation) -> [Shadow] {
    var statuses = operation.responses.map(\.status)
    for fixture in fixtures where !statuses.contains(fixture.status) { statuses.append(fixture.status) }
    let conditional = fixtures.filter { $0.when != nil }
    guard conditional.count > 1 else { return [] }
    let order = FixtureOutline.ranked(conditional, statuses).prefix(limit)
    var shadows: [Shadow] = []
    for (position, later) in order.enumerated() {
      guard let when = later.when,
        let earlier = order[..<position].first(where: { $0.when?.covers(when) == true })
      else { continue }
      shadows.append(Shadow(fixture: later, by: earlier, isSame: when.covers(earlier.when ?? when)))
    }
    return shadows
  }

  /// The most fixtures that are compared, each pair.
  private static let limit = 1_000
}

/// Finds fixtures of one operation that can match one request, and of which only the file name decides.
package enum FixtureTies {
  /// The maximum number of fixtures of one operation that are compared, each pair.
  private static let limit = 300

  /// A finding for each fixture that is tried after one of equal rank.
  package static func findings(among fixtures: [FixtureOutline], of operation: Operation) -> [Diagnostic] {
    let conditional = fixtures.filter { $0.when != nil }
    guard conditional.count > 1 else { return [] }
    var statuses = operation.responses.map(\.status)
    for fixture in conditional where !statuses.contains(fixture.status) { statuses.append(fixture.status) }
    let order = Array(FixtureOutline.ranked(conditional, statuses).prefix(limit))
    return order.indices.compactMap { later in
      let winner = order[..<later].first { $0.rank == order[later].rank && isTie($0, order[later]) }
      return winner.map { finding(order[later], after: $0) }
    }
  }

  /// Whether a request may match both, and neither is the narrower one. The author of a routes file has ordered its lists.
  private static func isTie(_ first: FixtureOutline, _ second: FixtureOutline) -> Bool {
    guard let mine = first.when, let other = second.when else { return false }
    if first.isRouteReply, second.isRouteReply, first.status == second.status { return false }
    return !mine.covers(other) && !other.covers(mine) && !mine.excludes(other) && !mine.isAlternative(to: other)
  }

  private static func finding(_ loser: FixtureOutline, after winner: FixtureOutline) -> Diagnostic {
    let reason = loser.status == winner.status ? "its file name comes first" : "its status comes first"
    return Diagnostic(
      .fixtureTie, "a request can match this fixture and \(winner.label), which wins: \(reason)",
      at: loser.location, notes: [Diagnostic.Note("this one wins", at: winner.location)],
      help: "both have \(loser.rank.strength.counted("condition")) and the priority \(loser.rank.priority): "
        + "give one of them a `priority`, or add a condition")
  }
}

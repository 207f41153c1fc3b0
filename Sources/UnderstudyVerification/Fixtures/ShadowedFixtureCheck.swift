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
    let order = statuses.flatMap { status in conditional.filter { $0.status == status } }.prefix(limit)
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

extension RequestMatcher {
  /// Whether this holds for every request that `other` holds for; `false` where that is not certain.
  func covers(_ other: RequestMatcher) -> Bool {
    conditions.allSatisfy { mine in other.conditions.contains { $0.implies(mine) } }
  }
}

extension RequestMatcher.Condition {
  /// Whether `other` holds for every request that this holds for.
  fileprivate func implies(_ other: RequestMatcher.Condition) -> Bool {
    guard part == other.part, isSameName(as: other) else { return false }
    if case .present(let wanted) = other.test {
      if case .present(let mine) = test { return mine == wanted }
      return wanted
    }
    if case .list = other.test {
      guard case .list = test else { return false }
      return test == other.test
    }
    // Of several values one that passes is enough.
    switch test {
    case .list(let texts): return texts.contains { other.test.accepts($0) }
    case .equals(let text): return other.test.accepts(text)
    case .oneOf(let texts): return !texts.isEmpty && texts.allSatisfy { other.test.accepts($0) }
    case .contains(let text):
      guard case .contains(let part) = other.test else { return false }
      return text.utf8.firstRange(of: part.utf8) != nil
    case .matches(let pattern):
      guard case .matches(let wanted) = other.test else { return false }
      return pattern.text.utf8Equals(wanted.text)
    case .present: return false
    }
  }

  private func isSameName(as other: RequestMatcher.Condition) -> Bool {
    part == .header ? name.lowercased() == other.name.lowercased() : name.utf8Equals(other.name)
  }
}

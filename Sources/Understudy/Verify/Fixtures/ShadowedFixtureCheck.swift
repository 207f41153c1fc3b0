import JSONSchema

/// Finds fixtures of one operation whose `when` never comes to its turn.
enum ShadowedFixtureCheck {
  /// A fixture that is shadowed, and the one that answers in its place.
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

  /// Every pair is compared; beyond this many nobody overlooks the order anyway.
  private static let limit = 1_000
}

extension RequestMatcher {
  /// Whether every request that `other` holds for is one that this holds for; `false` where nobody can tell.
  func covers(_ other: RequestMatcher) -> Bool {
    conditions.allSatisfy { mine in other.conditions.contains { $0.implies(mine) } }
  }
}

extension RequestMatcher.Condition {
  /// Whether a request for which this holds is one for which `other` holds too.
  fileprivate func implies(_ other: RequestMatcher.Condition) -> Bool {
    guard part == other.part, isSameName(as: other) else { return false }
    if case .present(let wanted) = other.test {
      if case .present(let mine) = test { return mine == wanted }
      return wanted
    }
    // Of several values one that passes is enough, so what holds for each possible one holds for the request.
    switch test {
    case .equals(let text): return other.test.accepts(text)
    case .oneOf(let texts): return !texts.isEmpty && texts.allSatisfy(other.test.accepts)
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

extension RequestMatcher.Test {
  /// Whether a value passes; what only looks for presence accepts any.
  func accepts(_ value: String) -> Bool {
    switch self {
    case .equals(let text): value.utf8Equals(text)
    case .contains(let part): part.isEmpty || value.utf8.firstRange(of: part.utf8) != nil
    case .matches(let pattern): pattern.matches(value) == .yes
    case .oneOf(let texts): texts.contains { $0.utf8Equals(value) }
    case .present(let wanted): wanted
    }
  }
}

/// Relations of the conditions of two matchers, where they are certain.
extension RequestMatcher {
  /// Whether this holds for every request that `other` holds for; `false` where that is not certain.
  package func covers(_ other: RequestMatcher) -> Bool {
    conditions.allSatisfy { mine in other.conditions.contains { $0.implies(mine) } }
      && groups.allSatisfy { other.groups.contains($0) }
  }

  /// Whether no request is meant for both; `false` where that is not certain.
  package func excludes(_ other: RequestMatcher) -> Bool {
    conditions.contains { mine in other.conditions.contains { $0.excludes(mine) } }
      || groups.contains { $0.excludes(other) } || other.groups.contains { $0.excludes(self) }
  }

  /// Whether both have a pattern, a part or a schema for one name: whether these overlap cannot be decided, and their
  /// authors mean them as alternatives.
  package func isAlternative(to other: RequestMatcher) -> Bool {
    conditions.contains { mine in other.conditions.contains { $0.isAlternative(to: mine) } }
  }
}

extension RequestMatcher.Group {
  fileprivate func excludes(_ other: RequestMatcher) -> Bool {
    switch self {
    case .any(let matchers): matchers.allSatisfy { $0.excludes(other) }
    case .none(let matchers): matchers.contains { $0.covers(other) }
    }
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
    if case .value = other.test { return test == other.test }
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
    case .present, .value: return false
    }
  }

  var isAbsence: Bool { if case .present(false) = test { true } else { false } }

  /// Whether no single value of the name passes both tests.
  func excludes(_ other: RequestMatcher.Condition) -> Bool {
    guard part == other.part, isSameName(as: other) else { return false }
    switch (test, other.test) {
    case (.present(let first), .present(let second)): return first != second
    case (.present(let wanted), _), (_, .present(let wanted)): return !wanted
    case (.value(let first), .value(let second)):
      guard let mine = first.only else { return second.only.map { !first.accepts($0) } ?? false }
      return !second.accepts(mine)
    case (.value, _), (_, .value): return false
    case (.list, .list): return test != other.test
    case (.list(let texts), let test), (let test, .list(let texts)): return !texts.contains { test.accepts($0) }
    case (.equals(let text), let test), (let test, .equals(let text)): return !test.accepts(text)
    case (.oneOf(let texts), let test), (let test, .oneOf(let texts)): return !texts.contains { test.accepts($0) }
    case (.contains, _), (.matches, _): return false
    }
  }

  fileprivate func isAlternative(to other: RequestMatcher.Condition) -> Bool {
    part == other.part && isSameName(as: other) && isOpen && other.isOpen && test != other.test
  }

  /// Whether values that pass cannot be listed.
  private var isOpen: Bool {
    switch test {
    case .contains, .matches: true
    case .value(let test): test.only == nil
    case .equals, .oneOf, .list, .present: false
    }
  }

  private func isSameName(as other: RequestMatcher.Condition) -> Bool {
    part == .header ? name.lowercased() == other.name.lowercased() : name.utf8Equals(other.name)
  }
}

/// The order in which the fixtures of an operation are tried: by their priority, then by the number of their conditions.
package struct MatchRank: Hashable, Comparable, Sendable {
  package var priority: Int
  package var strength: Int

  package init(_ when: RequestMatcher?, priority: Int) {
    self.priority = priority
    strength = when?.strength ?? 0
  }

  package static func < (first: Self, second: Self) -> Bool {
    (first.priority, first.strength) < (second.priority, second.strength)
  }
}

extension Array {
  /// The elements with the highest rank first, and elements of equal rank in their order.
  package func ranked(_ rank: (Element) -> MatchRank) -> [Element] {
    if count < 2 { return self }
    let ranks = map(rank)
    return indices.sorted { ranks[$0] == ranks[$1] ? $0 < $1 : ranks[$0] > ranks[$1] }.map { self[$0] }
  }
}

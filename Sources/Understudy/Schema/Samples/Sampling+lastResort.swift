/// For schemas whose keywords fight each other: values that no person would write, but that fit.
extension Sampling {
  mutating func lastResort(_ base: Conjunction, _ place: Place) -> JSON? {
    let stock: [JSON] = [
      "text", "", 0, true, nil, [], [:], ["key": "text"], ["text"],
    ]
    if let value = stock.first(where: { accepts($0, base.origins) }) { return value }
    var combinations = Combinations(base, place)
    for _ in 0..<8 {
      guard fuel > 0, let conjunction = combinations.next(self) else { return nil }
      guard conjunction.type == .object, let value = object(conjunction, place.below(conjunction)) else { continue }
      if let value = spoiled(value, base) { return value }
    }
    return nil
  }

  /// The branches of `oneOf` that a value fits without need.
  func otherBranches(that value: JSON, fits base: Conjunction) -> [JSON] {
    base.all("oneOf").flatMap { $0.elements.filter { accepts(value, [$0]) }.dropFirst() }
  }

  /// The object with members that one branch leaves open and all others forbid.
  ///
  /// Branches that only list optional properties all accept the same objects, until a property has a wrong value.
  private func spoiled(_ value: JSON, _ base: Conjunction) -> JSON? {
    for branch in base.all("oneOf").flatMap(\.elements) where accepts(value, [branch]) {
      var members = value.members.map { ($0.name, $0.value) }
      for other in otherBranches(that: value, fits: base) + base.all("oneOf").flatMap({ $0.elements.prefix(1) }) {
        let conjunction = conjunction(of: [other])
        for property in conjunction.all("properties").flatMap({ Array($0.members) }) {
          guard let wrong = Self.wrongValues.first(where: { !accepts($0, [property.value]) }) else { continue }
          let changed = JSON.object(
            members.filter { !$0.0.utf8.elementsEqual(property.name.utf8) } + [(property.name, wrong)])
          guard accepts(changed, [branch]) else { continue }
          if accepts(changed, base.origins) { return changed }
          members = changed.members.map { ($0.name, $0.value) }
          break
        }
      }
    }
    return nil
  }

  private static let wrongValues: [JSON] = ["text", 0, true, [], [:]]
}

import SourceText

/// For schemas whose keywords fight each other: values that no person would write, but that fit.
extension Sampling {
  mutating func lastResort(_ base: Conjunction, _ place: Place) -> JSON? {
    let stock: [JSON] = [
      "text", "", 0, true, nil, [], [:], ["key": "text"], ["text"],
    ]
    if let value = stock.first(where: { accepts($0, base.origins) }) { return value }
    if let value = contrary(base, place) { return value }
    var combinations = Combinations(base, place)
    for _ in 0..<8 {
      guard fuel > 0, let conjunction = combinations.next(self) else { return nil }
      guard conjunction.type == .object, let value = object(conjunction, place.below(conjunction)) else { continue }
      if let value = spoiled(value, base) { return value }
    }
    return nil
  }

  /// A value with one part that what stands under `not` does not allow.
  private mutating func contrary(_ base: Conjunction, _ place: Place) -> JSON? {
    for excluded in base.all("not").prefix(8) where !effort.isSpent {
      let excluded = conjunction(of: [excluded])
      if let value = contraryObject(base, excluded, place) ?? contraryArray(base, excluded, place) { return value }
    }
    return nil
  }

  private mutating func contraryObject(_ base: Conjunction, _ excluded: Conjunction, _ place: Place) -> JSON? {
    guard excluded.has("properties") else { return nil }
    let members = object(base, place.below(base))?.members.map { ($0.name, $0.value) } ?? []
    for property in excluded.all("properties").flatMap({ $0.members.prefix(8) }) where !effort.isSpent {
      var series = Series(place: place.property(property.name), isUnique: false)
      guard let wrong = element(propertySchemas(base, property.name), unlike: [property.value], &series) else {
        continue
      }
      let others = members.filter { !$0.0.utf8.elementsEqual(property.name.utf8) }
      let value = JSON.object(others + [(property.name, wrong)])
      if accepts(value, base.origins) { return value }
    }
    return nil
  }

  private mutating func contraryArray(_ base: Conjunction, _ excluded: Conjunction, _ place: Place) -> JSON? {
    guard excluded.has("items") || excluded.flag("uniqueItems") else { return nil }
    let elements = array(base, place.below(base)).map { Array($0.elements) } ?? []
    var values: [JSON] = []
    if let first = elements.first { values.append(.array([first, first] + elements.dropFirst(2))) }
    for items in excluded.all("items").filter(\.isObject).prefix(8) {
      var series = Series(place: place.element(0, ordinal: 0), isUnique: false)
      guard let wrong = element(elementSchemas(base, at: 0), unlike: [items], &series) else { continue }
      values.append(.array([wrong] + elements.dropFirst()))
    }
    return values.first { accepts($0, base.origins) }
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

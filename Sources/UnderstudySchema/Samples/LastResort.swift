/// Unusual values for schemas with nearly contradictory keywords.
struct LastResort {
  let attempt: SampleAttempt
  let base: SchemaIntersection
  let place: SamplePlace

  private static let plainValues: [JSON] = ["text", "", 0, true, .null, [], [:], ["key": "text"], ["text"]]
  private static let wrongValues: [JSON] = ["text", 0, true, [], [:]]

  func sample() -> JSON? {
    if let value = Self.plainValues.first(where: fits) ?? contrary() { return value }
    var combinations = BranchCombinations(attempt, base, place)
    for _ in 0..<8 {
      guard attempt.budget.hasValues, let schema = combinations.next() else { return nil }
      guard schema.type == .object,
        let value = ObjectSamples(attempt: attempt, base: schema, place: place.below(schema)).sample()
      else { continue }
      if let value = spoiled(value) { return value }
    }
    return nil
  }

  private func fits(_ value: JSON) -> Bool { attempt.validator.accepts(value, base.origins) }

  /// A value with one part that the schemas under `not` do not allow.
  private func contrary() -> JSON? {
    for excluded in base.all("not").prefix(8) where !attempt.budget.isSpent {
      let excluded = attempt.intersection(of: [excluded])
      if let value = contraryObject(excluded) ?? contraryArray(excluded) { return value }
    }
    return nil
  }

  private func contraryObject(_ excluded: SchemaIntersection) -> JSON? {
    guard excluded.has("properties") else { return nil }
    let object = ObjectSamples(attempt: attempt, base: base, place: place.below(base)).sample()
    for property in excluded.all("properties").flatMap({ $0.members.prefix(8) }) where !attempt.budget.isSpent {
      var series = ElementSeries(attempt, place.property(property.name), isUnique: false)
      let schemas = attempt.children.ofProperty(property.name, in: base)
      guard let wrong = series.next(schemas, unlike: [property.value]) else { continue }
      let value = (object ?? [:]).with(property.name, wrong)
      if fits(value) { return value }
    }
    return nil
  }

  private func contraryArray(_ excluded: SchemaIntersection) -> JSON? {
    guard excluded.has("items") || excluded.flag("uniqueItems") else { return nil }
    let elements = ArraySamples(attempt, base, place.below(base)).sample().map { Array($0.elements) } ?? []
    var values: [JSON] = []
    if let first = elements.first { values.append(.array([first, first] + elements.dropFirst(2))) }
    for items in excluded.all("items").filter(\.isObject).prefix(8) {
      var series = ElementSeries(attempt, place.element(0, ordinal: 0), isUnique: false)
      guard let wrong = series.next(attempt.children.ofElement(0, in: base), unlike: [items]) else { continue }
      values.append(.array([wrong] + elements.dropFirst()))
    }
    return values.first(where: fits)
  }

  /// The object with members that only one branch of `oneOf` allows.
  ///
  /// Branches with only optional properties accept the same objects, unless a property has a wrong value.
  private func spoiled(_ value: JSON) -> JSON? {
    let branches = base.all("oneOf").flatMap(\.elements)
    let validator = attempt.validator
    for branch in branches where validator.accepts(value, [branch]) {
      var best = value
      for other in validator.extraBranches(of: base, accepting: value)
        + base.all("oneOf").flatMap({ $0.elements.prefix(1) })
      {
        for property in attempt.intersection(of: [other]).all("properties").flatMap({ Array($0.members) }) {
          guard let wrong = Self.wrongValues.first(where: { !validator.accepts($0, [property.value]) }) else {
            continue
          }
          let changed = best.with(property.name, wrong)
          guard validator.accepts(changed, [branch]) else { continue }
          if fits(changed) { return changed }
          best = changed
          break
        }
      }
    }
    return nil
  }
}

extension JSON {
  /// The object with a new or replaced member at its end.
  fileprivate func with(_ name: String, _ value: JSON) -> JSON {
    .object(members.filter { !$0.key.isString(name) }.map { ($0.name, $0.value) } + [(name, value)])
  }
}

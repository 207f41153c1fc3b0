/// Whether two alternatives of one side have no value in common, as far as simple reasoning shows.
struct VariantDisjointness {
  private let side: SchemaSide
  /// The maximum depth of properties that are compared.
  private static let depth = 3

  init(_ side: SchemaSide) { self.side = side }

  /// Whether schemas exclude each other.
  func areDisjoint(_ a: [JSON], _ b: [JSON], depth: Int = depth) -> Bool {
    guard let first = side.variants(of: a), let second = side.variants(of: b) else { return false }
    return first.list.allSatisfy { x in second.list.allSatisfy { areDisjoint(x, $0, depth) } }
  }

  func areDisjoint(_ x: SchemaVariant, _ y: SchemaVariant, _ depth: Int = depth) -> Bool {
    let types = x.types.intersection(y.types)
    if types.isEmpty { return true }
    if let listed = x.listed {
      return listed.allSatisfy { !side.accepts(y.schemas, $0) || !side.accepts(x.schemas, $0) }
    }
    if let listed = y.listed {
      return listed.allSatisfy { !side.accepts(x.schemas, $0) || !side.accepts(y.schemas, $0) }
    }
    guard types.isDisjoint(with: [.null, .boolean]) else { return false }
    if !types.isDisjoint(with: .number), !areApart(NumberRange(x), NumberRange(y)) { return false }
    if !types.isDisjoint(with: .string), !areApart(x, y, .minLength, .maxLength) { return false }
    if !types.isDisjoint(with: .array), !areApart(x, y, .minItems, .maxItems) { return false }
    if !types.isDisjoint(with: .object), !areObjectsDisjoint(x, y, depth) { return false }
    return true
  }

  private func areApart(_ a: NumberRange, _ b: NumberRange) -> Bool {
    func isBelow(_ high: NumberRange.Bound?, _ low: NumberRange.Bound?) -> Bool {
      guard let high, let low else { return false }
      return high.number < low.number || high.number == low.number && (high.isExclusive || low.isExclusive)
    }
    return isBelow(a.high, b.low) || isBelow(b.high, a.low)
  }

  private func areApart(_ x: SchemaVariant, _ y: SchemaVariant, _ least: Keyword, _ most: Keyword) -> Bool {
    func isBelow(_ a: SchemaVariant, _ b: SchemaVariant) -> Bool {
      guard let high = a.smallest(most)?.size, let low = b.largest(least)?.size else { return false }
      return high < low
    }
    return isBelow(x, y) || isBelow(y, x)
  }

  private func areObjectsDisjoint(_ x: SchemaVariant, _ y: SchemaVariant, _ depth: Int) -> Bool {
    guard depth > 0 else { return false }
    return (x.requirements + y.requirements).contains { name, _ in
      let (a, b) = (x.schemas(of: name), y.schemas(of: name))
      if (a + b).contains(where: { $0.bool == false }) { return true }
      return !a.isEmpty && !b.isEmpty && areDisjoint(a, b, depth: depth - 1)
    }
  }

  /// Whether the value of a property that one side lists is refused by the other, across two versions.
  static func areTagged(apart x: SchemaVariant, _ y: SchemaVariant) -> Bool {
    x.requirements.contains { name, _ in
      let own = x.schemas(of: name)
      guard let listed = x.side.variants(of: own)?.list, listed.count == 1, let values = listed[0].listed,
        values.count <= VariantSplit.maximumValues
      else { return false }
      let accepted = y.schemas(of: name)
      return !accepted.isEmpty && values.allSatisfy { !x.side.accepts(own, $0) || !y.side.accepts(accepted, $0) }
    }
  }
}

/// Finds a `oneOf` whose alternatives may accept the same value, so that a value of one alternative may be refused.
struct OneOfOverlap {
  private let side: SchemaSide
  /// The maximum number of branches that are compared pair by pair.
  private static let limit = 64

  init(_ side: SchemaSide) { self.side = side }

  /// - Parameter isSafe: Whether a `oneOf` is known to accept what the tested side accepts.
  func find(in variants: SchemaVariants, except isSafe: (SchemaChoice) -> Bool) -> JSON? {
    let disjointness = VariantDisjointness(side)
    for choice in variants.exclusive {
      if let overlap = overlap(of: choice, disjointness), !isSafe(choice) { return overlap }
    }
    return nil
  }

  private func overlap(of choice: SchemaChoice, _ disjointness: VariantDisjointness) -> JSON? {
    let branches = choice.branches
    guard branches.count <= Self.limit else { return branches[0] }
    for (position, branch) in branches.enumerated() {
      for other in branches[(position + 1)...] where !disjointness.areDisjoint([branch], [other]) { return other }
    }
    return nil
  }
}

/// Divides an alternative by the values of a property that tells the alternatives of the other side apart.
struct VariantSplit {
  private let x: SchemaVariant
  private let candidates: [SchemaVariant]
  /// The maximum number of values of the property.
  static let maximumValues = 64

  init(_ x: SchemaVariant, _ candidates: [SchemaVariant]) {
    self.x = x
    self.candidates = candidates
  }

  /// One alternative for each value; `nil` without such a property.
  func variants() -> [SchemaVariant]? {
    for (name, _) in x.requirements {
      let own = x.schemas(of: name)
      guard !own.isEmpty, let expanded = x.side.variants(of: own), expanded.list.count == 1,
        let listed = expanded.list[0].listed, listed.count <= Self.maximumValues,
        case let values = listed.filter({ x.side.accepts(own, $0) }), values.count > 1,
        candidates.contains(where: { y in
          let schemas = y.schemas(of: name)
          return !schemas.isEmpty && y.side.variants(of: schemas)?.list.allSatisfy { $0.listed != nil } == true
        })
      else { continue }
      return values.map { value in
        x.restricted(by: .object(("properties", .object((name, .object(("enum", .array([value]))))))))
      }
    }
    return nil
  }
}

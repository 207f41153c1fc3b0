/// Whether two alternatives have no value in common, as far as simple reasoning shows.
struct VariantDisjointness {
  private let first: SchemaSide
  private let second: SchemaSide
  private let work: ComparisonWork
  /// The maximum depth of properties that are compared.
  private static let depth = 3

  init(_ first: SchemaSide, _ second: SchemaSide, _ work: ComparisonWork) {
    self.first = first
    self.second = second
    self.work = work
  }

  /// Whether schemas of the two sides exclude each other.
  func areDisjoint(_ a: [JSON], _ b: [JSON], depth: Int = depth) -> Bool {
    guard let left = first.variants(of: a), let right = second.variants(of: b) else { return false }
    return left.list.allSatisfy { x in right.list.allSatisfy { areDisjoint(x, $0, depth) } }
  }

  func areDisjoint(_ x: SchemaVariant, _ y: SchemaVariant, _ depth: Int = depth) -> Bool {
    guard work.take(1) else { return false }
    let types = x.types.intersection(y.types)
    if types.isEmpty { return true }
    if let listed = x.listed {
      return work.take(listed.count)
        && listed.allSatisfy { second.refuses(y.schemas, $0) || first.refuses(x.schemas, $0) }
    }
    if let listed = y.listed {
      return work.take(listed.count)
        && listed.allSatisfy { first.refuses(x.schemas, $0) || second.refuses(y.schemas, $0) }
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
      return !accepted.isEmpty && values.allSatisfy { x.side.refuses(own, $0) || y.side.refuses(accepted, $0) }
    }
  }
}

/// The steps that comparisons of alternatives may still take.
final class ComparisonWork {
  private var left = 1_000_000

  /// Takes some steps; returns whether they are left.
  func take(_ steps: Int) -> Bool {
    left = max(0, left - steps)
    return left > 0
  }
}

/// Finds a `oneOf` whose alternatives may accept the same value, so that a value of one alternative may be refused.
struct OneOfOverlap {
  private let sub: SchemaSide
  private let sup: SchemaSide
  private let work: ComparisonWork
  /// The maximum number of branches that are compared pair by pair.
  private static let limit = 64

  init(_ sub: SchemaSide, _ sup: SchemaSide, _ work: ComparisonWork) {
    self.sub = sub
    self.sup = sup
    self.work = work
  }

  /// Two or more branches of one `oneOf`, with values that may be of two of them.
  struct Overlap {
    let branch: JSON
    let candidates: [JSON]
  }

  /// - Parameters:
  ///   - given: The alternatives of the tested side.
  ///   - isSafe: Whether a `oneOf` is known to accept what the tested side accepts.
  func find(
    in variants: SchemaVariants, for given: [SchemaVariant], except isSafe: (SchemaChoice) -> Bool
  ) -> Overlap? {
    for choice in variants.exclusive {
      let pairs = overlaps(of: choice)
      guard let first = pairs.first, !isSafe(choice), !given.allSatisfy({ excludesAllButOne(of: choice, $0) }) else {
        continue
      }
      return Overlap(branch: first[1], candidates: pairs.flatMap { sup.samples(of: $0) })
    }
    return nil
  }

  /// The first pairs of branches that may accept the same value.
  private func overlaps(of choice: SchemaChoice) -> [[JSON]] {
    let disjointness = VariantDisjointness(sup, sup, work)
    let branches = choice.branches
    guard branches.count <= Self.limit else { return [[branches[0], branches[1]]] }
    var pairs: [[JSON]] = []
    for (position, branch) in branches.enumerated() {
      for other in branches[(position + 1)...] where !disjointness.areDisjoint([branch], [other]) {
        pairs.append([branch, other])
        if pairs.count == Self.shown { return pairs }
      }
    }
    return pairs
  }

  /// The maximum number of pairs whose common values are tried.
  private static let shown = 8

  /// Whether an alternative of the tested side has values of one branch at most.
  private func excludesAllButOne(of choice: SchemaChoice, _ variant: SchemaVariant) -> Bool {
    let disjointness = VariantDisjointness(sub, sup, work)
    var possible = 0
    for branch in choice.branches {
      let alternatives = sup.variants(of: [branch])?.list
      if alternatives?.allSatisfy({ disjointness.areDisjoint(variant, $0) }) != true { possible += 1 }
      if possible > 1 { return false }
    }
    return true
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

/// Decides whether every value of one schema is a value of another, and finds the differences if not.
///
/// The answer rests on sets of values. No difference is reported as broken without a value that the schema engine accepts on
/// one side and refuses on the other. A difference without such a value is undecided, never safe.
package final class SchemaComparison {
  /// The side whose values are tested.
  let sub: SchemaSide
  /// The side that may refuse them.
  let sup: SchemaSide
  private let equality: SchemaEqualities
  /// Whether `sub` is the second side of `equality`.
  private let isReversed: Bool
  /// The comparison with exchanged sides, for alternatives that must accept the same values.
  private weak var reverse: SchemaComparison?
  private var cache = PairCache<SchemaPair, [SchemaDifference]>()
  private var searches: [SchemaPair: JSON?] = [:]
  private let work = ComparisonWork()
  /// The pairs of alternatives that the current pair of schemas may still compare.
  private var attemptsLeft = 0
  /// The compared pairs of schemas, each once.
  package private(set) var places = 0
  private var steps = 0
  private var depth = 0

  /// The maximum number of comparisons; what exceeds it is undecided.
  private static let maximumSteps = 2_000_000
  /// The maximum number of differences of one pair.
  private static let maximumDifferences = 100
  /// The maximum number of pairs of alternatives that are compared for one pair of schemas.
  private static let maximumAlternativePairs = 1_024
  /// The maximum number of pairs of alternatives that are compared in search of the nearest.
  private static let maximumNearest = 16

  /// - Parameters:
  ///   - equality: The equality of schemas of both versions, which comparisons in all directions share.
  ///   - isReversed: Whether `sub` is the second side of `equality`.
  package init(
    _ sub: SchemaSide, _ sup: SchemaSide, sharing equality: SchemaEqualities? = nil, isReversed: Bool = false
  ) {
    self.sub = sub
    self.sup = sup
    self.equality = equality ?? SchemaEqualities(sub, sup)
    self.isReversed = isReversed
  }

  /// Two comparisons with exchanged sides, which ask each other.
  package static func pair(
    _ a: SchemaSide, _ b: SchemaSide, sharing equality: SchemaEqualities? = nil, isReversed: Bool = false
  ) -> (SchemaComparison, SchemaComparison) {
    let equality = equality ?? (isReversed ? SchemaEqualities(b, a) : SchemaEqualities(a, b))
    let forward = SchemaComparison(a, b, sharing: equality, isReversed: isReversed)
    let backward = SchemaComparison(b, a, sharing: equality, isReversed: !isReversed)
    forward.reverse = backward
    backward.reverse = forward
    return (forward, backward)
  }

  /// The differences, none if each value that all first schemas accept is accepted by all second ones.
  package func differences(_ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    let a = a.map(sub.target)
    let b = b.map(sup.target).filter { schema in !sup.isAny(schema) && !a.contains { isIdentical($0, schema) } }
    guard !b.isEmpty else { return [] }
    if let loop = b.first(where: sup.isLoop) { return [SchemaDifference(.keyword, "$ref", sub: a.first, sup: loop)] }
    steps += 1
    guard steps <= Self.maximumSteps else { return [SchemaDifference(.keyword, "the number of steps")] }
    let pair = SchemaPair(a, b)
    switch cache.enter(pair) {
    case .known(let differences): return differences
    case .assumed: return []
    case .new(let entry):
      depth += 1
      defer { depth -= 1 }
      guard depth <= DeepRecursion.limit else {
        cache.abandon(entry)
        return [SchemaDifference(.keyword, "the depth of schemas", sub: a.first, sup: b.first)]
      }
      places += 1
      let assumptions = reverse?.cache.assumptions
      let isEqual = b.allSatisfy { schema in a.contains { same($0, schema) } }
      let differences = Self.shortened(compare(a, b).filter { !isEqual || !$0.isFailure })
      cache.leave(
        entry, with: differences, isNeutral: !differences.contains(where: \.isFailure),
        isFinal: assumptions == reverse?.cache.assumptions)
      return differences
    }
  }

  /// The differences up to a limit; beyond it, differences by which values may be refused come first.
  private static func shortened(_ differences: [SchemaDifference]) -> [SchemaDifference] {
    guard differences.count > maximumDifferences else { return differences }
    let failures = Array(differences.filter(\.isFailure).prefix(maximumDifferences))
    return failures + Array(differences.filter { !$0.isFailure }.prefix(maximumDifferences - failures.count))
  }

  /// Whether two schemas of the two sides are equal but for annotations.
  func same(_ a: JSON, _ b: JSON) -> Bool { isReversed ? equality.values.same(b, a) : equality.values.same(a, b) }

  /// Whether two schemas of the two sides are equal with the annotations that have a difference of their own.
  private func isIdentical(_ a: JSON, _ b: JSON) -> Bool {
    isReversed ? equality.annotated.same(b, a) : equality.annotated.same(a, b)
  }

  private func compare(_ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    guard let given = sub.variants(of: a), let accepted = sup.variants(of: b) else {
      return [confirmed(SchemaDifference(.keyword, "the number of alternatives", sub: a.first, sup: b.first), a, b)]
    }
    let outer = attemptsLeft
    defer { attemptsLeft = outer }
    attemptsLeft = Self.maximumAlternativePairs
    var found = DifferenceList()
    for variant in given.list where found.failures < Self.maximumDifferences {
      guard attemptsLeft > 0 else {
        let difference = SchemaDifference(.keyword, "the number of alternatives", sub: a.first, sup: b.first)
        found.add([confirmed(difference, a, b)])
        break
      }
      found.add(differences(of: variant, in: accepted, a, b))
    }
    var result = found.list + discriminators(a, b) + AnnotationComparison(self).differences(a, b)
    if let dynamic = dynamicReference(given, accepted) {
      result.append(confirmed(SchemaDifference(.keyword, "$dynamicRef", sub: dynamic, sup: b.first), a, b))
    }
    let open = given.list.filter { $0.listed == nil }
    if !result.contains(where: \.isFailure), !open.isEmpty,
      let overlap = OneOfOverlap(sub, sup, work).find(in: accepted, for: open, except: { isEquivalent($0, given) })
    {
      let difference = SchemaDifference(
        .keyword, "oneOf", sub: a.first, sup: overlap.branch, candidates: overlap.candidates)
      result.append(confirmed(difference, a, b))
    }
    return result
  }

  /// A discriminator that differs, by which clients decode values.
  private func discriminators(_ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    func first(_ schemas: [JSON], _ side: SchemaSide) -> JSON? {
      schemas.lazy.flatMap { side.library.resolved($0).parts }.compactMap { $0[.discriminator] }.first
    }
    guard let given = first(a, sub), let accepted = first(b, sup), Discriminator(given) != Discriminator(accepted)
    else {
      return []
    }
    return [SchemaDifference(.discriminator, "discriminator", sub: given, sup: accepted, verdict: .stated)]
  }

  /// Whether each alternative of the tested side takes a `oneOf` whose branches accept the same values, one by one.
  private func isEquivalent(_ choice: SchemaChoice, _ given: SchemaVariants) -> Bool {
    guard let reverse else { return false }
    let equivalent = given.exclusive.filter { other in
      other.branches.count == choice.branches.count
        && zip(other.branches, choice.branches).allSatisfy { branch, counterpart in
          !differences([branch], [counterpart]).contains(where: \.isFailure)
            && !reverse.differences([counterpart], [branch]).contains(where: \.isFailure)
        }
    }
    return given.list.allSatisfy { variant in
      variant.listed != nil || variant.exclusive.contains { taken in equivalent.contains { $0.id == taken.id } }
    }
  }

  /// A dynamic reference of the tested side without an equal one on the other side: its target depends on the path to it.
  private func dynamicReference(_ given: SchemaVariants, _ accepted: SchemaVariants) -> JSON? {
    func dynamic(_ variants: SchemaVariants) -> [JSON] {
      variants.list.flatMap(\.parts).compactMap { $0[.dynamicRef] ?? $0[.recursiveRef] }
    }
    let references = dynamic(given)
    guard !references.isEmpty else { return nil }
    let known = dynamic(accepted)
    return references.first { reference in !known.contains { $0 == reference } }
  }

  // MARK: - One alternative

  /// The differences of one alternative of the tested side.
  private func differences(
    of variant: SchemaVariant, in accepted: SchemaVariants, _ a: [JSON], _ b: [JSON]
  ) -> [SchemaDifference] {
    if let listed = variant.listed {
      // A finite set needs no reasoning.
      let refused = listed.lazy.filter { !self.sup.accepts(b, $0) && !self.sub.refuses(a, $0) }
      return refused.prefix(Self.maximumDifferences).map { value in
        let isNull = value.isNull
        return SchemaDifference(
          isNull ? .null : .enumeration, JSONWriter.text(value), sub: variant.listing ?? variant.node,
          sup: listing(in: accepted) ?? b.first, verdict: isProof(value, a, b) ? .broken(value) : .undecided)
      }
    }
    var missing: [SchemaType] = []
    let result = SchemaType.all.flatMap { type -> [SchemaDifference] in
      let types = variant.types.intersection(type.types)
      guard !types.isEmpty else { return [] }
      let candidates = accepted.list.filter { !$0.types.isDisjoint(with: types) }
      if candidates.isEmpty, type.types != .null || variant.types == .any {
        missing.append(type)
        return []
      }
      if let values = type.values { return finite(values, type, variant, candidates, a, b) }
      return nearest(variant, candidates, type, a, b, canSplit: true)
    }
    return (missing.isEmpty ? [] : [without(missing, variant, accepted, a, b)]) + result
  }

  /// The types that no alternative accepts, as one difference.
  private func without(
    _ missing: [SchemaType], _ variant: SchemaVariant, _ accepted: SchemaVariants, _ a: [JSON], _ b: [JSON]
  ) -> SchemaDifference {
    let words = (Self.words(variant.types), Self.words(accepted.list.reduce(into: []) { $0.formUnion($1.types) }))
    let values = missing.sorted { $0.order < $1.order }.flatMap { type in
      sub.samples(of: variant.schemas, types: variant.types.intersection(type.types)) + type.plain + (type.values ?? [])
    }
    let difference = SchemaDifference(
      .type, missing.map(\.name).joined(separator: ", "), sub: variant.keyword(.type) ?? variant.node,
      sup: Self.typeNode(accepted) ?? b.first, words: words, candidates: values)
    return confirmed(difference, a, b)
  }

  /// Whether each value of a small type is accepted.
  private func finite(
    _ values: [JSON], _ type: SchemaType, _ variant: SchemaVariant, _ candidates: [SchemaVariant], _ a: [JSON],
    _ b: [JSON]
  ) -> [SchemaDifference] {
    if candidates.contains(where: { $0.listed == nil && !$0.isOpaque }) { return [] }
    guard let value = values.first(where: { !sup.accepts(b, $0) && !sub.refuses(a, $0) }) else { return [] }
    let isNull = type.types == .null
    return [
      SchemaDifference(
        isNull ? .null : .type, isNull ? "null" : type.name, sub: variant.keyword(.type) ?? variant.node, sup: b.first,
        words: isNull ? (nil, nil) : (Self.words(variant.types), nil),
        verdict: isProof(value, a, b) ? .broken(value) : .undecided)
    ]
  }

  /// The differences from the nearest of some alternatives.
  private func nearest(
    _ x: SchemaVariant, _ candidates: [SchemaVariant], _ type: SchemaType, _ a: [JSON], _ b: [JSON], canSplit: Bool
  ) -> [SchemaDifference] {
    let possible = candidates.filter { !VariantDisjointness.areTagged(apart: x, $0) }
    if possible.isEmpty, x.branches.last != nil || candidates.isEmpty {
      let difference = SchemaDifference(
        .alternative, x.branches.last.map { $0.branchName ?? type.name } ?? "", sub: x.node, sup: b.first,
        candidates: sub.samples(of: x.schemas, types: x.types.intersection(type.types)))
      return [confirmed(difference, a, b)]
    }
    var attempts: [(rank: [Int], differences: [SchemaDifference])] = []
    let candidates = possible.isEmpty ? candidates : possible
    for y in candidates.count == 1 ? candidates : ordered(candidates, for: x) {
      attemptsLeft -= 1
      let found = VariantComparison(self, x, y, type).differences()
      guard found.contains(where: \.isFailure) else { return found }
      attempts.append(([x.hasName(of: y) ? 0 : 1, found.count(where: \.isFailure), attempts.count], found))
    }
    if candidates.count > 1, canSplit, let split = VariantSplit(x, candidates).variants() {
      let parts = split.flatMap { part in
        let left = candidates.filter { !VariantDisjointness.areTagged(apart: part, $0) }
        return nearest(part, left, type, a, b, canSplit: false)
      }
      if !parts.contains(where: { $0.isFailure && $0.witness == nil }) { return parts }
      attempts = [([0], parts)]
    }
    attempts.sort { $0.rank.lexicographicallyPrecedes($1.rank) }
    for attempt in attempts.prefix(Self.maximumAttempts) {
      let result = confirmed(attempt.differences, a, b)
      if candidates.count == 1 || result.contains(where: { $0.witness != nil }) { return result }
    }
    // Several alternatives together may accept what none accepts alone.
    let difference = SchemaDifference(.alternative, "", sub: x.node, sup: b.first)
    return [confirmed(difference, a, b)]
  }

  /// The maximum number of alternatives whose differences are proven in search of the nearest.
  private static let maximumAttempts = 4

  /// The alternatives, those with the most in common first.
  private func ordered(_ candidates: [SchemaVariant], for x: SchemaVariant) -> [SchemaVariant] {
    let own = x.branches.last ?? x.node
    let equal = candidates.filter { y in
      own.map { own in (y.branches.last ?? y.node).map { same(own, $0) } ?? false } ?? false
    }
    let rest = candidates.filter { y in !equal.contains { $0.node?.id == y.node?.id } }
    let ranked = rest.enumerated().map { (position: $0.offset, likeness: x.likeness(to: $0.element)) }
      .sorted { ($1.likeness, $0.position) < ($0.likeness, $1.position) }
    return equal + ranked.prefix(Self.maximumNearest).map { rest[$0.position] }
  }

  private func listing(in accepted: SchemaVariants) -> JSON? { accepted.list.lazy.compactMap(\.listing).first }

  private static func words(_ types: JSONTypeSet) -> String {
    types == .any ? "any" : types.isEmpty ? "none" : types.names.joined(separator: ", ")
  }

  private static func typeNode(_ accepted: SchemaVariants) -> JSON? {
    accepted.list.lazy.compactMap { $0.keyword(.type) }.first
  }

  // MARK: - Proof

  /// Whether one side accepts a value and the other refuses it; neither holds where the engine reaches a limit.
  private func isProof(_ value: JSON, _ a: [JSON], _ b: [JSON]) -> Bool {
    sub.accepts(a, value) && !sup.accepts(b, value) && sup.refuses(b, value)
  }

  /// Differences with their proofs up to a limit, each pair of keywords once.
  private func confirmed(_ differences: [SchemaDifference], _ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    var found = DifferenceList()
    for difference in differences where !found.hasProof(of: difference) {
      guard found.failures < Self.maximumDifferences || !difference.isFailure else { continue }
      found.add([confirmed(difference, a, b)])
    }
    return found.list
  }

  /// The difference with the first of its values that proves it, or one that a search finds.
  func confirmed(_ difference: SchemaDifference, _ a: [JSON], _ b: [JSON]) -> SchemaDifference {
    guard difference.isUndecided else { return difference }
    var confirmed = difference
    let proof =
      difference.candidates.first { isProof($0, a, b) }
      // A value of a search shows a difference of the whole, not of a part.
      ?? (difference.path.isEmpty ? counterexample(a, b) : nil)
    if let proof { confirmed.verdict = .broken(proof) }
    // A stored difference needs no further values.
    confirmed.candidates = []
    return confirmed
  }

  /// A value of the first schemas that the second ones refuse, if a search finds one.
  private func counterexample(_ a: [JSON], _ b: [JSON]) -> JSON? {
    let pair = SchemaPair(a, b)
    if let known = searches[pair] { return known }
    let found = sub.manySamples(of: a).first { isProof($0, a, b) }
    searches[pair] = .some(found)
    return found
  }
}

/// The types of JSON, each with its values if these are few.
struct SchemaType: Sendable {
  let name: String
  let types: JSONTypeSet
  var values: [JSON]?
  /// Plain values of the type.
  var plain: [JSON] = []

  /// Strings are the plainest values, `null` the least plain.
  var order: Int { types == .string ? 0 : types == .null ? 2 : 1 }

  static let null = SchemaType(name: "null", types: .null, values: [.null])
  static let boolean = SchemaType(name: "boolean", types: .boolean, values: [true, false])
  static let number = SchemaType(name: "number", types: .number, plain: [1, 0.5])
  static let string = SchemaType(name: "string", types: .string, plain: ["a"])
  static let array = SchemaType(name: "array", types: .array, plain: [[]])
  static let object = SchemaType(name: "object", types: .object, plain: [[:]])
  static let all = [null, boolean, number, string, array, object]
}

extension JSON {
  /// The last name in a branch's reference, or the title of a branch without one.
  fileprivate var branchName: String? {
    let reference = self["$ref"]?.string?.utf8.split(separator: UInt8(ascii: "/")).last
    return reference.map { String(decoding: $0, as: UTF8.self) } ?? self["title"]?.string
  }
}

extension SchemaVariant {
  /// The first value of a keyword.
  func keyword(_ keyword: Keyword) -> JSON? { all(keyword).first }

  /// Whether keywords that are not compared may refuse values of any type.
  var isOpaque: Bool {
    isPartial
      || parts.contains { part in
        [Keyword.not, .if, .dynamicRef, .recursiveRef].contains { part[$0] != nil }
      }
  }

  /// Whether the last branches have the same reference or title.
  func hasName(of other: SchemaVariant) -> Bool {
    branches.last?.branchName.map { $0 == other.branches.last?.branchName } ?? false
  }

  /// The number of names, titles and references in common.
  func likeness(to other: SchemaVariant) -> Int {
    let names = Set(declaredNames)
    let shared = other.declaredNames.count { names.contains($0) }
    return shared + (hasName(of: other) ? 100 : 0)
      + (types == other.types ? 10 : 0)
  }
}

/// Decides whether every value of one schema is a value of another, and finds the differences if not.
///
/// The answer rests on sets of values. No difference is reported as broken without a value that the schema engine accepts on
/// one side and refuses on the other. A difference without such a value is undecided, never safe.
package final class SchemaComparison {
  /// The side whose values are tested.
  let sub: SchemaSide
  /// The side that may refuse them.
  let sup: SchemaSide
  private let equality: SchemaEquality
  /// Equality that counts annotations with a difference of their own.
  private let identity: SchemaEquality
  /// The comparison with exchanged sides, for alternatives that must accept the same values.
  private weak var reverse: SchemaComparison?
  private var cache = PairCache<[SchemaDifference]>()
  private var searches: [PairCache<JSON?>.Pair: JSON?] = [:]
  /// The compared pairs of schemas, each once.
  package private(set) var places = 0
  private var steps = 0

  /// The maximum number of comparisons; what exceeds it is undecided.
  private static let maximumSteps = 2_000_000
  /// The maximum number of differences of one pair.
  private static let maximumDifferences = 100
  /// The maximum number of pairs of alternatives that are compared in search of the nearest.
  private static let maximumNearest = 16

  package init(_ sub: SchemaSide, _ sup: SchemaSide) {
    self.sub = sub
    self.sup = sup
    equality = SchemaEquality(sub, sup)
    identity = SchemaEquality(sub, sup, annotations: AnnotationComparison.keywords)
  }

  /// Two comparisons with exchanged sides, which ask each other.
  package static func pair(_ a: SchemaSide, _ b: SchemaSide) -> (SchemaComparison, SchemaComparison) {
    let (forward, backward) = (SchemaComparison(a, b), SchemaComparison(b, a))
    forward.reverse = backward
    backward.reverse = forward
    return (forward, backward)
  }

  /// The differences, none if each value that all first schemas accept is accepted by all second ones.
  package func differences(_ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    let a = a.map(sub.target)
    let b = b.map(sup.target).filter { schema in !sup.isAny(schema) && !a.contains { identity.same($0, schema) } }
    guard !b.isEmpty else { return [] }
    if let loop = b.first(where: sup.isLoop) { return [SchemaDifference(.keyword, "$ref", sub: a.first, sup: loop)] }
    steps += 1
    guard steps <= Self.maximumSteps else { return [SchemaDifference(.keyword, "the number of steps")] }
    let pair = PairCache<[SchemaDifference]>.Pair(a, b)
    switch cache.enter(pair) {
    case .known(let differences): return differences
    case .assumed: return []
    case .new(let entry):
      places += 1
      let isEqual = b.allSatisfy { schema in a.contains { equality.same($0, schema) } }
      let differences = Array(compare(a, b).filter { !isEqual || !$0.isFailure }.prefix(Self.maximumDifferences))
      cache.leave(entry, with: differences, isNeutral: !differences.contains(where: \.isFailure))
      return differences
    }
  }

  /// Whether two schemas of the two sides are equal but for annotations.
  func same(_ a: JSON, _ b: JSON) -> Bool { equality.same(a, b) }

  private func compare(_ a: [JSON], _ b: [JSON]) -> [SchemaDifference] {
    guard let given = sub.variants(of: a), let accepted = sup.variants(of: b) else {
      return [confirmed(SchemaDifference(.keyword, "the number of alternatives", sub: a.first, sup: b.first), a, b)]
    }
    var result: [SchemaDifference] = []
    for variant in given.list {
      for difference in differences(of: variant, in: accepted, a, b)
      where !result.contains(where: { $0.isAbout(difference) }) {
        result.append(difference)
      }
    }
    result += discriminators(a, b) + AnnotationComparison(self).differences(a, b)
    if !result.contains(where: \.isFailure), given.list.contains(where: { $0.listed == nil }),
      let overlap = OneOfOverlap(sup).find(in: accepted, except: { isEquivalent($0, given) })
    {
      let difference = SchemaDifference(.keyword, "oneOf", sub: a.first, sup: overlap)
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

  /// Whether the tested side has a `oneOf` whose branches accept the same values, one by one.
  private func isEquivalent(_ choice: SchemaChoice, _ given: SchemaVariants) -> Bool {
    guard let reverse else { return false }
    return given.exclusive.contains { other in
      other.branches.count == choice.branches.count
        && zip(other.branches, choice.branches).allSatisfy { branch, counterpart in
          !differences([branch], [counterpart]).contains(where: \.isFailure)
            && !reverse.differences([counterpart], [branch]).contains(where: \.isFailure)
        }
    }
  }

  // MARK: - One alternative

  /// The differences of one alternative of the tested side.
  private func differences(
    of variant: SchemaVariant, in accepted: SchemaVariants, _ a: [JSON], _ b: [JSON]
  ) -> [SchemaDifference] {
    if let listed = variant.listed {
      // A finite set needs no reasoning.
      return listed.filter { sub.accepts(a, $0) && !sup.accepts(b, $0) }.prefix(Self.maximumDifferences).map { value in
        let isNull = value.isNull
        return SchemaDifference(
          isNull ? .null : .enumeration, JSONWriter.text(value), sub: variant.listing ?? variant.node,
          sup: listing(in: accepted) ?? b.first, verdict: .broken(value))
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
    guard let value = values.first(where: { sub.accepts(a, $0) && !sup.accepts(b, $0) }) else { return [] }
    let isNull = type.types == .null
    return [
      SchemaDifference(
        isNull ? .null : .type, isNull ? "null" : type.name, sub: variant.keyword(.type) ?? variant.node, sup: b.first,
        words: isNull ? (nil, nil) : (Self.words(variant.types), nil), verdict: .broken(value))
    ]
  }

  /// The differences from the nearest of some alternatives.
  private func nearest(
    _ x: SchemaVariant, _ candidates: [SchemaVariant], _ type: SchemaType, _ a: [JSON], _ b: [JSON], canSplit: Bool
  ) -> [SchemaDifference] {
    if let branch = x.branches.last, candidates.allSatisfy({ VariantDisjointness.areTagged(apart: x, $0) }) {
      let difference = SchemaDifference(
        .alternative, branch.branchName ?? type.name, sub: branch, sup: b.first,
        candidates: sub.samples(of: x.schemas, types: x.types.intersection(type.types)))
      return [confirmed(difference, a, b)]
    }
    var best: [SchemaDifference]?
    let ordered = candidates.count == 1 ? candidates : ordered(candidates, for: x)
    for y in ordered {
      let found = VariantComparison(self, x, y, type).differences()
      guard found.contains(where: \.isFailure) else { return found }
      if found.count(where: \.isFailure) < best?.count(where: \.isFailure) ?? .max { best = found }
    }
    var differences = best ?? []
    if candidates.count > 1, canSplit, let split = VariantSplit(x, candidates).variants() {
      let parts = split.flatMap { part in
        nearest(
          part, candidates.filter { !VariantDisjointness.areTagged(apart: part, $0) }, type, a, b, canSplit: false)
      }
      if !parts.contains(where: \.isFailure) { return parts }
      differences = parts
    }
    let result = differences.map { confirmed($0, a, b) }
    if candidates.count > 1, !result.contains(where: { $0.witness != nil }), result.contains(where: \.isFailure) {
      // Several alternatives together may accept what none accepts alone.
      let difference = SchemaDifference(.alternative, "", sub: x.node, sup: b.first)
      return [confirmed(difference, a, b)]
    }
    return result
  }

  /// The alternatives, those with the most in common first.
  private func ordered(_ candidates: [SchemaVariant], for x: SchemaVariant) -> [SchemaVariant] {
    let own = x.branches.last ?? x.node
    let equal = candidates.filter { y in
      own.map { own in (y.branches.last ?? y.node).map { equality.same(own, $0) } ?? false } ?? false
    }
    let rest = candidates.filter { y in !equal.contains { $0.node?.id == y.node?.id } }
    let named = rest.sorted { x.likeness(to: $0) > x.likeness(to: $1) }
    return equal + named.prefix(Self.maximumNearest)
  }

  private func listing(in accepted: SchemaVariants) -> JSON? { accepted.list.lazy.compactMap(\.listing).first }

  private static func words(_ types: JSONTypeSet) -> String {
    types == .any ? "any" : types.isEmpty ? "none" : types.names.joined(separator: ", ")
  }

  private static func typeNode(_ accepted: SchemaVariants) -> JSON? {
    accepted.list.lazy.compactMap { $0.keyword(.type) }.first
  }

  // MARK: - Proof

  /// The difference with the first of its values that proves it, or one that a search finds.
  func confirmed(_ difference: SchemaDifference, _ a: [JSON], _ b: [JSON]) -> SchemaDifference {
    guard difference.isUndecided else { return difference }
    var confirmed = difference
    let proof =
      difference.candidates.first { sub.accepts(a, $0) && !sup.accepts(b, $0) }
      // A value of a search shows a difference of the whole, not of a part.
      ?? (difference.path.isEmpty ? counterexample(a, b) : nil)
    if let proof { confirmed.verdict = .broken(proof) }
    // A stored difference needs no further values.
    confirmed.candidates = []
    return confirmed
  }

  /// A value of the first schemas that the second ones refuse, if a search finds one.
  private func counterexample(_ a: [JSON], _ b: [JSON]) -> JSON? {
    let pair = PairCache<JSON?>.Pair(a, b)
    if let known = searches[pair] { return known }
    let found = sub.manySamples(of: a).first { sub.accepts(a, $0) && !sup.accepts(b, $0) }
    searches[pair] = .some(found)
    return found
  }
}

extension SchemaDifference {
  /// Whether both report the same at the same place.
  fileprivate func isAbout(_ other: SchemaDifference) -> Bool {
    kind == other.kind && path == other.path && subject.utf8Equals(other.subject) && sup?.id == other.sup?.id
      && sub?.id == other.sub?.id
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
    parts.contains { part in
      [Keyword.not, .if, .dynamicRef, .recursiveRef].contains { part[$0] != nil }
    }
  }

  /// The number of names, titles and references in common.
  func likeness(to other: SchemaVariant) -> Int {
    let names = Set(declaredNames)
    let shared = other.declaredNames.count { names.contains($0) }
    let reference = branches.last?.branchName
    let second = other.branches.last?.branchName
    return shared + (reference != nil && reference == second ? 100 : 0)
      + (types == other.types ? 10 : 0)
  }
}

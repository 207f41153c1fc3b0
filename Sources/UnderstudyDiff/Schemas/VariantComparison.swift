/// Compares one alternative of each side for values of one JSON type.
struct VariantComparison {
  let comparison: SchemaComparison
  /// The alternative whose values are tested.
  let x: SchemaVariant
  /// The alternative that may refuse them.
  let y: SchemaVariant
  let type: SchemaType

  init(_ comparison: SchemaComparison, _ x: SchemaVariant, _ y: SchemaVariant, _ type: SchemaType) {
    self.comparison = comparison
    self.x = x
    self.y = y
    self.type = type
  }

  var sub: SchemaSide { comparison.sub }
  var sup: SchemaSide { comparison.sup }

  func differences() -> [SchemaDifference] {
    if let listed = y.listed {
      let words = listed.prefix(Self.shownValues).map { JSONWriter.text($0) }.joined(separator: ", ")
      return [
        SchemaDifference(
          .enumeration, "", sub: x.node, sup: y.listing,
          words: (nil, words + (listed.count > Self.shownValues ? ", ..." : "")), candidates: bases + type.plain)
      ]
    }
    let own: [SchemaDifference]
    switch type.types {
    case .number: own = NumberComparison(self).differences()
    case .string: own = StringComparison(self).differences()
    case .array: own = ArrayComparison(self).differences()
    default: own = ObjectComparison(self).differences()
    }
    let partial = y.isPartial ? [SchemaDifference(.keyword, "allOf", sub: x.node, sup: y.node, candidates: bases)] : []
    return own + OpaqueKeywords(self).differences() + partial
  }

  /// The maximum number of listed values in a message.
  private static let shownValues = 8

  /// Values of the tested alternative, the smallest first.
  var bases: [JSON] { sub.samples(of: x.schemas, types: x.types.intersection(type.types)) }

  /// The keyword in the tested alternative, or its schema.
  func subNode(_ keyword: Keyword) -> JSON? { x.keyword(keyword) ?? x.node }
}

/// Keywords that are compared as a whole: equal ones are safe, others are undecided.
struct OpaqueKeywords {
  private let pair: VariantComparison

  init(_ pair: VariantComparison) { self.pair = pair }

  func differences() -> [SchemaDifference] {
    pair.y.parts.flatMap { part in
      keywords.compactMap { keyword -> SchemaDifference? in
        guard let value = part[keyword], !isTrivial(keyword, value, in: part), !isMatched(keyword, value, part) else {
          return nil
        }
        return SchemaDifference(
          .keyword, keyword.name, sub: pair.subNode(keyword), sup: value,
          candidates: pair.bases + (Self.refusing.contains(keyword) ? pair.sup.samples(of: [value]) : []))
      }
    }
  }

  /// Keywords whose own values may be refused.
  private static let refusing: [Keyword] = [.not, .if]

  private var keywords: [Keyword] {
    let any: [Keyword] = [.not, .if, .dynamicRef, .recursiveRef]
    switch pair.type.types {
    case .array: return any + [.contains, .unevaluatedItems]
    case .object: return any + [.dependentSchemas, .dependencies, .unevaluatedProperties]
    default: return any
    }
  }

  private func isTrivial(_ keyword: Keyword, _ value: JSON, in part: ResolvedSchema.Part) -> Bool {
    switch keyword {
    case .if: part[.then] == nil && part[.else] == nil
    case .contains: part[.minContains]?.int == 0 && part[.maxContains] == nil
    case .unevaluatedItems, .unevaluatedProperties:
      pair.sup.isAny(value) || keyword == .unevaluatedProperties && pair.y.hasPlainUnevaluated
    // A type is excluded from the types of the variant.
    case .not: value.isObject && pair.sup.keywords(of: value).map(\.keyword) == [.type]
    case .dependencies: value.members.allSatisfy { $0.value.isArray }
    default: false
    }
  }

  /// Whether the tested side has an equal keyword, or one that accepts less.
  private func isMatched(_ keyword: Keyword, _ value: JSON, _ part: ResolvedSchema.Part) -> Bool {
    pair.x.parts.contains { other in
      guard let own = other[keyword] else { return false }
      switch keyword {
      case .if: return [Keyword.if, .then, .else].allSatisfy { isSame(other[$0], part[$0]) }
      case .contains:
        return pair.comparison.same(own, value) && other[.minContains] == part[.minContains]
          && other[.maxContains] == part[.maxContains]
      case .unevaluatedItems, .unevaluatedProperties, .dynamicRef, .recursiveRef:
        return pair.comparison.same(other.schema, part.schema)
      case .dependentSchemas, .dependencies:
        return value.members.allSatisfy { member in
          own[member.name].map { $0 == member.value || pair.comparison.same($0, member.value) } ?? false
        }
      default: return pair.comparison.same(own, value)
      }
    }
  }

  private func isSame(_ a: JSON?, _ b: JSON?) -> Bool {
    switch (a, b) {
    case (nil, nil): true
    case (let a?, let b?): pair.comparison.same(a, b)
    default: false
    }
  }
}

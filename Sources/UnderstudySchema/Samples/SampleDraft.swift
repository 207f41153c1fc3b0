/// The search for a value through the combinations of branches and types of one schema.
struct SampleDraft {
  private let attempt: SampleAttempt
  private let base: SchemaIntersection
  private let place: SamplePlace
  /// The first reason why a combination has no value.
  private var obstacle: SampleConflict?
  /// Whether all combinations so far are certainly impossible.
  private var isProof = true
  /// Whether the first refused value fits more than one branch of a `oneOf`.
  private var isAmbiguous: Bool?

  /// The most combinations to try for one value, without impossible ones.
  private static let maximumTurns = 24

  init(_ attempt: SampleAttempt, _ base: SchemaIntersection, _ place: SamplePlace) {
    self.attempt = attempt
    self.base = base
    self.place = place
  }

  mutating func sample() -> JSON? {
    let mustValidate = attempt.strategy.validatesParts || base.isContended
    var combinations = BranchCombinations(attempt, base, place)
    var turn = 0
    while turn < Self.maximumTurns, attempt.budget.hasValues, let schema = combinations.next() {
      attempt.clearConflict()
      guard let value = value(of: schema, place.below(schema)) else {
        // An impossible combination costs little and does not count.
        if attempt.conflict?.isProof != true { (isProof, turn) = (false, turn + 1) }
        obstacle = obstacle ?? attempt.conflict
        continue
      }
      if !mustValidate || attempt.validator.accepts(value, base.origins) { return value }
      (isProof, turn) = (false, turn + 1)
      isAmbiguous = isAmbiguous ?? !attempt.validator.extraBranches(of: base, accepting: value).isEmpty
    }
    return fail(combinations)
  }

  private mutating func fail(_ combinations: BranchCombinations) -> JSON? {
    isProof = isProof && combinations.isDone && !base.isLoose
    if var obstacle {
      obstacle.isProof = isProof
      return attempt.fail(obstacle)
    }
    if let isAmbiguous { return attempt.fail(rejection(isAmbiguous), base, naming: base.keywords) }
    guard combinations.isDone else { return attempt.fail(attempt.costs(of: base), base, naming: base.keywords) }
    return failTypes(base, isProof: isProof)
  }

  private func rejection(_ isAmbiguous: Bool) -> String {
    if let reason = attempt.validator.tooCostly { return reason }
    if isAmbiguous { return "all attempted values fit more than one branch of `oneOf`" }
    return "no attempted value fits \(base.wordsForKeywords)\(base.keywords.count == 1 ? "" : " together")"
  }

  /// No combination of branches leaves a type.
  private func failTypes(_ schema: SchemaIntersection, isProof: Bool) -> JSON? {
    let names = schema.parts.compactMap { attempt.reader.types(of: $0)?.flatMap(\.names).joined(separator: " or ") }
    let words = names.count == 2 ? "s \(names[0]) and \(names[1])" : "s of the schemas that apply together"
    return attempt.fail(
      "the `type`\(words) have no common type", schema,
      naming: ["type"] + (schema.choices.isEmpty ? [] : ["anyOf", "oneOf"]), isProof: isProof)
  }

  private func value(of schema: SchemaIntersection, _ place: SamplePlace) -> JSON? {
    let listed = ListedSamples(attempt: attempt, schema: schema)
    if let values = listed.values {
      if let value = listed.sample(values, place) { return value }
      // A list without a meaning in its dialect excludes nothing.
      guard schema.isLoose else { return nil }
    }
    switch schema.type {
    case .object: return ObjectSamples(attempt: attempt, base: schema, place: place).sample()
    case .array: return ArraySamples(attempt, schema, place).sample()
    case .string: return StringSamples(attempt, schema, place).sample()
    case .integer, .number: return NumberSamples(attempt, schema).sample(place)
    case .boolean:
      let isFirst = attempt.random(at: place).choice(of: [true, false])
      return .make { $0.append(isFirst != (place.serial % 2 == 1)) }
    case .null: return .make { $0.append(.null) }
    default: return failTypes(schema, isProof: true)
    }
  }
}

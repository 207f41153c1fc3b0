/// One attempt at a value by one strategy: the recursion through the schemas, and the reason for a missing value.
///
/// The types for the JSON types (`ObjectSamples`, `StringSamples` ...) make their parts by `value(_:_:)`.
final class SampleAttempt {
  let validator: SampleValidator
  let reader: SchemaReader
  let children: ChildSchemas
  let recursion: SchemaRecursion
  let cache = SampleCache()
  private(set) var strategy: SampleStrategy
  /// The reason why the last value could not be made.
  private(set) var conflict: SampleConflict?
  private let start: UInt64
  private let isPlain: Bool
  let clock: SampleClock?

  /// Below this depth only required properties and elements are made.
  static let optionalDepth = 7
  /// The deepest nesting of values.
  static let maximumDepth = 48

  /// - Parameters:
  ///   - start: The hash that determines all choices.
  ///   - isPlain: Whether to always take the first choice.
  ///   - clock: The day around which dates lie.
  init(
    _ validator: SampleValidator, _ strategy: SampleStrategy, start: UInt64, isPlain: Bool, clock: SampleClock? = nil
  ) {
    self.validator = validator
    self.strategy = strategy
    self.start = start
    self.isPlain = isPlain
    self.clock = clock
    reader = SchemaReader(validator.schemas, validator.budget, readsBesideReference: strategy.readsBesideReference)
    children = ChildSchemas(validator.budget)
    recursion = SchemaRecursion(reader: reader, children: children)
  }

  var budget: GenerationBudget { validator.budget }

  /// The choices at one place: they depend on its path alone, so that a new property does not change its neighbours.
  func random(at place: SamplePlace) -> SeededGenerator {
    SeededGenerator(
      state: SeededGenerator.hash(place.ordinal, onto: start ^ place.salt), isPlain: isPlain && !strategy.isRandom,
      ordinal: place.ordinal)
  }

  /// Runs `body` under a changed strategy.
  func with<T>(_ change: (inout SampleStrategy) -> Void, _ body: () -> T) -> T {
    let saved = strategy
    defer { strategy = saved }
    change(&strategy)
    return body()
  }

  func intersection(of origins: [JSON]) -> SchemaIntersection { SchemaIntersection(origins, reader) }

  // MARK: - Conflicts

  /// Records the reason for a missing value, with the conflicting keywords.
  func fail(
    _ reason: String, _ schema: SchemaIntersection, naming keywords: [String] = [], isProof: Bool = false
  ) -> JSON? {
    fail(SampleConflict(reason, in: schema, naming: keywords, isProof: isProof))
  }

  func fail(_ conflict: SampleConflict?) -> JSON? {
    self.conflict = conflict
    return nil
  }

  /// Clears the last conflict, before the next combination of branches.
  func clearConflict() { conflict = nil }

  /// Records that the last conflict proves nothing.
  func doubtConflict() { conflict?.isProof = false }

  /// The reason for a missing value when the budget is spent.
  func costs(of schema: SchemaIntersection) -> String {
    if let reason = validator.tooCostly { return reason }
    guard !schema.keywords.isEmpty else { return "the value has too many parts or combinations" }
    let verb = schema.keywords.count == 1 ? "leads" : "lead"
    return "\(schema.wordsForKeywords) \(verb) to too many parts or combinations"
  }

  // MARK: - Recursion

  /// A value for all `origins`, as far as their keywords are understood; otherwise `conflict` has the reason.
  func value(_ origins: [JSON], _ place: SamplePlace) -> JSON? {
    budget.spendValue()
    let schema = intersection(of: origins)
    var place = place
    // The smallest value of a schema holds no other value of the same schema.
    if place.depth >= Self.optionalDepth, place.isEnclosed(by: origins) {
      return fail(
        "the schema requires infinitely nested values", schema, naming: ["$ref", "$dynamicRef"], isProof: true)
    }
    guard place.depth < Self.maximumDepth else {
      return fail("the values are nested deeper than \(Self.maximumDepth) levels", schema)
    }
    guard budget.hasValues, !budget.isSpent else { return fail(costs(of: schema), schema, naming: schema.keywords) }
    place.enclose(by: origins)
    if let forbidding = schema.forbidding {
      var conflict = SampleConflict("`false` accepts nothing", in: schema, isProof: true)
      conflict.schema = forbidding
      return fail(conflict)
    }
    if strategy.usesExamples, place.serial == 0,
      let example = ExampleSamples(attempt: self, schema: schema).sample(place),
      !strategy.isSmallest || !(example.isObject || example.isArray)
    {
      return example
    }
    if let value = draft(schema, place) { return value }
    if validator.isLenient { return schema.plainValue }
    // A value may fit two branches of a `oneOf` because of its optional properties, or break a `not` by chance.
    guard schema.isContended, conflict?.isProof != true else { return nil }
    let first = conflict
    if let value = retry(schema, place) { return value }
    conflict = conflict?.isProof == true ? conflict : first
    return nil
  }

  /// Further attempts: without optional properties, and with random choices.
  private func retry(_ schema: SchemaIntersection, _ place: SamplePlace) -> JSON? {
    with({ ($0.usesExamples, $0.fillsOptional) = (false, false) }) {
      if let value = draft(schema, place) { return value }
      strategy.isRandom = true
      for turn in 1...3 where conflict?.isProof != true {
        strategy.fillsOptional = turn != 2
        if let value = draft(schema, place.salted(turn)) { return value }
      }
      guard conflict?.isProof != true else { return nil }
      return LastResort(attempt: self, base: schema, place: place).sample()
    }
  }

  private func draft(_ schema: SchemaIntersection, _ place: SamplePlace) -> JSON? {
    var draft = SampleDraft(self, schema, place)
    return draft.sample()
  }
}

/// Makes values that fit a schema, and values that break one keyword of it.
///
/// A value is drafted from the keywords and then validated; the generator never returns an invalid draft. The same seed
/// and schema give the same bytes on every machine. Seed `0` gives plain values with their optional properties; any other
/// seed varies values, branches and the choice of optional properties.
package struct SampleGenerator: Sendable {
  let schemas: SchemaLibrary
  private let seed: String
  private let clock: SampleClock?

  /// - Parameter clock: The day around which dates lie; without one they are the same every day.
  package init(schemas: SchemaLibrary, seed: String, clock: SampleClock? = nil) {
    self.schemas = schemas
    self.seed = seed
    self.clock = clock
  }

  /// A value that the schema accepts; `nil` if none was found (see `conflict`), or the budget did not suffice.
  package func sample(of schema: JSON, direction: Direction, within budget: WorkBudget? = nil) -> JSON? {
    search(schema, direction: direction, within: budget).value
  }

  /// The reason why no value was found; `nil` if one was.
  package func conflict(of schema: JSON, direction: Direction = .either) -> SampleConflict? {
    attempt(schema, direction: direction).conflict
  }

  /// Whether the schema accepts every value.
  package func acceptsEverything(_ schema: JSON, direction: Direction) -> Bool {
    schemas.schema(at: schema, direction: direction).acceptsEverything
  }

  /// A value that the schema accepts, or the reason why none was found.
  package func attempt(_ schema: JSON, direction: Direction) -> (value: JSON?, conflict: SampleConflict?) {
    search(schema, direction: direction)
  }

  /// A value without optional properties, if one is found; else any value.
  package func smallestSample(of schema: JSON, direction: Direction, within budget: WorkBudget? = nil) -> JSON? {
    search(schema, direction: direction, by: SampleStrategy.smallest, within: budget).value
      ?? sample(of: schema, direction: direction, within: budget)
  }

  private func search(
    _ schema: JSON, direction: Direction, by strategies: [SampleStrategy] = SampleStrategy.inOrder,
    within budget: WorkBudget? = nil
  ) -> (value: JSON?, conflict: SampleConflict?) {
    let compiled = schemas.schema(at: schema, direction: direction)
    let validator = SampleValidator(schemas, direction, within: budget)
    var conflict: SampleConflict?
    for strategy in strategies where conflict == nil || validator.budget.hasMore {
      validator.budget.beginAttempt()
      let attempt = attempt(at: schema, strategy, validator)
      if let value = attempt.value([schema], .root) {
        if validator.accepts(value, by: compiled) { return (value, nil) }
        let reason = validator.tooCostly ?? "all attempted values break another keyword"
        conflict = conflict ?? SampleConflict(reason: reason, schema: schema)
        continue
      }
      conflict = conflict ?? attempt.conflict
      // Further attempts would draft as many values in vain.
      if validator.budget.isSpent || !validator.budget.hasValues, Self.isTooLarge(schema, attempt.reader) {
        return (
          nil,
          SampleConflict(
            reason: "the smallest value has more than \(GenerationBudget.maximumParts) parts", schema: schema)
        )
      }
      // A proof must not rest on a keyword that is ignored because of its value.
      if let proof = attempt.conflict, proof.isProof, !strategy.keepsHidden, compiled.problems.allSatisfy(proof.names) {
        return (nil, proof)
      }
    }
    conflict?.isProof = false
    // A problem that makes the schema refuse every value comes before the conflicts of the drafts.
    let problem = compiled.problems.first { $0.severity == .error || $0.rule == .patternTooLarge }
    let proof = problem.map { SampleConflict(reason: $0.message, schema: schema, isProof: true) }
    return (nil, proof ?? conflict ?? SampleConflict(reason: "it takes too many steps", schema: schema))
  }

  /// Whether each value of a schema has more values than an attempt may draft.
  private static func isTooLarge(_ schema: JSON, _ reader: SchemaReader) -> Bool {
    var smallest = SmallestSize(reader)
    return smallest.size(of: schema) > GenerationBudget.maximumParts
  }

  /// A value that resembles the schema where `sample` finds none: each choice takes its first branch, and what the keywords
  /// exclude together is plain.
  package func bestEffort(of schema: JSON, direction: Direction, within budget: WorkBudget? = nil) -> JSON {
    let validator = SampleValidator(schemas, direction, isLenient: true, within: budget)
    let attempt = attempt(at: schema, SampleStrategy(), validator)
    guard !Self.isTooLarge(schema, attempt.reader) else { return attempt.intersection(of: [schema]).plainValue }
    return attempt.value([schema], .root) ?? attempt.intersection(of: [schema]).plainValue
  }

  /// An attempt at values of a schema by one strategy; its choices depend on the seed and on the schema's place.
  func attempt(at schema: JSON, _ strategy: SampleStrategy, _ validator: SampleValidator) -> SampleAttempt {
    let start = SeededGenerator.hash(schema.pointer.description, onto: SeededGenerator.hash(seed))
    return SampleAttempt(validator, strategy, start: start, isPlain: seed == "0", clock: clock)
  }

  /// A text that a pattern matches; `nil` if none was found.
  package func sample(matching pattern: Pattern) -> String? {
    guard let sampler = PatternSampler(pattern.text) else { return nil }
    let budget = GenerationBudget()
    let start = SeededGenerator.hash(pattern.text, onto: SeededGenerator.hash(seed))
    for turn in 0..<8 {
      var random = SeededGenerator(
        state: SeededGenerator.hash(turn, onto: start), isPlain: seed == "0" && turn == 0, ordinal: 0)
      // Longer texts come later: a lookahead may need room.
      guard let text = budget.match(of: sampler, atLeast: turn * 3, atMost: 200, &random) else { continue }
      if pattern.matches(text) == .yes { return text }
    }
    return nil
  }
}

/// A value that breaks exactly one keyword at one place.
package struct InvalidSample: Sendable {
  /// The whole value.
  package let value: JSON
  /// The keyword that is broken: `minLength`, `required`, `additionalProperties`.
  package let keyword: String
  /// The path to the value that breaks it.
  package let instance: JSONPointer
}

extension SampleGenerator {
  /// The most invalid samples of one schema.
  package static let maximumInvalidSamples = 500

  /// Values that break one keyword each, in document order of the sample from which they are made.
  ///
  /// Where the schema has alternatives, the choice around the broken keyword fails too; it is not counted.
  package func invalidSamples(
    of schema: JSON, direction: Direction, limit: Int = maximumInvalidSamples
  ) -> [InvalidSample] {
    guard let whole = sample(of: schema, direction: direction) else { return [] }
    let compiled = schemas.schema(at: schema, direction: direction)
    let validator = SampleValidator(schemas, direction)
    let attempt = attempt(at: schema, SampleStrategy(usesExamples: false, fillsOptional: false), validator)
    let budget = validator.budget
    // Every failure costs at least as much as the validation of the whole.
    _ = validator.accepts(whole, by: compiled)
    let cause = InvalidCause(price: GenerationBudget.whole - budget.left, attempt: attempt)
    var samples: [InvalidSample] = []
    var seen: Set<String> = []
    var walk = SampleWalk(whole, schema, attempt)
    while samples.count < limit, let part = walk.next() {
      for candidate in InvalidValues(attempt: attempt, schema: part.schema).beside(part.value) where !budget.isSpent {
        budget.spend(cause.price)
        let value = walk.replacing(part, with: candidate.value)
        guard let (keyword, instance) = cause.only(of: compiled.failures(value)),
          seen.insert("\(keyword) \(instance) \(candidate.tag)").inserted
        else { continue }
        samples.append(InvalidSample(value: value, keyword: keyword, instance: instance))
      }
    }
    return samples
  }
}

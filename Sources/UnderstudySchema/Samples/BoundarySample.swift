/// A valid value with one part at a limit of its schema.
package struct BoundarySample: Sendable {
  /// The whole value.
  package let value: JSON
  /// The path to the part at the limit.
  package let instance: JSONPointer
}

extension SampleGenerator {
  /// The most boundary samples of one schema.
  private static let maximumBoundaries = 200

  /// Valid values with one part at its limit: the least and the greatest number, the shortest and the longest text or list,
  /// the empty object, `null`, each of a few listed values; in document order of the sample from which they are made.
  package func boundaries(of schema: JSON, direction: Direction, within budget: WorkBudget? = nil) -> [BoundarySample] {
    guard let whole = sample(of: schema, direction: direction, within: budget) else { return [] }
    let compiled = schemas.schema(at: schema, direction: direction)
    let validator = SampleValidator(schemas, direction, within: budget)
    let attempt = attempt(at: schema, SampleStrategy(usesExamples: false), validator)
    var boundaries: [BoundarySample] = []
    var seen: Set<[UInt8]> = [JSONWriter.bytes(whole)]
    var walk = SampleWalk(whole, schema, attempt)
    while boundaries.count < Self.maximumBoundaries, let part = walk.next() {
      for value in BoundaryValues(attempt: attempt, schema: part.schema).beside(part.value)
      where !validator.budget.isSpent {
        let candidate = walk.replacing(part, with: value)
        guard seen.insert(JSONWriter.bytes(candidate)).inserted, validator.accepts(candidate, by: compiled) else {
          continue
        }
        boundaries.append(BoundarySample(value: candidate, instance: part.pointer))
      }
    }
    return boundaries
  }
}

/// Candidates at the limits of one part; the validator decides whether they fit.
private struct BoundaryValues {
  let attempt: SampleAttempt
  let schema: SchemaIntersection

  private static let listedLimit = 12
  private static let lengthLimit = 10_000
  private static let itemLimit = 100
  /// Larger numbers are limits of counting rather than bounds.
  private static let countable: UInt128 = 10_000_000_000_000_000_000_000_000_000_000_000

  func beside(_ value: JSON) -> [JSON] {
    let listed = schema.all("enum").flatMap { $0.elements.prefix(Self.listedLimit) }
    let isNullable = schema.allowed?.contains(.null) == true
    return listed + limits(of: value) + (isNullable ? [.null] : [])
  }

  private func limits(of value: JSON) -> [JSON] {
    switch value.kind {
    case .string:
      // Without a bound, the shortest text is empty, as the shortest list is; a format may only annotate.
      let isPlain = schema.format == nil && !schema.has("contentMediaType")
      return [schema.largest("minLength") ?? (isPlain ? 0 : nil), schema.smallest("maxLength")].compactMap(\.self)
        .filter { 0..<Self.lengthLimit ~= $0 }.map { .string(SampleText.fit(value.text, $0, $0)) }
    case .number:
      let line = NumberLine(schema, isInteger: SampleTypes.of(schema).first == .integer)
      guard line.isExact, line.low <= line.high else { return [] }
      return [line.low, line.high].filter { $0.magnitude < Self.countable }.map {
        .number(line.spelling(near: $0, steps: 0))
      }
    case .array: return arrays(beside: Array(value.elements))
    case .true: return [false]
    case .false: return [true]
    case .object: return value.count > 0 ? [[:]] : []
    case .null: return []
    }
  }

  private func arrays(beside elements: [JSON]) -> [JSON] {
    var arrays: [JSON] = []
    if let least = schema.largest("minItems") ?? (elements.isEmpty ? nil : 0), least < elements.count {
      arrays.append(.array(elements.prefix(max(0, least))))
    }
    if let most = schema.smallest("maxItems"), most > elements.count, most <= Self.itemLimit {
      arrays.append(ArraySamples(attempt, schema, .root).extended(elements, to: most))
    }
    return arrays
  }
}

/// The elements of an array under construction.
struct ElementSeries {
  private let attempt: SampleAttempt
  private let array: SamplePlace
  /// Whether all elements must differ.
  private let isUnique: Bool
  /// Whether the elements are nearly all possible values, which are then enumerated instead of chosen at random.
  private let isDense: Bool
  /// The place of the next element.
  private var place: SamplePlace
  /// The number of values that were made to find different ones.
  private var tried = 0
  private var seen: Set<DistinctValue> = []

  private static let turnsForDifference = 40
  private static let plainValues: [JSON] = ["text", 1, true, .null, [], [:], "other", 2, false, -1, ""]

  init(_ attempt: SampleAttempt, _ array: SamplePlace, isUnique: Bool, isDense: Bool = false) {
    self.attempt = attempt
    self.array = array
    self.isUnique = isUnique
    self.isDense = isDense
    place = array
  }

  mutating func move(to index: Int, ordinal: Int) {
    // Elements that must differ have their own count.
    place = array.element(isDense ? 0 : index, ordinal: isUnique ? 0 : ordinal)
  }

  private func holds(_ value: JSON) -> Bool { isUnique && seen.contains(DistinctValue(value: value)) }

  /// Adds a value; returns whether it may be next to the others.
  @discardableResult
  mutating func insert(_ value: JSON) -> Bool {
    !isUnique || seen.insert(DistinctValue(value: value)).inserted
  }

  /// The next element, different from all before if necessary.
  mutating func next(_ schemas: [JSON]) -> JSON? {
    guard isUnique else { return attempt.value(schemas, place) }
    for turn in 0..<Self.turnsForDifference {
      var place = place.salted(turn)
      place.serial += tried
      let value = attempt.with({ strategy in
        if turn >= Self.turnsForDifference / 2 { strategy.isRandom = true }
        if turn >= 1 { strategy.usesExamples = false }
      }) { attempt.value(schemas, place) }
      guard let value else { return nil }
      tried += 1
      if insert(value) { return value }
    }
    return attempt.fail(
      "no further element was found that differs from the others, as `uniqueItems` requires",
      attempt.intersection(of: schemas))
  }

  /// The next element, which fits none of the excluded schemas.
  mutating func next(_ schemas: [JSON], unlike excluded: [JSON]) -> JSON? {
    let validator = attempt.validator
    func isOutside(_ value: JSON) -> Bool {
      validator.accepts(value, schemas) && !excluded.contains { validator.accepts(value, [$0]) }
    }
    if let value = Self.plainValues.first(where: { isOutside($0) && !holds($0) }) {
      insert(value)
      return value
    }
    for turn in 0..<20 {
      var place = place.salted(turn)
      place.serial += turn
      let value = attempt.with({ ($0.usesExamples, $0.isRandom) = (false, true) }) { attempt.value(schemas, place) }
      if let value, isOutside(value), insert(value) { return value }
    }
    return nil
  }

  // MARK: - Elements of a schema

  /// An element that fits its position and the schemas of `contains`.
  mutating func next(at position: Int, of schema: SchemaIntersection, containing wanted: [JSON]) -> JSON? {
    if let value = next(attempt.children.ofElement(position, in: schema) + wanted) { return value }
    // `contains` evaluates the elements that it counts (Core 2020-12, 10.3.1.3).
    guard schema.has("unevaluatedItems"), attempt.children.declaredOfElement(position, in: schema).isEmpty else {
      return nil
    }
    return next(wanted)
  }

  /// An element that another schema than `unevaluatedItems` may evaluate.
  mutating func nextEvaluated(at position: Int, of schema: SchemaIntersection) -> JSON? {
    guard !attempt.children.knowsElement(position, of: schema) else { return nil }
    for schemas in attempt.children.alternatives(to: "unevaluatedItems", in: schema) {
      if let value = next(schemas) { return value }
    }
    return nil
  }
}

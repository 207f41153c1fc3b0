/// Arrays that fit a schema.
struct ArraySamples {
  private let attempt: SampleAttempt
  private let schema: SchemaIntersection
  private let place: SamplePlace
  private let least: Int
  private let most: Int
  /// The number of elements with a schema of their own.
  private let tuple: Int

  /// The most elements of an array.
  static let maximumCount = 5_000

  init(_ attempt: SampleAttempt, _ schema: SchemaIntersection, _ place: SamplePlace) {
    self.attempt = attempt
    self.schema = schema
    self.place = place
    least = schema.largest("minItems") ?? 0
    most = schema.smallest("maxItems") ?? Int.max
    let tuples = schema.all("prefixItems") + schema.all("items").filter(\.isArray)
    tuple = tuples.map(\.count).max() ?? 0
  }

  func sample() -> JSON? {
    guard least <= most else {
      return attempt.fail(
        "`minItems` \(least) is more than `maxItems` \(most)", schema, naming: ["minItems", "maxItems"], isProof: true)
    }
    guard least <= Self.maximumCount else {
      return attempt.fail(
        "`minItems` \(least) is more than the limit of \(Self.maximumCount) elements", schema,
        naming: ["minItems"])
    }
    let isUnique = schema.flag("uniqueItems")
    let isCounted = isUnique && least > 0 && tuple == 0 && attempt.children.knowsElement(0, of: schema)
    let limit = isCounted ? variety(attempt.children.ofElement(0, in: schema)) : nil
    if let limit, limit < least {
      return attempt.fail(
        "`minItems` \(least) with `uniqueItems` needs more than the \(limit) different elements",
        schema, naming: ["minItems", "uniqueItems"], isProof: true)
    }
    let isDense = limit.map { $0 < 2 * least } ?? false
    return elements(ElementSeries(attempt, place, isUnique: isUnique, isDense: isDense), isUnique: isUnique)
  }

  /// Adds elements that their schemas allow, up to a count; they may be equal.
  func extended(_ elements: [JSON], to count: Int) -> JSON {
    var more = elements
    while more.count < count,
      let next = attempt.value(
        attempt.children.ofElement(more.count, in: schema), place.element(more.count, ordinal: more.count))
    {
      more.append(next)
    }
    return .array(more)
  }

  private func elements(_ series: ElementSeries, isUnique: Bool) -> JSON? {
    var series = series
    var wanted = ContainsDemand(schema, most: min(most, Self.maximumCount))
    let count = usualCount
    var elements: [JSON] = []
    while elements.count < count || !wanted.isEmpty, elements.count < Self.maximumCount {
      let position = elements.count
      let schemas = attempt.children.ofElement(position, in: schema)
      let isNeeded = position < least || !wanted.isEmpty
      guard isNeeded || !attempt.recursion.leadsBack(schemas, place) else { break }
      // The elements of a tuple are independent; those after it are a series.
      series.move(to: position, ordinal: max(0, position - tuple))
      if !wanted.isEmpty, let element = series.next(at: position, of: schema, containing: wanted.next) {
        wanted.removeNext()
        elements.append(element)
        continue
      }
      guard wanted.isEmpty || position < min(tuple, most - 1) else {
        // With equal schemas for all positions, a schema that does not fit one fits none.
        if tuple == 0, wanted.next.count == 1 || most == 1 { return nil }
        var arrangement = ContainsArrangement(
          attempt, schema, tuple: tuple, ElementSeries(attempt, place, isUnique: isUnique))
        return arrangement.sample(least: least, most: most)
      }
      if let element = filler(schemas, &series) {
        elements.append(element)
        continue
      }
      guard isNeeded else { break }
      if let element = series.nextEvaluated(at: position, of: schema) {
        elements.append(element)
        continue
      }
      if schema.isLoose || position >= least || !attempt.children.knowsElement(position, of: schema) {
        attempt.doubtConflict()
      }
      return nil
    }
    return .array(elements)
  }

  /// The number of elements without those for `contains`.
  private var usualCount: Int {
    let isShort =
      place.depth >= SampleAttempt.optionalDepth || attempt.budget.optionalValues <= 0
      || !attempt.strategy.fillsOptional
    var random = attempt.random(at: place)
    let usual = isShort ? 0 : 1 + random.number(below: 3)
    return max(least, min(max(usual, tuple), most))
  }

  /// An element for no `contains`; if possible one that `maxContains` does not count.
  private func filler(_ schemas: [JSON], _ series: inout ElementSeries) -> JSON? {
    let limited = schema.parts.filter { $0["maxContains"] != nil }.compactMap { $0["contains"] }
    guard let value = series.next(schemas) else { return nil }
    guard !limited.isEmpty, limited.contains(where: { attempt.validator.accepts(value, [$0]) }) else { return value }
    return series.next(schemas, unlike: limited) ?? value
  }

  /// An upper bound for the number of different values; `nil` if they cannot be counted.
  private func variety(_ schemas: [JSON]) -> Int? {
    let element = attempt.intersection(of: schemas)
    guard !element.isLoose, !element.isImpossible else { return nil }
    if let listed = ListedSamples(attempt: attempt, schema: element).values {
      attempt.budget.spend(listed.count)
      return Set(listed.map(DistinctValue.init)).count
    }
    guard let types = element.allowed else { return nil }
    var count = 0
    for type in Set(types) {
      switch type {
      case .null: count += 1
      case .boolean: count += 2
      case .integer:
        let line = NumberLine(element, isInteger: true, usesFormat: false)
        guard line.isExact, line.isBounded, line.low <= line.high, let integers = line.count else { return nil }
        // No more than the limit of elements matter.
        count += min(integers, Self.maximumCount)
      default: return nil
      }
    }
    return count
  }
}

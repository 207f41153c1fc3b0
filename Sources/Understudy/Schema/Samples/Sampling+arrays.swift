extension Sampling {
  /// No array is made longer.
  private static let maximumCount = 5_000

  mutating func array(_ conjunction: Conjunction, _ place: Place) -> JSON? {
    let schema = conjunction.origins.first
    let least = max(conjunction.largest("minItems") ?? 0, 0)
    let most = conjunction.smallest("maxItems") ?? Int.max
    guard least <= most else { return refuse("`minItems` \(least) is more than `maxItems` \(most)", at: schema) }
    guard least <= Self.maximumCount else {
      return refuse("`minItems` \(least) is more than the \(Self.maximumCount) elements that are made", at: schema)
    }
    let contained = conjunction.parts.compactMap { part in
      part["contains"].map { (schema: $0, count: max(part["minContains"]?.int ?? 1, 0)) }
    }
    let marked = contained.flatMap { Array(repeating: $0.schema, count: min($0.count, Self.maximumCount)) }
    var dice = dice(place)
    let wanted = place.depth < Self.optionalDepth && room > 0 && strategy.fillsOptional ? 1 + dice.roll(3) : 0
    let tuple = tupleCount(conjunction)
    let count = max(least, marked.count, min(max(wanted, tuple), most))
    let isUnique = conjunction.flag("uniqueItems")
    var elements: [JSON] = []
    while elements.count < count, elements.count < Self.maximumCount {
      var schemas = elementSchemas(conjunction, at: elements.count)
      let isNeeded = elements.count < max(least, marked.count)
      guard isNeeded || !leadsBack(schemas, place) else { break }
      if elements.count < marked.count { schemas.append(marked[elements.count]) }
      let mark = conflicts.count
      // The elements of a tuple have nothing to do with each other; those behind it are a series.
      let ordinal = max(0, elements.count - tuple)
      guard
        let element = element(
          schemas, place.element(elements.count, ordinal: ordinal), unlike: isUnique ? elements : [])
      else {
        if elements.count < least { return nil }
        conflicts.removeLast(max(0, conflicts.count - mark))
        break
      }
      elements.append(element)
    }
    return .array(elements)
  }

  private mutating func element(_ schemas: [JSON], _ place: Place, unlike others: [JSON]) -> JSON? {
    var place = place
    for turn in 0..<8 {
      guard let value = value(schemas, place) else { return nil }
      if !others.contains(value) { return value }
      // Plain dice show the next face, others roll again.
      place.ordinal += 1
      place.salt = Dice.hash(turn, onto: place.salt)
      if turn >= 3 { return elementWithoutExample(schemas, place, unlike: others) }
    }
    return nil
  }

  private mutating func elementWithoutExample(_ schemas: [JSON], _ place: Place, unlike others: [JSON]) -> JSON? {
    var place = place
    let saved = strategy
    defer { strategy = saved }
    strategy.usesExamples = false
    for turn in 0..<40 {
      strategy.rolls = turn >= 20
      place.ordinal += 1
      place.salt = Dice.hash(turn, onto: place.salt)
      if let value = value(schemas, place), !others.contains(value) { return value }
    }
    return refuse("there are fewer different elements than `minItems` asks for under `uniqueItems`", at: schemas.first)
  }

  /// The schemas that apply to one element.
  func elementSchemas(_ conjunction: Conjunction, at position: Int) -> [JSON] {
    var schemas: [JSON] = []
    for part in conjunction.parts {
      let items = part["items"]
      if let tuple = part["prefixItems"] ?? items, tuple.isArray {
        if let schema = tuple[position] {
          schemas.append(schema)
        } else if let rest = part["prefixItems"] != nil ? items : part["additionalItems"] {
          schemas.append(rest)
        }
      } else if let items {
        schemas.append(items)
      }
    }
    if schemas.isEmpty { schemas = conjunction.all("unevaluatedItems") }
    return schemas
  }

  /// How many elements have a schema of their own.
  private func tupleCount(_ conjunction: Conjunction) -> Int {
    let tuples = conjunction.all("prefixItems") + conjunction.all("items").filter(\.isArray)
    return tuples.map(\.count).max() ?? 0
  }

  /// Whether a value of these schemas would hold what it is held by.
  func leadsBack(_ schemas: [JSON], _ place: Place) -> Bool {
    !place.around.isDisjoint(with: conjunction(of: schemas).targets)
  }
}

import SourceText

extension Sampling {
  /// No array is made longer.
  static let maximumCount = 5_000

  mutating func array(_ conjunction: Conjunction, _ place: Place) -> JSON? {
    let least = conjunction.largest("minItems") ?? 0
    let most = conjunction.smallest("maxItems") ?? Int.max
    guard least <= most else {
      return refuse(
        "`minItems` \(least) is more than `maxItems` \(most)", conjunction, naming: ["minItems", "maxItems"],
        isProof: true)
    }
    guard least <= Self.maximumCount else {
      return refuse(
        "`minItems` \(least) is more than the \(Self.maximumCount) elements that are made", conjunction,
        naming: ["minItems"])
    }
    let tuple = tupleCount(conjunction)
    let isUnique = conjunction.flag("uniqueItems")
    let isCounted = isUnique && least > 0 && tuple == 0 && knowsElement(conjunction, at: 0)
    let limit = isCounted ? variety(elementSchemas(conjunction, at: 0)) : nil
    if let limit, limit < least {
      return refuse(
        "there are fewer different elements (\(limit)) than `minItems` \(least) asks for under `uniqueItems`",
        conjunction, naming: ["minItems", "uniqueItems"], isProof: true)
    }
    var wanted = Wanted(conjunction, most: min(most, Self.maximumCount))
    var dice = dice(place)
    let usual = place.depth < Self.optionalDepth && room > 0 && strategy.fillsOptional ? 1 + dice.roll(3) : 0
    let count = max(least, min(max(usual, tuple), most))
    var series = Series(place: place, isUnique: isUnique, isDense: limit.map { $0 < 2 * least } ?? false)
    var elements: [JSON] = []
    while elements.count < count || !wanted.isEmpty, elements.count < Self.maximumCount {
      let position = elements.count
      let schemas = elementSchemas(conjunction, at: position)
      let isNeeded = position < least || !wanted.isEmpty
      guard isNeeded || !leadsBack(schemas, place) else { break }
      // The elements of a tuple have nothing to do with each other; those behind it are a series.
      series.move(to: position, ordinal: max(0, position - tuple))
      if !wanted.isEmpty, let element = element(conjunction, at: position, containing: wanted.next, &series) {
        wanted.removeNext()
        elements.append(element)
        continue
      }
      guard wanted.isEmpty || position < min(tuple, most - 1) else {
        // Where all places are alike, what does not fit one fits none.
        if tuple == 0, wanted.next.count == 1 || most == 1 { return nil }
        return arranged(conjunction, least: least, most: most, tuple: tuple, Series(place: place, isUnique: isUnique))
      }
      if let element = filler(schemas, &series, conjunction) {
        elements.append(element)
        continue
      }
      guard isNeeded else { break }
      if let element = evaluatedElement(conjunction, at: position, &series) {
        elements.append(element)
        continue
      }
      if conjunction.isLoose || position >= least || !knowsElement(conjunction, at: position) {
        conflict?.isProof = false
      }
      return nil
    }
    return .array(elements)
  }

  /// An element that `contains` does not count where it has counted enough.
  private mutating func filler(_ schemas: [JSON], _ series: inout Series, _ conjunction: Conjunction) -> JSON? {
    let limited = conjunction.parts.filter { $0["maxContains"] != nil }.compactMap { $0["contains"] }
    guard let value = element(schemas, &series) else { return nil }
    guard !limited.isEmpty, limited.contains(where: { accepts(value, [$0]) }) else { return value }
    return element(schemas, unlike: limited, &series) ?? value
  }

  /// An element that fits its place, but none of the excluded schemas.
  mutating func element(_ schemas: [JSON], unlike excluded: [JSON], _ series: inout Series) -> JSON? {
    let stock: [JSON] = ["text", 1, true, nil, [], [:], "other", 2, false, -1, ""]
    func isOutside(_ value: JSON) -> Bool {
      accepts(value, schemas) && !excluded.contains { accepts(value, [$0]) }
    }
    if let value = stock.first(where: { isOutside($0) && !series.holds($0) }) {
      series.insert(value)
      return value
    }
    let saved = strategy
    defer { strategy = saved }
    strategy.usesExamples = false
    strategy.rolls = true
    for turn in 0..<20 {
      var place = series.position
      place.salt = Dice.hash(turn, onto: place.salt)
      place.serial += turn
      if let value = value(schemas, place), isOutside(value), series.insert(value) { return value }
    }
    return nil
  }

  /// The next element of an array, different from all before where it must be.
  mutating func element(_ schemas: [JSON], _ series: inout Series) -> JSON? {
    guard series.isUnique else { return value(schemas, series.position) }
    let saved = strategy
    defer { strategy = saved }
    for turn in 0..<Self.turnsForDifference {
      strategy.rolls = saved.rolls || turn >= Self.turnsForDifference / 2
      if turn >= 1 { strategy.usesExamples = false }
      var place = series.position
      place.serial += series.tried
      place.salt = Dice.hash(turn, onto: place.salt)
      guard let value = value(schemas, place) else { return nil }
      series.tried += 1
      if series.insert(value) { return value }
    }
    return refuse(
      "no further element was found that differs, as `uniqueItems` asks for", self.conjunction(of: schemas))
  }

  private static let turnsForDifference = 40

  /// How many different values there are at most; `nil` where nobody counts them.
  private func variety(_ schemas: [JSON]) -> Int? {
    let conjunction = conjunction(of: schemas)
    guard !conjunction.isLoose, !conjunction.isImpossible else { return nil }
    if let listed = listedValues(conjunction) {
      effort.spend(listed.count)
      return Set(listed.map(DistinctValue.init)).count
    }
    guard let types = conjunction.allowed else { return nil }
    var count = 0
    for type in Set(types) {
      switch type {
      case .null: count += 1
      case .boolean: count += 2
      case .integer:
        let line = NumberLine(conjunction, isInteger: true, usesFormat: false)
        guard line.isExact, line.isBounded, line.low <= line.high, let integers = line.count else { return nil }
        // Beyond counting, and beyond any array that is made, all are enough.
        count += min(integers, Self.maximumCount)
      case .object, .array, .string, .number: return nil
      }
    }
    return count
  }

  /// The schemas that apply to one element.
  func elementSchemas(_ conjunction: Conjunction, at position: Int) -> [JSON] {
    let declared = declaredSchemas(conjunction, at: position)
    return declared.isEmpty ? conjunction.all("unevaluatedItems") : declared
  }

  /// The schemas that a place in the array has, or all elements have.
  func declaredSchemas(_ conjunction: Conjunction, at position: Int) -> [JSON] {
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
    return schemas
  }

  /// How many elements have a schema of their own.
  private func tupleCount(_ conjunction: Conjunction) -> Int {
    let tuples = conjunction.all("prefixItems") + conjunction.all("items").filter(\.isArray)
    return tuples.map(\.count).max() ?? 0
  }

  /// Whether a value of these schemas would hold what it is held by, `depth` levels down at most.
  func leadsBack(_ schemas: [JSON], _ place: Place, depth: Int = 3) -> Bool {
    leadsBack(conjunction(of: schemas), place, depth: depth)
  }

  func leadsBack(_ conjunction: Conjunction, _ place: Place, depth: Int = 3) -> Bool {
    guard place.around.isDisjoint(with: conjunction.targets) else { return true }
    guard depth > 0, !place.around.isEmpty, !effort.isSpent else { return false }
    let leadsOn = conjunction.choices.contains { choice in
      choice.branches.prefix(8).allSatisfy { !$0.isEmpty && leadsBack($0, place, depth: depth - 1) }
    }
    if leadsOn { return true }
    if (conjunction.largest("minItems") ?? 0) > 0,
      leadsBack(elementSchemas(conjunction, at: 0), place, depth: depth - 1)
    {
      return true
    }
    return conjunction.all("required").flatMap { $0.elements.prefix(8) }.compactMap(\.string).contains {
      leadsBack(propertySchemas(conjunction, $0), place, depth: depth - 1)
    }
  }
}

/// The elements of an array that is being made.
struct Series {
  let isUnique: Bool
  /// Where the next element stands.
  private(set) var position: Place
  /// Values that were made in order to differ.
  var tried = 0
  private let array: Place
  /// Whether so many of all values are needed that chance would hardly find the last ones: they are counted through.
  private let isDense: Bool
  private var seen: Set<DistinctValue> = []

  init(place: Place, isUnique: Bool, isDense: Bool = false) {
    array = place
    position = place
    self.isUnique = isUnique
    self.isDense = isDense
  }

  mutating func move(to index: Int, ordinal: Int) {
    // Those that must differ count by themselves.
    position = array.element(isDense ? 0 : index, ordinal: isUnique ? 0 : ordinal)
  }

  func holds(_ value: JSON) -> Bool { isUnique && seen.contains(DistinctValue(value: value)) }

  /// Whether the value may stand beside the others.
  @discardableResult
  mutating func insert(_ value: JSON) -> Bool {
    !isUnique || seen.insert(DistinctValue(value: value)).inserted
  }
}

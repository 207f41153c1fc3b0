/// One attempt at a value: what it may still spend, and what stood in its way.
struct Sampling {
  let schemas: SchemaLibrary
  let direction: Direction
  var strategy: Strategy
  /// Values that may still be drafted, the discarded ones too; keeps every schema's cost bounded.
  var fuel = 60_000
  /// Values that may still be added without need.
  var room = 2_000
  /// What made drafts impossible, the first cause first.
  var conflicts: [SampleConflict] = []

  let patterns = NamePatterns()
  private let start: UInt64
  private let isPlain: Bool

  /// Below this depth only what is required is made.
  static let optionalDepth = 7
  /// No value is nested deeper.
  static let maximumDepth = 48

  init(schemas: SchemaLibrary, direction: Direction, strategy: Strategy, start: UInt64, isPlain: Bool) {
    self.schemas = schemas
    self.direction = direction
    self.strategy = strategy
    self.start = start
    self.isPlain = isPlain
  }

  /// Dice for one place: they depend on its path alone, so that a new property does not change its neighbours.
  func dice(_ place: Place) -> Dice {
    Dice(
      state: Dice.hash(place.ordinal, onto: start ^ place.salt), isPlain: isPlain && !strategy.rolls,
      ordinal: place.ordinal)
  }

  func accepts(_ value: JSON, _ schemas: [JSON]) -> Bool {
    schemas.allSatisfy { self.schemas.schema(at: $0, direction: direction).accepts(value) }
  }

  /// Notes why there is no value here.
  mutating func refuse(_ reason: String, at schema: JSON?) -> JSON? {
    if conflicts.count < 20 { conflicts.append(SampleConflict(reason: reason, schema: schema)) }
    return nil
  }

  /// A value that all `origins` accept, as far as their keywords are understood.
  mutating func value(_ origins: [JSON], _ place: Place) -> JSON? {
    fuel -= 1
    guard fuel > 0, place.depth < Self.maximumDepth else {
      return refuse("the schema asks for values without end", at: origins.first)
    }
    room -= 1
    let base = conjunction(of: origins)
    guard !base.isImpossible else { return refuse("`false` accepts nothing", at: origins.first) }
    if strategy.usesExamples, let example = example(base, place) { return example }
    if let value = draft(base, place) { return value }
    // A value may fit two branches of a `oneOf` because of what is optional, or break a `not` by ill luck.
    guard base.isContended else { return nil }
    let saved = strategy
    defer { strategy = saved }
    strategy.usesExamples = false
    strategy.fillsOptional = false
    if let value = draft(base, place) { return value }
    strategy.rolls = true
    for turn in 1...3 {
      var again = place
      again.salt = Dice.hash(turn, onto: place.salt)
      strategy.fillsOptional = turn != 2
      if let value = draft(base, again) { return value }
    }
    return lastResort(base, place)
  }

  /// Tries the combinations of branches and types in order.
  private mutating func draft(_ base: Conjunction, _ place: Place) -> JSON? {
    let mustJudge = strategy.judgesParts || base.isContended
    let mark = conflicts.count
    var isAmbiguous = false
    for turn in 0..<24 {
      guard fuel > 0, let conjunction = resolve(base, turn: turn, place) else { break }
      guard let value = value(of: conjunction, place.below(conjunction)) else { continue }
      if !mustJudge || accepts(value, base.origins) {
        conflicts.removeLast(conflicts.count - mark)
        return value
      }
      isAmbiguous = isAmbiguous || !otherBranches(that: value, fits: base).isEmpty
    }
    guard conflicts.count == mark else { return nil }
    let reason =
      isAmbiguous
      ? "every value that was tried fits more than one branch of `oneOf`"
      : "no value was found that \(base.wordsForKeywords) accept\(base.keywords.count == 1 ? "s" : "")"
    return refuse(reason, at: base.origins.first)
  }

  private mutating func value(of conjunction: Conjunction, _ place: Place) -> JSON? {
    guard !conjunction.isImpossible else { return refuse("`false` accepts nothing", at: conjunction.origins.first) }
    if let listed = conjunction.listedValues { return listedValue(listed, conjunction, place) }
    switch conjunction.type {
    case .object: return object(conjunction, place)
    case .array: return array(conjunction, place)
    case .string: return string(conjunction, place)
    case .integer, .number: return number(conjunction, place)
    case .boolean: return .make { $0.append(dice(place).first(of: [true, false])) }
    case .null: return .make { $0.append(.null) }
    case nil:
      return refuse(
        "the `type`s of the schemas that apply together have nothing in common", at: conjunction.origins.first)
    }
  }
}

extension Dice {
  /// One of the choices; the first with plain dice.
  func first<T>(of choices: [T]) -> T {
    var copy = self
    return choices[copy.roll(choices.count)]
  }
}

/// Where in the sample a value stands.
struct Place: Sendable {
  /// The nearest property name: a hint what people expect to see.
  var name: String
  var depth: Int
  /// The position among array elements: later elements show later choices.
  var ordinal: Int
  /// A hash of the way from the root.
  var salt: UInt64
  /// The referenced schemas whose values surround this one.
  var around: Set<SchemaSpot> = []

  func property(_ name: String) -> Place {
    var place = self
    place.name = name
    place.depth += 1
    place.salt = Dice.hash(name, onto: salt)
    return place
  }

  func element(_ position: Int, ordinal: Int) -> Place {
    var place = self
    place.depth += 1
    place.ordinal += ordinal
    place.salt = Dice.hash(position, onto: salt)
    return place
  }

  func below(_ conjunction: Conjunction) -> Place {
    var place = self
    place.around.formUnion(conjunction.targets)
    return place
  }
}

/// A schema by its place in its document.
struct SchemaSpot: Hashable, Sendable {
  private let document: ObjectIdentifier
  private let index: Int

  init(_ schema: JSON) {
    document = ObjectIdentifier(schema.document)
    index = schema.index
  }
}

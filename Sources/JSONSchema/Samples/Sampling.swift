import SourceText

/// One attempt at a value: what it may still spend, and what stood in its way.
struct Sampling {
  let schemas: SchemaLibrary
  let direction: Direction
  var strategy: Strategy
  /// Values that may still be drafted, the discarded ones too; keeps every sample's size bounded.
  var fuel = 60_000
  /// Values that may still be added without need.
  var room = 2_000
  /// Why there is no value, when none was made last.
  var conflict: SampleConflict?

  let effort: SampleEffort
  let memory = SampleMemory()
  private let start: UInt64
  private let isPlain: Bool

  /// Below this depth only what is required is made.
  static let optionalDepth = 7
  /// No value is nested deeper.
  static let maximumDepth = 48

  /// What a value costs besides what it is judged for, in steps.
  private static let price = 50
  /// Combinations of branches and types that are tried for one value, those that cannot be set aside.
  private static let maximumTurns = 24

  init(
    schemas: SchemaLibrary, direction: Direction, strategy: Strategy, effort: SampleEffort, start: UInt64,
    isPlain: Bool
  ) {
    self.schemas = schemas
    self.direction = direction
    self.strategy = strategy
    self.effort = effort
    self.start = start
    self.isPlain = isPlain
  }

  /// Dice for one place: they depend on its path alone, so that a new property does not change its neighbours.
  func dice(_ place: Place) -> Dice {
    Dice(
      state: Dice.hash(place.ordinal, onto: start ^ place.salt), isPlain: isPlain && !strategy.rolls,
      ordinal: place.ordinal)
  }

  func judge(of schema: JSON) -> Schema { schemas.schema(at: schema, direction: direction) }

  func accepts(_ value: JSON, _ origins: [JSON]) -> Bool {
    origins.allSatisfy { origin in effort.accepts(value, SchemaSpot(origin)) { judge(of: origin) } }
  }

  /// Notes why there is no value here, with the keywords that exclude each other.
  mutating func refuse(
    _ reason: String, _ conjunction: Conjunction, naming keywords: [String] = [], isProof: Bool = false
  ) -> JSON? {
    conflict = SampleConflict(
      reason: reason, schema: conjunction.origins.first, keywords: conjunction.places(of: keywords),
      isProof: isProof && !conjunction.isLoose)
    return nil
  }

  /// A value that all `origins` accept, as far as their keywords are understood; else `conflict` says why there is none.
  mutating func value(_ origins: [JSON], _ place: Place) -> JSON? {
    fuel -= 1
    room -= 1
    effort.spend(Self.price)
    let base = conjunction(of: origins)
    var place = place
    let spots = origins.map(SchemaSpot.init)
    // The smallest value of a schema holds no other value of the same schema.
    if place.depth >= Self.optionalDepth, place.enclosing.contains(spots) {
      return refuse("the schema asks for values without end", base, naming: ["$ref", "$dynamicRef"], isProof: true)
    }
    guard place.depth < Self.maximumDepth else {
      return refuse("the values stand more than \(Self.maximumDepth) deep in each other", base)
    }
    guard fuel > 0, !effort.isSpent else { return refuse(costs(base), base, naming: base.keywords) }
    place.enclosing.append(spots)
    if let forbidding = base.forbidding {
      _ = refuse("`false` accepts nothing", base, isProof: true)
      conflict?.schema = forbidding
      return nil
    }
    if strategy.usesExamples, place.serial == 0, let example = example(base, place) { return example }
    if let value = draft(base, place) { return value }
    // A value may fit two branches of a `oneOf` because of what is optional, or break a `not` by ill luck.
    guard base.isContended, conflict?.isProof != true else { return nil }
    let first = conflict
    if let value = harder(base, place) { return value }
    conflict = conflict?.isProof == true ? conflict : first
    return nil
  }

  /// What stood in the way when the effort was spent.
  private func costs(_ base: Conjunction) -> String {
    if effort.isJudgingTooCostly { return "judging a value takes too many steps" }
    return base.keywords.isEmpty
      ? "it would have too many parts, or be made in too many ways"
      : "\(base.wordsForKeywords) \(base.keywords.count == 1 ? "asks" : "ask") for too many parts, or allow too many ways"
  }

  /// Further attempts: without what is optional, and by chance.
  private mutating func harder(_ base: Conjunction, _ place: Place) -> JSON? {
    let saved = strategy
    defer { strategy = saved }
    strategy.usesExamples = false
    strategy.fillsOptional = false
    if let value = draft(base, place) { return value }
    strategy.rolls = true
    for turn in 1...3 where conflict?.isProof != true {
      var again = place
      again.salt = Dice.hash(turn, onto: place.salt)
      strategy.fillsOptional = turn != 2
      if let value = draft(base, again) { return value }
    }
    guard conflict?.isProof != true else { return nil }
    return lastResort(base, place)
  }

  /// Tries the combinations of branches and types in order.
  private mutating func draft(_ base: Conjunction, _ place: Place) -> JSON? {
    let mustJudge = strategy.judgesParts || base.isContended
    var obstacle: SampleConflict?
    var isProof = true
    var ambiguity: Bool?
    var turn = 0
    var combinations = Combinations(base, place)
    while turn < Self.maximumTurns, fuel > 0, let conjunction = combinations.next(self) {
      conflict = nil
      guard let value = value(of: conjunction, place.below(conjunction)) else {
        // One that is excluded for sure costs little and is no attempt.
        if conflict?.isProof != true { (isProof, turn) = (false, turn + 1) }
        obstacle = obstacle ?? conflict
        continue
      }
      if !mustJudge || accepts(value, base.origins) { return value }
      (isProof, turn) = (false, turn + 1)
      ambiguity = ambiguity ?? !otherBranches(that: value, fits: base).isEmpty
    }
    isProof = isProof && combinations.isDone && !base.isLoose
    if var obstacle {
      obstacle.isProof = isProof
      conflict = obstacle
      return nil
    }
    if let ambiguity { return refuse(rejection(base, ambiguity), base, naming: base.keywords) }
    guard combinations.isDone else { return refuse(costs(base), base, naming: base.keywords) }
    return refuseTypes(base, isProof: isProof)
  }

  private func rejection(_ base: Conjunction, _ isAmbiguous: Bool) -> String {
    if effort.isJudgingTooCostly { return "judging a value takes too many steps" }
    if isAmbiguous { return "every value that was tried fits more than one branch of `oneOf`" }
    let isOne = base.keywords.count == 1
    return "no value that was tried fits \(isOne ? base.wordsForKeywords : base.wordsForKeywords + " together")"
  }

  /// No combination of branches leaves a type.
  private mutating func refuseTypes(_ base: Conjunction, isProof: Bool) -> JSON? {
    let names = base.parts.compactMap { listedTypes($0)?.map(\.rawValue).joined(separator: " or ") }
    let words = names.count == 2 ? "s \(names[0]) and \(names[1])" : "s of the schemas that apply together"
    return refuse(
      "the `type`\(words) have nothing in common", base,
      naming: ["type"] + (base.choices.isEmpty ? [] : ["anyOf", "oneOf"]),
      isProof: isProof)
  }

  private mutating func value(of conjunction: Conjunction, _ place: Place) -> JSON? {
    if let listed = listedValues(conjunction) {
      if let value = listedValue(listed, conjunction, place) { return value }
      // A list that means nothing in its dialect holds nothing back.
      guard conjunction.isLoose else { return nil }
    }
    switch conjunction.type {
    case .object: return object(conjunction, place)
    case .array: return array(conjunction, place)
    case .string: return string(conjunction, place)
    case .integer, .number: return number(conjunction, place)
    case .boolean:
      let isFirst = dice(place).first(of: [true, false])
      return .make { $0.append(isFirst != (place.serial % 2 == 1)) }
    case .null: return .make { $0.append(.null) }
    case nil: return refuseTypes(conjunction, isProof: true)
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
  /// How many values that must differ from this one there are already.
  var serial = 0
  /// The referenced schemas whose values surround this one.
  var around: Set<SchemaSpot> = []
  /// The schemas of each of the values that surround this one, outermost first.
  var enclosing: [[SchemaSpot]] = []

  static let root = Place(name: "", depth: 0, ordinal: 0, salt: 0)

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

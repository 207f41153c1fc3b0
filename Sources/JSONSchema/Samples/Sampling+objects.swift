import SourceText

extension Sampling {
  mutating func object(_ base: Conjunction, _ place: Place) -> JSON? {
    var conjunction = base
    var required = requiredNames(conjunction)
    let banned = bannedNames(conjunction)
    var names: [String] = []
    // What the choice of optional properties brings along excludes nothing for sure.
    var dependsOnChoice = false
    // A property that is there may ask for others and bring schemas along.
    for _ in 0..<8 {
      names = propertyNames(conjunction, required: required, banned: banned, place)
      let present = Set(names)
      let known = Set(required)
      let more = dependentNames(conjunction, of: present).filter { !known.contains($0) }
      let schemas = dependentSchemas(conjunction, of: present)
      let count = conjunction.parts.count
      add(schemas, to: &conjunction)
      if more.isEmpty, conjunction.parts.count == count { break }
      dependsOnChoice = true
      var added = known
      required += (more + requiredNames(conjunction)).filter { added.insert($0).inserted }
    }
    guard !conjunction.isImpossible else { return refuse("`dependentSchemas` accepts nothing", base) }
    conjunction.isLoose = conjunction.isLoose || dependsOnChoice
    let needed = Set(required)
    if let most = conjunction.smallest("maxProperties") {
      guard required.count <= most else {
        return refuse(
          "more properties are `required` than `maxProperties` \(most) allows", conjunction,
          naming: ["required", "maxProperties"], isProof: !strategy.keepsHidden)
      }
      var spare = most - needed.count
      names.removeAll { name in
        guard !needed.contains(name) else { return false }
        spare -= 1
        return spare < 0
      }
    }
    if let least = conjunction.largest("minProperties"), least > Self.maximumCount {
      return refuse(minProperties: least, 0, conjunction)
    }
    var members: [(String, JSON)] = []
    for name in names {
      let schemas = propertySchemas(conjunction, name)
      if let value = property(name, schemas, conjunction, place) {
        members.append((name, value))
      } else if needed.contains(name) {
        if let value = evaluatedProperty(name, conjunction, place) {
          members.append((name, value))
          continue
        }
        guard knowsProperty(conjunction, name) else {
          conflict?.isProof = false
          return nil
        }
        if let forbidding = schemas.first(where: { $0.bool == false }) {
          return refuse(required: name, forbiddenBy: forbidding, conjunction)
        }
        if conjunction.isLoose { conflict?.isProof = false }
        return nil
      }
    }
    addExtras(&members, conjunction, banned: banned, place)
    if let least = conjunction.largest("minProperties"), members.count < least {
      return refuse(minProperties: least, members.count, conjunction)
    }
    return .object(members)
  }

  private mutating func refuse(required name: String, forbiddenBy schema: JSON, _ conjunction: Conjunction) -> JSON? {
    let map = ["properties", "patternProperties"].first { keyword in
      conjunction.all(keyword).contains { $0.members.contains { SchemaSpot($0.value) == SchemaSpot(schema) } }
    }
    let keyword = map ?? schema.keyName ?? "false"
    _ = refuse(
      "the property `\(name)` is `required`, and `\(keyword)` forbids it", conjunction, naming: ["required"],
      isProof: !strategy.keepsHidden)
    // The one that forbids, of perhaps many that say something of properties.
    conflict?.keywords.removeAll { key in
      !conjunction.parts.contains { part in
        part.key("required").map(SchemaSpot.init) == SchemaSpot(key)
          && part.elements(of: "required").contains { $0.isString(name) }
      }
    }
    conflict?.keywords += [schema.ownKey].compactMap { $0 }
    return nil
  }

  private mutating func refuse(minProperties least: Int, _ count: Int, _ conjunction: Conjunction) -> JSON? {
    let closed = conjunction.parts.first { $0["additionalProperties"]?.bool == false && $0["patternProperties"] == nil }
    if let closed, case let allowed = closed["properties"]?.count ?? 0, allowed < least {
      return refuse(
        "`minProperties` \(least) is more than the \(Wording.count(allowed, "property")) that `additionalProperties` leaves",
        conjunction,
        naming: ["minProperties", "additionalProperties"], isProof: true)
    }
    let reason =
      least > Self.maximumCount
      ? "`minProperties` \(least) is more than the \(Self.maximumCount) properties that are made"
      : "only \(count) of the \(least) properties that `minProperties` asks for were found"
    return refuse(reason, conjunction, naming: ["minProperties"])
  }

  private mutating func property(_ name: String, _ schemas: [JSON], _ conjunction: Conjunction, _ place: Place) -> JSON?
  {
    if let label = discriminatorValue(name, conjunction), accepts(label, schemas) { return label }
    return value(schemas, place.property(name))
  }

  // MARK: - Which properties

  private func requiredNames(_ conjunction: Conjunction) -> [String] {
    var names: [String] = []
    var seen: Set<String> = []
    for list in conjunction.all("required") {
      for name in list.elements.compactMap(\.string) where seen.insert(name).inserted { names.append(name) }
    }
    guard !strategy.keepsHidden, direction != .either else { return names }
    return names.filter { !isHidden(self.conjunction(of: propertySchemas(conjunction, $0))) }
  }

  /// Names that `not` keeps out: `not: {required: [a]}`, alone or in an `anyOf`.
  private func bannedNames(_ conjunction: Conjunction) -> Set<String> {
    var banned: Set<String> = []
    for excluded in conjunction.all("not") {
      for branch in [excluded] + excluded.elements(of: "anyOf") {
        guard branch.count == 1, let list = branch["required"], let name = list[0]?.string else { continue }
        banned.insert(name)
      }
    }
    return banned
  }

  /// The properties to make, in the order in which they are declared.
  private func propertyNames(
    _ conjunction: Conjunction, required: [String], banned: Set<String>, _ place: Place
  ) -> [String] {
    let needed = Set(required)
    var seen: Set<String> = []
    var names: [String] = []
    let fills = strategy.fillsOptional && place.depth < Self.optionalDepth
    for name in conjunction.all("properties").flatMap({ $0.members.map(\.name) }) where seen.insert(name).inserted {
      if needed.contains(name) {
        names.append(name)
        continue
      }
      guard fills, !banned.contains(name), room > names.count else { continue }
      var dice = dice(place.property(name))
      guard !dice.happens(oneIn: 4) else { continue }
      let schemas = propertySchemas(conjunction, name)
      let property = self.conjunction(of: schemas)
      if property.isImpossible || isHidden(property) || leadsBack(property, place) { continue }
      names.append(name)
    }
    return names + required.filter { !seen.contains($0) }
  }

  /// The schemas that apply to one property; none when the effort is spent.
  func propertySchemas(_ conjunction: Conjunction, _ name: String) -> [JSON] {
    let declared = declaredSchemas(conjunction, name)
    return declared.isEmpty && !effort.isSpent ? conjunction.all("unevaluatedProperties") : declared
  }

  /// The schemas that name the property, or hold for all that are not named; none when the effort is spent.
  func declaredSchemas(_ conjunction: Conjunction, _ name: String) -> [JSON] {
    var schemas: [JSON] = []
    for part in conjunction.parts {
      guard !effort.isSpent else { return [] }
      let declared = part["properties"]?[name]
      let patterns = part.members(of: "patternProperties")
      effort.spend(patterns.count)
      let matched = patterns.filter { memory.patterns.matches($0.name, name) }.map(\.value)
      if let declared { schemas.append(declared) }
      schemas += matched
      if declared == nil, matched.isEmpty, let rest = part["additionalProperties"] { schemas.append(rest) }
    }
    return schemas
  }

  private func dependentNames(_ conjunction: Conjunction, of names: Set<String>) -> [String] {
    (conjunction.all("dependentRequired") + conjunction.all("dependencies")).flatMap { map in
      map.members.filter { $0.value.isArray && names.contains($0.name) }.flatMap {
        $0.value.elements.compactMap(\.string)
      }
    }
  }

  private func dependentSchemas(_ conjunction: Conjunction, of names: Set<String>) -> [JSON] {
    (conjunction.all("dependentSchemas") + conjunction.all("dependencies")).flatMap { map in
      map.members.filter { !$0.value.isArray && names.contains($0.name) }.map(\.value)
    }
  }

  /// The name of the schema that is being made, where a discriminator wants it in this property.
  private func discriminatorValue(_ name: String, _ conjunction: Conjunction) -> JSON? {
    if let named = conjunction.named.first(where: { $0.property == name }) { return .string(named.value) }
    for part in conjunction.parts where part["oneOf"] == nil && part["anyOf"] == nil {
      guard let discriminator = part["discriminator"],
        name == discriminator.string ?? discriminator["propertyName"]?.string
      else { continue }
      // The schema that inherits is the outermost one: the one asked for, or the one it refers to.
      guard let origin = conjunction.origins.first else { continue }
      let last = (origin["$ref"]?.string).flatMap(BranchTags.name) ?? origin.pointer.tokens.last
      guard let last else { continue }
      return .string(BranchTags.tag(of: last, mapping: discriminator["mapping"]) ?? last)
    }
    return nil
  }

  // MARK: - Properties without a declaration

  /// Adds properties that no schema names: as many as must be, one where a map would be empty otherwise.
  private mutating func addExtras(
    _ members: inout [(String, JSON)], _ conjunction: Conjunction, banned: Set<String>, _ place: Place
  ) {
    let isMap =
      members.isEmpty && strategy.fillsOptional && room > 0 && place.depth < Self.optionalDepth
      && (conjunction.all("additionalProperties").contains { $0.count > 0 } || conjunction.has("patternProperties"))
    let least = min(max(conjunction.largest("minProperties") ?? 0, isMap ? 1 : 0), Self.maximumCount)
    let most = conjunction.smallest("maxProperties") ?? Int.max
    guard members.count < min(least, most) else { return }
    var taken = Set(members.map { Array($0.0.utf8) })
    // Declared ones first, though nothing but their number calls for them.
    let declared = conjunction.all("properties").flatMap { $0.members.map(\.name) }
    let patterns = conjunction.all("patternProperties").flatMap { $0.members.map(\.name) }
    var turn = 0
    while members.count < min(least, most), turn < declared.count + 2 * least + 20, !effort.isSpent {
      defer { turn += 1 }
      let isDeclared = turn < declared.count
      let name = isDeclared ? declared[turn] : extraName(conjunction, patterns, turn - declared.count, place)
      guard let name, !banned.contains(name), !taken.contains(Array(name.utf8)) else { continue }
      let schemas = propertySchemas(conjunction, name)
      let isNeeded = members.count < conjunction.largest("minProperties") ?? 0
      guard isNeeded || !isDeclared && !leadsBack(schemas, place) else { continue }
      guard !isDeclared || !isHidden(self.conjunction(of: schemas)) else { continue }
      guard
        let value = value(schemas, place.property(name))
          ?? (isNeeded ? evaluatedProperty(name, conjunction, place) : nil)
      else { continue }
      members.append((name, value))
      taken.insert(Array(name.utf8))
    }
  }

  /// A name that no schema declares, as `propertyNames` and the patterns have it.
  mutating func extraName(_ conjunction: Conjunction, _ patterns: [String], _ turn: Int, _ place: Place) -> String? {
    let rules = conjunction.all("propertyNames")
    var place = place.property("key")
    place.salt = Dice.hash(turn, onto: place.salt)
    if !rules.isEmpty {
      place.serial += turn
      return value(rules, place)?.string
    }
    place.ordinal += turn
    // Where patterns share the object with names of any kind, a few of each.
    let isOpen = !conjunction.all("additionalProperties").contains { $0.bool == false }
    guard let pattern = dice(place).first(of: patterns.map(Optional.some) + (patterns.isEmpty ? [nil] : [])),
      !isOpen || turn < 10
    else { return turn == 0 ? "key" : "key\(turn + 1)" }
    var dice = Dice(rolling: turn > 3, dice(place))
    // Longer ones come later: there are more of them.
    return memory.sampler(pattern).flatMap { effort.match(of: $0, atLeast: turn / 4, atMost: 60, &dice) }
  }
}

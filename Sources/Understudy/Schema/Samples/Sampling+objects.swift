extension Sampling {
  mutating func object(_ base: Conjunction, _ place: Place) -> JSON? {
    var conjunction = base
    var required = requiredNames(conjunction)
    let banned = bannedNames(conjunction)
    var names: [String] = []
    // A property that is there may ask for others and bring schemas along.
    for _ in 0..<8 {
      names = propertyNames(conjunction, required: required, banned: banned, place)
      let more = dependentNames(conjunction, of: names).filter { !required.contains($0) }
      let schemas = dependentSchemas(conjunction, of: names)
      let count = conjunction.parts.count
      add(schemas, to: &conjunction)
      if more.isEmpty, conjunction.parts.count == count { break }
      required += more
      for name in requiredNames(conjunction) where !required.contains(name) { required.append(name) }
    }
    guard !conjunction.isImpossible else { return refuse("`dependentSchemas` accepts nothing", at: base.origins.first) }
    if let most = conjunction.smallest("maxProperties") {
      guard required.count <= most else {
        return refuse("more properties are `required` than `maxProperties` \(most) allows", at: base.origins.first)
      }
      while names.count > most, let last = names.lastIndex(where: { !required.contains($0) }) { names.remove(at: last) }
    }
    var members: [(String, JSON)] = []
    for name in names {
      let isRequired = required.contains(name)
      let schemas = propertySchemas(conjunction, name)
      let mark = conflicts.count
      if let value = property(name, schemas, conjunction, place) {
        members.append((name, value))
      } else if isRequired {
        return refuse("the required property `\(name)` has no value that fits", at: base.origins.first)
      } else {
        conflicts.removeLast(max(0, conflicts.count - mark))
      }
    }
    addExtras(&members, conjunction, banned: banned, place)
    if let least = conjunction.largest("minProperties"), members.count < least {
      return refuse("fewer properties can be made than `minProperties` \(least) asks for", at: base.origins.first)
    }
    return .object(members)
  }

  private mutating func property(_ name: String, _ schemas: [JSON], _ conjunction: Conjunction, _ place: Place) -> JSON?
  {
    if let label = discriminatorValue(name, conjunction), accepts(label, schemas) { return label }
    return value(schemas, place.property(name))
  }

  // MARK: - Which properties

  private func requiredNames(_ conjunction: Conjunction) -> [String] {
    var names: [String] = []
    for list in conjunction.all("required") {
      for name in list.elements.compactMap(\.string) where !names.contains(name) { names.append(name) }
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
      if property.isImpossible || isHidden(property) || !place.around.isDisjoint(with: property.targets) { continue }
      names.append(name)
    }
    return names + required.filter { !seen.contains($0) }
  }

  /// The schemas that apply to one property.
  func propertySchemas(_ conjunction: Conjunction, _ name: String) -> [JSON] {
    var schemas: [JSON] = []
    for part in conjunction.parts {
      let declared = part["properties"]?[name]
      let matched = part.members(of: "patternProperties").filter { patterns.matches($0.name, name) }.map(\.value)
      if let declared { schemas.append(declared) }
      schemas += matched
      if declared == nil, matched.isEmpty, let rest = part["additionalProperties"] { schemas.append(rest) }
    }
    return schemas.isEmpty ? conjunction.all("unevaluatedProperties") : schemas
  }

  private func dependentNames(_ conjunction: Conjunction, of names: [String]) -> [String] {
    (conjunction.all("dependentRequired") + conjunction.all("dependencies")).flatMap { map in
      map.members.filter { $0.value.isArray && names.contains($0.name) }.flatMap {
        $0.value.elements.compactMap(\.string)
      }
    }
  }

  private func dependentSchemas(_ conjunction: Conjunction, of names: [String]) -> [JSON] {
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
      let last = origin["$ref"]?.string.map(Self.lastToken) ?? origin.pointer.tokens.last
      guard let last else { continue }
      let mapped = discriminator.members(of: "mapping").first { $0.value.string.map(Self.lastToken) == last }
      return .string(mapped?.name ?? last)
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
    let least = max(conjunction.largest("minProperties") ?? 0, isMap ? 1 : 0)
    let most = conjunction.smallest("maxProperties") ?? Int.max
    let patterns = conjunction.all("patternProperties").flatMap { $0.members.map(\.name) }
    var turn = 0
    while members.count < min(least, most), turn < 2 * least + 20, members.count < 1_000 {
      defer { turn += 1 }
      guard let name = extraName(conjunction, patterns, turn, place), !banned.contains(name),
        !members.contains(where: { $0.0.utf8.elementsEqual(name.utf8) })
      else { continue }
      let schemas = propertySchemas(conjunction, name)
      guard !leadsBack(schemas, place) || least > 1 || !isMap else { return }
      let mark = conflicts.count
      if let value = value(schemas, place.property(name)) {
        members.append((name, value))
      } else {
        conflicts.removeLast(max(0, conflicts.count - mark))
      }
    }
  }

  private mutating func extraName(
    _ conjunction: Conjunction, _ patterns: [String], _ turn: Int, _ place: Place
  ) -> String? {
    let rules = conjunction.all("propertyNames")
    var place = place.property("key")
    place.ordinal += turn
    place.salt = Dice.hash(turn, onto: place.salt)
    if !rules.isEmpty { return value(rules, place)?.string }
    if let pattern = dice(place).first(of: patterns.map(Optional.some) + (patterns.isEmpty ? [nil] : [])), turn < 10 {
      var dice = dice(place)
      return PatternSampler(pattern)?.sample(atLeast: 0, atMost: 60, &dice)
    }
    return turn == 0 ? "key" : "key\(turn + 1)"
  }
}

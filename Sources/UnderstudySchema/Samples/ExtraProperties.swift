/// Properties that no schema declares, and declared ones that only `minProperties` needs.
struct ExtraProperties {
  let attempt: SampleAttempt
  let schema: SchemaIntersection
  let place: SamplePlace

  /// Adds the needed number of properties, or one to an empty map.
  func add(to members: inout [(String, JSON)], banned: Set<String>) {
    let needed = schema.largest("minProperties") ?? 0
    let least = min(max(needed, isMap(members) ? 1 : 0), ArraySamples.maximumCount)
    let most = schema.smallest("maxProperties") ?? Int.max
    guard members.count < min(least, most) else { return }
    var taken = Set(members.map { Array($0.0.utf8) })
    // Declared ones first.
    let declared = schema.all("properties").flatMap { $0.members.map(\.name) }
    let patterns = schema.all("patternProperties").flatMap { $0.members.map(\.name) }
    var turn = 0
    while members.count < min(least, most), turn < declared.count + 2 * least + 20, !attempt.budget.isSpent {
      defer { turn += 1 }
      let isDeclared = turn < declared.count
      let name = isDeclared ? declared[turn] : self.name(turn - declared.count, among: patterns)
      guard let name, !banned.contains(name), !taken.contains(Array(name.utf8)) else { continue }
      let isNeeded = members.count < needed
      guard let value = value(of: name, isDeclared: isDeclared, isNeeded: isNeeded) else { continue }
      members.append((name, value))
      taken.insert(Array(name.utf8))
    }
  }

  private func isMap(_ members: [(String, JSON)]) -> Bool {
    members.isEmpty && attempt.strategy.fillsOptional && attempt.budget.optionalValues > 0
      && place.depth < SampleAttempt.optionalDepth
      && (schema.all("additionalProperties").contains { $0.count > 0 } || schema.has("patternProperties"))
  }

  private func value(of name: String, isDeclared: Bool, isNeeded: Bool) -> JSON? {
    let schemas = attempt.children.ofProperty(name, in: schema)
    guard isNeeded || !isDeclared && !attempt.recursion.leadsBack(schemas, place) else { return nil }
    guard !isDeclared || !attempt.intersection(of: schemas).isHidden(attempt.validator.direction) else { return nil }
    return attempt.value(schemas, place.property(name)) ?? (isNeeded ? evaluated(name) : nil)
  }

  /// A value for a property that another schema than `unevaluatedProperties` may evaluate.
  func evaluated(_ name: String) -> JSON? {
    guard !attempt.children.knowsProperty(name, of: schema) else { return nil }
    for schemas in attempt.children.alternatives(to: "unevaluatedProperties", in: schema) {
      if let value = attempt.value(schemas, place.property(name)) { return value }
    }
    return nil
  }

  /// An undeclared name that `propertyNames` and the patterns allow.
  func name(_ turn: Int, among patterns: [String]) -> String? {
    let rules = schema.all("propertyNames")
    var place = place.property("key").salted(turn)
    if !rules.isEmpty {
      place.serial += turn
      return attempt.value(rules, place)?.string
    }
    place.ordinal += turn
    let random = attempt.random(at: place)
    // An object with patterns and additional names gets some of each.
    let isOpen = !schema.all("additionalProperties").contains { $0.bool == false }
    // The keys of a map are mostly ids, and clients of many APIs read those as numbers.
    guard let pattern = random.choice(of: patterns.map(Optional.some) + (patterns.isEmpty ? [nil] : [])),
      !isOpen || turn < 10
    else { return String(turn + 1) }
    var varied = random.random(if: turn > 3)
    // Longer names come later, since they are more numerous.
    return attempt.cache.sampler(pattern).flatMap {
      attempt.budget.match(of: $0, atLeast: turn / 4, atMost: 60, &varied)
    }
  }
}

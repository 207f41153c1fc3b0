import SourceText

extension Sampling {
  /// The values of `enum` and `const`, where there are any: those that all of the lists hold; `null` last.
  func listedValues(_ conjunction: Conjunction) -> [JSON]? {
    let constants = conjunction.all("const")
    let lists = conjunction.all("enum").filter(\.isArray)
    guard !constants.isEmpty || !lists.isEmpty else { return nil }
    return memory.list(constants + lists) {
      effort.spend(lists.reduce(0) { $0 + $1.count })
      var common: Set<DistinctValue>?
      for list in constants.map({ [$0] }) + lists.dropFirst(constants.isEmpty ? 1 : 0).map({ Array($0.elements) }) {
        let values = Set(list.map(DistinctValue.init))
        common = common?.intersection(values) ?? values
      }
      var values = constants.first.map { [$0] } ?? lists.first.map { Array($0.elements) } ?? []
      if let common { values.removeAll { !common.contains(DistinctValue(value: $0)) } }
      return values.filter { !$0.isNull } + values.filter(\.isNull)
    }
  }

  mutating func listedValue(_ values: [JSON], _ conjunction: Conjunction, _ place: Place) -> JSON? {
    var dice = dice(place)
    let first = dice.roll(values.last?.isNull == true ? values.count - 1 : values.count) + place.serial
    let types = types(of: conjunction)
    var isJudged = true
    for position in values.indices {
      let value = values[(first + position) % values.count]
      effort.spend(1)
      guard !effort.isSpent else {
        isJudged = false
        break
      }
      // Those of another type need no judge.
      guard types.contains(where: { $0.admits(value) }) else { continue }
      if accepts(value, conjunction.origins) { return value }
    }
    return refuseListed(values, conjunction, isProof: isJudged && !effort.isSpent && !effort.isJudgingTooCostly)
  }

  private mutating func refuseListed(_ values: [JSON], _ conjunction: Conjunction, isProof: Bool) -> JSON? {
    if conjunction.all("enum").contains(where: { $0.isArray && $0.count == 0 }) {
      return refuse("`enum` is empty", conjunction, naming: ["enum"], isProof: true)
    }
    guard let first = values.first else {
      return refuse(
        "the values of `enum` and `const` exclude each other", conjunction, naming: ["enum", "const"], isProof: true)
    }
    let keyword = conjunction.has("const") ? "const" : "enum"
    let types = types(of: conjunction)
    if conjunction.has("type"), !types.contains(where: { $0.admits(first) }) {
      return refuse(
        "`type` is \(types.map(\.rawValue).joined(separator: " or ")), but `\(keyword)` lists a \(first.kindName)",
        conjunction, naming: ["type", keyword], isProof: isProof)
    }
    // Judged once more, by the one that tells which keywords refuse it.
    effort.spend(2_000)
    let failures = conjunction.origins.flatMap { judge(of: $0).failures(first, limit: 5) }.filter { !$0.isNotJudged }
    var refusing: [String] = []
    for failure in failures where failure.keyword != keyword && !refusing.contains(failure.keyword) {
      refusing.append(failure.keyword)
    }
    let words = refusing.isEmpty ? "the keywords beside it" : Wording.list(refusing.map { "`\($0)`" })
    _ = refuse("no value of `\(keyword)` fits \(words)", conjunction, naming: [keyword], isProof: isProof)
    conflict?.keywords += failures.filter { $0.keyword != keyword }.compactMap(\.schema.ownKey)
    return nil
  }

  /// The first example or default that fits, with what does not travel in this direction taken out.
  func example(_ conjunction: Conjunction, _ place: Place) -> JSON? {
    var found: [JSON] = []
    for part in conjunction.parts {
      for keyword in ["example", "x-example"] { if let example = part[keyword] { found.append(example) } }
      if let examples = part["examples"], examples.isArray { found += examples.elements }
    }
    for part in conjunction.parts { if let value = part["default"] { found.append(value) } }
    guard !found.isEmpty else { return nil }
    var dice = dice(place)
    // With a seed, half the values are made: the same example at every seed would be no variation.
    guard !dice.happens(oneIn: 2) else { return nil }
    let first = dice.roll(found.count)
    for position in found.indices {
      let value = visible(found[(first + position) % found.count], conjunction.origins, depth: 0)
      // An empty default says what is assumed, not what is usual.
      if !(value.isNull || value.isString("")), accepts(value, conjunction.origins) { return value }
    }
    return nil
  }

  /// The value without the members that are hidden in this direction.
  private func visible(_ value: JSON, _ origins: [JSON], depth: Int) -> JSON {
    guard direction != .either, depth < Self.maximumDepth, value.isObject || value.isArray else { return value }
    let conjunction = conjunction(of: origins)
    if value.isArray {
      let items = conjunction.all("items").filter(\.isObject)
      return items.isEmpty ? value : .array(value.elements.map { visible($0, items, depth: depth + 1) })
    }
    return .object(
      value.members.compactMap { member -> (String, JSON)? in
        let schemas = conjunction.all("properties").compactMap { $0[member.name] }
        guard !schemas.isEmpty else { return (member.name, member.value) }
        return isHidden(self.conjunction(of: schemas))
          ? nil : (member.name, visible(member.value, schemas, depth: depth + 1))
      })
  }

  /// Whether a property does not travel in this direction.
  func isHidden(_ property: Conjunction) -> Bool {
    switch direction {
    case .request: property.flag("readOnly")
    case .response: property.flag("writeOnly")
    case .either: false
    }
  }
}

extension Conjunction {
  /// The values of `enum` and `const`, where there are any; `null` last.
  var listedValues: [JSON]? {
    let constants = all("const")
    let lists = all("enum").filter(\.isArray)
    guard var values = constants.first.map({ [$0] }) ?? lists.first.map({ Array($0.elements) }) else { return nil }
    values.removeAll { value in
      constants.contains { $0 != value } || lists.contains { !$0.elements.contains(value) }
    }
    return values.filter { !$0.isNull } + values.filter(\.isNull)
  }
}

extension Sampling {
  mutating func listedValue(_ values: [JSON], _ conjunction: Conjunction, _ place: Place) -> JSON? {
    var dice = dice(place)
    let first = dice.roll(values.last?.isNull == true ? values.count - 1 : values.count)
    for position in values.indices {
      let value = values[(first + position) % values.count]
      if accepts(value, conjunction.origins) { return value }
    }
    return refuse(
      conflict(ofListed: values, conjunction), at: conjunction.parts.first { $0["enum"] ?? $0["const"] != nil })
  }

  private func conflict(ofListed values: [JSON], _ conjunction: Conjunction) -> String {
    if conjunction.all("enum").contains(where: { $0.count == 0 }) { return "`enum` is empty" }
    guard let first = values.first else { return "the values of `enum` and `const` exclude each other" }
    let keyword = conjunction.has("const") ? "const" : "enum"
    let types = types(of: conjunction).map(\.rawValue)
    if conjunction.has("type"), !types.contains(first.kindName), !(first.kind == .number && types.contains("integer")) {
      return "`type` is \(types.joined(separator: " or ")), but `\(keyword)` lists a \(first.kindName)"
    }
    return "no value of `\(keyword)` fits the keywords beside it"
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

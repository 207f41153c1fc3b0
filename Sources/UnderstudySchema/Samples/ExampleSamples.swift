/// Values of `example`, `examples` and `default`.
struct ExampleSamples {
  let attempt: SampleAttempt
  let schema: SchemaIntersection

  /// The first valid example or default, without members that the direction excludes.
  func sample(_ place: SamplePlace) -> JSON? {
    var found: [JSON] = []
    for part in schema.parts {
      for keyword in ["example", "x-example"] { if let example = part[keyword] { found.append(example) } }
      if let examples = part["examples"], examples.isArray { found += examples.elements }
    }
    found += schema.all("default")
    guard !found.isEmpty else { return nil }
    var random = attempt.random(at: place)
    // With a seed, half the values are generated, since examples do not vary with it.
    guard !random.happens(oneIn: 2) else { return nil }
    let first = random.number(below: found.count)
    for position in found.indices {
      let value = visible(found[(first + position) % found.count], schema.origins, depth: 0)
      // An empty default is not a typical value.
      if !value.isString(""), attempt.validator.accepts(value, schema.origins) { return value }
    }
    return nil
  }

  /// The value without members that the direction excludes.
  private func visible(_ value: JSON, _ origins: [JSON], depth: Int) -> JSON {
    let direction = attempt.validator.direction
    guard direction != .either, depth < SampleAttempt.maximumDepth, value.isObject || value.isArray else {
      return value
    }
    let schema = attempt.intersection(of: origins)
    if value.isArray {
      let items = schema.all("items").filter(\.isObject)
      return items.isEmpty ? value : .array(value.elements.map { visible($0, items, depth: depth + 1) })
    }
    return .object(
      value.members.compactMap { member -> (String, JSON)? in
        let schemas = schema.all("properties").compactMap { $0[member.name] }
        guard !schemas.isEmpty else { return (member.name, member.value) }
        return attempt.intersection(of: schemas).isHidden(direction)
          ? nil : (member.name, visible(member.value, schemas, depth: depth + 1))
      })
  }
}

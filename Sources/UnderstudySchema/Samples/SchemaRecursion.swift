/// Finds schemas whose values contain values of the same schema.
struct SchemaRecursion {
  let reader: SchemaReader
  let children: ChildSchemas

  /// Whether a value of these schemas would contain an enclosing value again, within `depth` levels.
  func leadsBack(_ schemas: [JSON], _ place: SamplePlace, depth: Int = 3) -> Bool {
    leadsBack(SchemaIntersection(schemas, reader), place, depth: depth)
  }

  func leadsBack(_ schema: SchemaIntersection, _ place: SamplePlace, depth: Int = 3) -> Bool {
    guard place.around.isDisjoint(with: schema.targets) else { return true }
    guard depth > 0, !place.around.isEmpty, !reader.budget.isSpent else { return false }
    let leadsOn = schema.choices.contains { choice in
      choice.branches.prefix(8).allSatisfy { !$0.isEmpty && leadsBack($0, place, depth: depth - 1) }
    }
    if leadsOn { return true }
    if (schema.largest("minItems") ?? 0) > 0,
      leadsBack(children.ofElement(0, in: schema), place, depth: depth - 1)
    {
      return true
    }
    return schema.all("required").flatMap { $0.elements.prefix(8) }.compactMap(\.string).contains {
      leadsBack(children.ofProperty($0, in: schema), place, depth: depth - 1)
    }
  }

  /// The nesting of the shallowest value of a schema, at most `limit`.
  func height(_ schema: JSON, limit: Int) -> Int {
    guard limit > 0, !reader.budget.isSpent else { return 1 }
    reader.budget.spend(1)
    func below(_ schema: JSON) -> Int { self.height(schema, limit: limit - 1) }
    var height = 0
    if let target = reader.target(of: schema) { height = below(target) }
    for part in schema.elements(of: "allOf") { height = max(height, below(part)) }
    for keyword in ["oneOf", "anyOf"] {
      guard let list = schema[keyword] else { continue }
      height = max(height, list.elements.prefix(8).map(below).min() ?? 0)
    }
    for name in schema.elements(of: "required").prefix(20) {
      guard let property = name.string.flatMap({ schema["properties"]?[$0] }) else { continue }
      height = max(height, 1 + below(property))
    }
    if let items = schema["items"], items.isObject, (schema["minItems"]?.int ?? 0) > 0 {
      height = max(height, 1 + below(items))
    }
    return height
  }
}

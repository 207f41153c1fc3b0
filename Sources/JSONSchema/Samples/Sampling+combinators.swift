import SourceText

extension Sampling {
  /// The branches in the order to try them.
  func order(of choice: Conjunction.Choice, _ place: Place, salt: Int) -> [Int] {
    var place = place
    place.salt = Dice.hash(salt, onto: place.salt)
    var dice = dice(place)
    let count = choice.branches.count
    let first = dice.roll(count)
    let turned = (0..<count).map { ($0 + first) % count }
    // A branch that leads back to what is being made, or says null, waits until nothing else fits.
    func rank(_ branch: [JSON]) -> Int {
      effort.spend(branch.count)
      var rank = 0
      for schema in branch {
        if schema["type"]?.string == "null" { rank += 1 }
        if let target = target(of: schema), place.around.contains(SchemaSpot(target)) { rank += 2 }
        if place.depth >= Self.optionalDepth { rank += 3 * height(schema, limit: 5) }
      }
      return rank
    }
    let ranks = choice.branches.map(rank)
    return turned.enumerated().sorted { (ranks[$0.element], $0.offset) < (ranks[$1.element], $1.offset) }.map(\.element)
  }

  /// How deep the shallowest value of a schema is, at most `limit`.
  private func height(_ schema: JSON, limit: Int) -> Int {
    guard limit > 0, !effort.isSpent else { return 1 }
    effort.spend(1)
    var height = 0
    if let target = target(of: schema) { height = self.height(target, limit: limit - 1) }
    for part in schema.elements(of: "allOf") { height = max(height, self.height(part, limit: limit - 1)) }
    for keyword in ["oneOf", "anyOf"] {
      guard let list = schema[keyword] else { continue }
      height = max(height, list.elements.prefix(8).map { self.height($0, limit: limit - 1) }.min() ?? 0)
    }
    for name in schema.elements(of: "required").prefix(20) {
      guard let property = name.string.flatMap({ schema["properties"]?[$0] }) else { continue }
      height = max(height, 1 + self.height(property, limit: limit - 1))
    }
    if let items = schema["items"], items.isObject, (schema["minItems"]?.int ?? 0) > 0 {
      height = max(height, 1 + self.height(items, limit: limit - 1))
    }
    return height
  }
}

/// The properties to make for an object, with the dependencies of the chosen ones.
struct PropertySelection {
  /// The schemas of the object, including those that depend on the chosen properties.
  private(set) var schema: SchemaIntersection
  /// The names of required properties.
  private(set) var required: [String] = []
  /// The properties to make, in the order of their declaration.
  private(set) var names: [String] = []
  /// Names that `not` excludes: `not: {required: [a]}`, alone or in an `anyOf`.
  let banned: Set<String>
  private let attempt: SampleAttempt
  private let place: SamplePlace

  init(_ attempt: SampleAttempt, _ schema: SchemaIntersection, _ place: SamplePlace) {
    self.attempt = attempt
    self.schema = schema
    self.place = place
    banned = Self.bannedNames(schema)
    required = requiredNames
    // Schemas that depend on the choice of optional properties prove no conflict.
    var dependsOnChoice = false
    // A present property may require other properties and schemas.
    for _ in 0..<8 {
      names = propertyNames()
      let present = Set(names)
      let known = Set(required)
      let more = dependentNames(of: present).filter { !known.contains($0) }
      let count = self.schema.parts.count
      self.schema.add(dependentSchemas(of: present), attempt.reader)
      if more.isEmpty, self.schema.parts.count == count { break }
      dependsOnChoice = true
      var added = known
      required += (more + requiredNames).filter { added.insert($0).inserted }
    }
    self.schema.isLoose = self.schema.isLoose || dependsOnChoice
  }

  /// Removes the last optional properties, so that at most `most` properties remain.
  mutating func limit(to most: Int) {
    let needed = Set(required)
    var spare = most - needed.count
    names.removeAll { name in
      guard !needed.contains(name) else { return false }
      spare -= 1
      return spare < 0
    }
  }

  private var requiredNames: [String] {
    var names: [String] = []
    var seen: Set<String> = []
    for list in schema.all("required") {
      for name in list.elements.compactMap(\.string) where seen.insert(name).inserted { names.append(name) }
    }
    let direction = attempt.validator.direction
    guard !attempt.strategy.keepsHidden, direction != .either else { return names }
    return names.filter {
      !attempt.intersection(of: attempt.children.ofProperty($0, in: schema)).isHidden(direction)
    }
  }

  private static func bannedNames(_ schema: SchemaIntersection) -> Set<String> {
    var banned: Set<String> = []
    for excluded in schema.all("not") {
      for branch in [excluded] + excluded.elements(of: "anyOf") {
        guard branch.count == 1, let list = branch["required"], let name = list[0]?.string else { continue }
        banned.insert(name)
      }
    }
    return banned
  }

  private func propertyNames() -> [String] {
    let needed = Set(required)
    var seen: Set<String> = []
    var names: [String] = []
    let fills = attempt.strategy.fillsOptional && place.depth < SampleAttempt.optionalDepth
    for name in schema.all("properties").flatMap({ $0.members.map(\.name) }) where seen.insert(name).inserted {
      if needed.contains(name) {
        names.append(name)
        continue
      }
      guard fills, !banned.contains(name), attempt.budget.optionalValues > names.count else { continue }
      var random = attempt.random(at: place.property(name))
      guard !random.happens(oneIn: 4) else { continue }
      let property = attempt.intersection(of: attempt.children.ofProperty(name, in: schema))
      if property.isImpossible || property.isHidden(attempt.validator.direction)
        || attempt.recursion.leadsBack(property, place)
      {
        continue
      }
      names.append(name)
    }
    return names + required.filter { !seen.contains($0) }
  }

  private func dependentNames(of names: Set<String>) -> [String] {
    (schema.all("dependentRequired") + schema.all("dependencies")).flatMap { map in
      map.members.filter { $0.value.isArray && names.contains($0.name) }.flatMap {
        $0.value.elements.compactMap(\.string)
      }
    }
  }

  private func dependentSchemas(of names: Set<String>) -> [JSON] {
    (schema.all("dependentSchemas") + schema.all("dependencies")).flatMap { map in
      map.members.filter { !$0.value.isArray && names.contains($0.name) }.map(\.value)
    }
  }
}

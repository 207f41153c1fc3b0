/// Objects similar to a valid one, each meant to break one keyword.
struct InvalidObjects {
  let attempt: SampleAttempt
  let schema: SchemaIntersection

  /// The most members in all objects that differ from the valid one in one member.
  private static let maximumVariedMembers = 200_000
  /// The largest `maxProperties` to exceed.
  private static let maximumCount = 200

  func beside(_ value: JSON) -> [InvalidValues.Candidate] {
    let members = value.members.map { ($0.name, $0.value) }
    // Each variation is a whole object, so that fewer members of larger objects vary.
    let varied = members.indices.prefix(Self.maximumVariedMembers / max(members.count, 1))
    var objects: [InvalidValues.Candidate] = varied.map { position in
      var fewer = members
      let removed = fewer.remove(at: position)
      return (.object(fewer), removed.0)
    }
    var names = undeclaredNames(members.map(\.0), count: 1)
    // A name that `propertyNames` does not allow.
    if schema.has("propertyNames") { names.append("unexpected") }
    let others = names.map { ($0, JSON.string("value")) }
    // Replaced members keep the number that `minProperties` needs.
    let substitutes = optionalMember(beside: members.map(\.0)).map { [$0] } ?? []
    for position in varied {
      for substitute in substitutes + others.prefix(1) {
        var changed = members
        changed.remove(at: position)
        objects.append((.object(changed + [substitute]), members[position].0))
      }
    }
    for other in others { objects.append((.object(members + [other]), "")) }
    for name in dependingNames where !members.contains(where: { $0.0.utf8.elementsEqual(name.utf8) }) {
      guard let value = self.value(of: name) else { continue }
      objects.append((.object(members + [(name, value)]), name))
    }
    return objects + wrongCounts(members).map { ($0, "") }
  }

  /// Objects with fewer members than `minProperties`, and with more than `maxProperties`.
  private func wrongCounts(_ members: [(String, JSON)]) -> [JSON] {
    var objects: [JSON] = []
    if let least = schema.largest("minProperties"), least > 0 { objects.append(.object(members.prefix(least - 1))) }
    if let most = schema.smallest("maxProperties"), 0..<Self.maximumCount ~= most {
      let names = undeclaredNames(members.map(\.0), count: max(1, most - members.count + 1))
      objects.append(.object(members + names.map { ($0, JSON.string("value")) }))
      // Declared members, for schemas that restrict the others.
      var more = members
      while more.count <= most, let next = optionalMember(beside: more.map(\.0)) { more.append(next) }
      objects.append(.object(more))
    }
    return objects
  }

  private func value(of name: String) -> JSON? {
    attempt.value(attempt.children.ofProperty(name, in: schema), SamplePlace.root.property(name))
  }

  /// Names of properties that require others, declared or not.
  private var dependingNames: [String] {
    ["dependentRequired", "dependentSchemas", "dependencies"].flatMap { keyword in
      schema.all(keyword).flatMap { $0.members.prefix(100).map(\.name) }
    }
  }

  private var declaredNames: [String] { schema.all("properties").flatMap { $0.members.map(\.name) } }

  /// Names that are neither present nor declared: plain ones, and names that `propertyNames` allows.
  private func undeclaredNames(_ present: [String], count: Int) -> [String] {
    var taken = Set((present + declaredNames).map { Array($0.utf8) })
    var names: [String] = []
    func add(_ name: String) {
      if names.count < count, taken.insert(Array(name.utf8)).inserted { names.append(name) }
    }
    if schema.has("propertyNames") {
      let extras = ExtraProperties(attempt: attempt, schema: schema, place: .root)
      for turn in 0..<(count + 8) { if let name = extras.name(turn, among: []) { add(name) } }
    }
    for turn in 0..<(count + taken.count + 1) where names.count < count {
      add(turn == 0 ? "unexpected" : "unexpected\(turn + 1)")
    }
    return names
  }

  /// An absent declared property, or an undeclared one, with a valid value.
  private func optionalMember(beside present: [String]) -> (String, JSON)? {
    let absent = declaredNames.filter { name in !present.contains { $0.utf8.elementsEqual(name.utf8) } }
    for name in absent.prefix(8) + undeclaredNames(present, count: 1) {
      if let value = value(of: name) { return (name, value) }
    }
    return nil
  }
}

import SourceText

/// Values beside the one that fits: each is meant to break one keyword; the validator says which it did.
extension Sampling {
  /// A value and a tag, which tells apart what breaks the same keyword in different ways, such as two required properties.
  typealias Miss = (value: JSON, tag: String)

  mutating func misses(of value: JSON, _ conjunction: Conjunction) -> [Miss] {
    var misses: [Miss] = []
    switch value.kind {
    case .string: misses += stringMisses(value.text, conjunction).map { (.string($0), "") }
    case .number: misses += numberMisses(value, conjunction).map { (spelling(number: $0), "") }
    case .array: misses += arrayMisses(value, conjunction).map { ($0, "") }
    case .object: misses += objectMisses(value, conjunction)
    case .null, .true, .false: break
    }
    for excluded in conjunction.all("not") {
      if let miss = self.value([excluded], .root) { misses.append((miss, "")) }
    }
    let others: [JSON] = ["not listed", 987_654_321, nil, true, false, [], [:]]
    return misses + others.map { ($0, "") }
  }

  private func spelling(number: String) -> JSON { .make { $0.append(number: Array(number.utf8)) } }

  private func stringMisses(_ text: String, _ conjunction: Conjunction) -> [String] {
    var misses: [String] = []
    let scalars = Array(text.unicodeScalars)
    if let least = conjunction.largest("minLength"), least > 0, scalars.count >= least {
      misses.append(String(String.UnicodeScalarView(scalars.prefix(least - 1))))
    }
    if let most = conjunction.smallest("maxLength"), 0..<20_000 ~= most {
      misses.append(Self.fit(text, most + 1, most + 1))
    }
    if conjunction.has("pattern") || conjunction.has("format") {
      // As long as the value that fits, so that lengths stay as they are.
      misses += ["!", "0", "a", "Z", " "].map { String(repeating: $0, count: scalars.count) }
      misses += ["", text + "\u{7F}"]
    }
    return misses
  }

  private func numberMisses(_ value: JSON, _ conjunction: Conjunction) -> [String] {
    // The ones beside those that are listed, small as they are.
    let listed = (listedValues(conjunction) ?? []).prefix(100).compactMap(\.int)
    var misses = [listed.max().flatMap { $0 < .max ? $0 + 1 : nil }, listed.min().flatMap { $0 > .min ? $0 - 1 : nil }]
      .compactMap { $0.map(String.init) }
    let line = NumberLine(conjunction, isInteger: types(of: conjunction).first == .integer)
    if line.isExact, let number = value.number { misses += line.neighbours(of: number) }
    return misses
  }

  // MARK: - Arrays

  private mutating func arrayMisses(_ value: JSON, _ conjunction: Conjunction) -> [JSON] {
    let elements = Array(value.elements)
    var misses: [JSON] = []
    if let least = conjunction.largest("minItems"), least > 0 { misses.append(.array(elements.prefix(least - 1))) }
    if let most = conjunction.smallest("maxItems"), 0..<200 ~= most {
      var more = elements
      while more.count <= most,
        let next = self.value(
          elementSchemas(conjunction, at: more.count), Place.root.element(more.count, ordinal: more.count))
      {
        more.append(next)
      }
      misses.append(.array(more))
    }
    if conjunction.flag("uniqueItems"), let first = elements.first {
      misses.append(.array(elements + [first]))
      misses.append(.array(elements.dropLast() + [first]))
    }
    for part in conjunction.parts {
      guard let contained = part["contains"] else { continue }
      misses += containsMisses(elements, contained, part, conjunction)
    }
    return misses
  }

  /// Too few, and too many, of what `contains` counts.
  private mutating func containsMisses(
    _ elements: [JSON], _ contained: JSON, _ part: JSON, _ conjunction: Conjunction
  ) -> [JSON] {
    var misses: [JSON] = [[], .array(elements.filter { !accepts($0, [contained]) })]
    let isUnique = conjunction.flag("uniqueItems")
    var series = Series(place: .root, isUnique: isUnique)
    var others: [JSON] = []
    for (position, element) in elements.enumerated() {
      series.move(to: position, ordinal: position)
      let counts = accepts(element, [contained])
      guard
        let other = counts
          ? self.element(elementSchemas(conjunction, at: position), unlike: [contained], &series) : element
      else { break }
      others.append(other)
    }
    if others.count == elements.count { misses.append(.array(others)) }
    guard let most = part["maxContains"]?.size, most < 200 else { return misses }
    var more = elements
    series = Series(place: .root, isUnique: isUnique)
    for element in elements { series.insert(element) }
    var count = elements.count { accepts($0, [contained]) }
    while count <= most {
      series.move(to: more.count, ordinal: more.count)
      guard let next = element(elementSchemas(conjunction, at: more.count) + [contained], &series) else { break }
      more.append(next)
      count += 1
    }
    return misses + [.array(more)]
  }

  // MARK: - Objects

  /// Members of all the objects that differ from the one that fits in one member.
  private static let maximumVariedMembers = 200_000

  private mutating func objectMisses(_ value: JSON, _ conjunction: Conjunction) -> [Miss] {
    let members = value.members.map { ($0.name, $0.value) }
    // Each is an object of its own: the more members there are, the fewer of them are varied.
    let varied = members.indices.prefix(Self.maximumVariedMembers / max(members.count, 1))
    var misses: [Miss] = varied.map { position in
      var fewer = members
      let removed = fewer.remove(at: position)
      return (.object(fewer), removed.0)
    }
    var names = undeclaredNames(members.map(\.0), conjunction, count: 1)
    // One that `propertyNames` does not allow.
    if conjunction.has("propertyNames") { names.append("unexpected") }
    let others = names.map { ($0, JSON.string("value")) }
    // Where as many are needed, another one comes instead.
    let substitutes = optionalMember(beside: members.map(\.0), conjunction).map { [$0] } ?? []
    for position in varied {
      for substitute in substitutes + others.prefix(1) {
        var changed = members
        changed.remove(at: position)
        misses.append((.object(changed + [substitute]), members[position].0))
      }
    }
    for other in others { misses.append((.object(members + [other]), "")) }
    for name in dependingNames(conjunction) where !members.contains(where: { $0.0.utf8.elementsEqual(name.utf8) }) {
      guard let value = self.value(propertySchemas(conjunction, name), Place.root.property(name)) else { continue }
      misses.append((.object(members + [(name, value)]), name))
    }
    if let least = conjunction.largest("minProperties"), least > 0 {
      misses.append((.object(members.prefix(least - 1)), ""))
    }
    if let most = conjunction.smallest("maxProperties"), 0..<200 ~= most {
      let names = undeclaredNames(members.map(\.0), conjunction, count: max(1, most - members.count + 1))
      misses.append((.object(members + names.map { ($0, JSON.string("value")) }), ""))
      // Where the others must be declared, or of a type.
      var more = members
      while more.count <= most, let next = optionalMember(beside: more.map(\.0), conjunction) { more.append(next) }
      misses.append((.object(more), ""))
    }
    return misses
  }

  /// Names of properties that ask for others, whether they are declared or not.
  private func dependingNames(_ conjunction: Conjunction) -> [String] {
    ["dependentRequired", "dependentSchemas", "dependencies"].flatMap { keyword in
      conjunction.all(keyword).flatMap { $0.members.prefix(100).map(\.name) }
    }
  }

  /// Names that are neither there nor declared: plain ones, and ones that `propertyNames` allows.
  private mutating func undeclaredNames(_ present: [String], _ conjunction: Conjunction, count: Int) -> [String] {
    var taken = Set(present.map { Array($0.utf8) })
    for name in conjunction.all("properties").flatMap({ $0.members.map(\.name) }) { taken.insert(Array(name.utf8)) }
    var names: [String] = []
    func add(_ name: String) {
      if names.count < count, taken.insert(Array(name.utf8)).inserted { names.append(name) }
    }
    if conjunction.has("propertyNames") {
      for turn in 0..<(count + 8) {
        if let name = extraName(conjunction, [], turn, .root) { add(name) }
      }
    }
    for turn in 0..<(count + taken.count + 1) where names.count < count {
      add(turn == 0 ? "unexpected" : "unexpected\(turn + 1)")
    }
    return names
  }

  /// A declared property that is not there yet, or an undeclared one, with a value that fits.
  private mutating func optionalMember(beside present: [String], _ conjunction: Conjunction) -> (String, JSON)? {
    let declared = conjunction.all("properties").flatMap { $0.members.map(\.name) }
    let names = declared.filter { name in !present.contains { $0.utf8.elementsEqual(name.utf8) } }
    for name in names.prefix(8) + undeclaredNames(present, conjunction, count: 1) {
      if let value = value(propertySchemas(conjunction, name), Place.root.property(name)) { return (name, value) }
    }
    return nil
  }
}

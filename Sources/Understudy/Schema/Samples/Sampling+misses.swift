/// Values beside the one that fits: each is meant to break one keyword; the validator says which it did.
extension Sampling {
  /// The tag tells apart what breaks the same keyword in different ways, such as two required properties.
  mutating func misses(of value: JSON, _ conjunction: Conjunction) -> [(value: JSON, tag: String)] {
    var misses: [(value: JSON, tag: String)] = []
    switch value.kind {
    case .string: misses += stringMisses(value.text, conjunction).map { (.string($0), "") }
    case .number: misses += numberMisses(conjunction).map { (spelling(number: $0), "") }
    case .array: misses += arrayMisses(value, conjunction).map { ($0, "") }
    case .object: misses += objectMisses(value, conjunction)
    case .null, .true, .false: break
    }
    for excluded in conjunction.all("not") {
      if let miss = self.value([excluded], Place(name: "", depth: 0, ordinal: 0, salt: 0)) { misses.append((miss, "")) }
    }
    let others: [JSON] = ["not listed", 987_654_321, .make { $0.append(.null) }, true, false, [], [:]]
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

  private func numberMisses(_ conjunction: Conjunction) -> [String] {
    let isInteger = types(of: conjunction).first == .integer
    let line = NumberLine(conjunction, isInteger: isInteger)
    return line.isExact ? line.neighbours : []
  }

  private mutating func arrayMisses(_ value: JSON, _ conjunction: Conjunction) -> [JSON] {
    let elements = Array(value.elements)
    var misses: [JSON] = []
    if let least = conjunction.largest("minItems"), least > 0 { misses.append(.array(elements.prefix(least - 1))) }
    if let most = conjunction.smallest("maxItems"), 0..<200 ~= most {
      var more = elements
      let place = Place(name: "", depth: 0, ordinal: 0, salt: 0)
      while more.count <= most,
        let next = self.value(
          elementSchemas(conjunction, at: more.count), place.element(more.count, ordinal: more.count))
      {
        more.append(next)
      }
      misses.append(.array(more))
    }
    if conjunction.flag("uniqueItems"), let first = elements.first {
      misses.append(.array(elements + [first]))
      misses.append(.array(elements.dropLast() + [first]))
    }
    if conjunction.has("contains") { misses.append([]) }
    return misses
  }

  private func objectMisses(_ value: JSON, _ conjunction: Conjunction) -> [(value: JSON, tag: String)] {
    let members = value.members.map { ($0.name, $0.value) }
    var misses: [(value: JSON, tag: String)] = members.indices.map { position in
      var fewer = members
      let removed = fewer.remove(at: position)
      return (.object(fewer), removed.0)
    }
    misses.append((.object(members + [("unexpected", "value")]), ""))
    if let least = conjunction.largest("minProperties"), least > 0 {
      misses.append((.object(members.prefix(least - 1)), ""))
    }
    if let most = conjunction.smallest("maxProperties"), 0..<200 ~= most {
      let more = (0...max(0, most - members.count)).map { ("extra\($0 + 1)", JSON.string("value")) }
      misses.append((.object(members + more), ""))
    }
    return misses
  }
}

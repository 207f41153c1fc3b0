/// Values similar to a valid one, each meant to break one keyword; the validator decides which.
struct InvalidValues {
  /// A value and a tag, which distinguishes values that break the same keyword in different ways, such as two required
  /// properties.
  typealias Candidate = (value: JSON, tag: String)

  let attempt: SampleAttempt
  let schema: SchemaIntersection

  func beside(_ value: JSON) -> [Candidate] {
    var candidates: [Candidate] =
      switch value.kind {
      case .string: strings(beside: value.text).map { (.string($0), "") }
      case .number: numbers(beside: value).map { (.number($0), "") }
      case .array: InvalidArrays(attempt: attempt, schema: schema).beside(Array(value.elements)).map { ($0, "") }
      case .object: InvalidObjects(attempt: attempt, schema: schema).beside(value)
      case .null, .true, .false: []
      }
    for excluded in schema.all("not") {
      if let value = attempt.value([excluded], .root) { candidates.append((value, "")) }
    }
    let others: [JSON] = ["not listed", 987_654_321, .null, true, false, [], [:]]
    return candidates + others.map { ($0, "") }
  }

  private func strings(beside text: String) -> [String] {
    var strings: [String] = []
    let scalars = Array(text.unicodeScalars)
    if let least = schema.largest("minLength"), least > 0, scalars.count >= least {
      strings.append(String(String.UnicodeScalarView(scalars.prefix(least - 1))))
    }
    if let most = schema.smallest("maxLength"), 0..<20_000 ~= most {
      strings.append(SampleText.fit(text, most + 1, most + 1))
    }
    if schema.has("pattern") || schema.has("format") {
      // With the length of the valid value, so that they only break the pattern or the format.
      strings += ["!", "0", "a", "Z", " "].map { String(repeating: $0, count: scalars.count) }
      strings += ["", text + "\u{7F}"]
    }
    return strings
  }

  private func numbers(beside value: JSON) -> [String] {
    // Small neighbours of the listed values.
    let listed = (ListedSamples(attempt: attempt, schema: schema).values ?? []).prefix(100).compactMap(\.int)
    let neighbours = [
      listed.max().flatMap { $0 < .max ? $0 + 1 : nil }, listed.min().flatMap { $0 > .min ? $0 - 1 : nil },
    ]
    let line = NumberLine(schema, isInteger: SampleTypes.of(schema).first == .integer)
    return neighbours.compactMap { $0.map(String.init) }
      + (line.isExact ? value.number.map(line.neighbours) ?? [] : [])
  }
}

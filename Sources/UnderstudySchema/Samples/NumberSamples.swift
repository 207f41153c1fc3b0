/// Numbers that fit a schema.
struct NumberSamples {
  private let attempt: SampleAttempt
  private let schema: SchemaIntersection
  private let isInteger: Bool

  init(_ attempt: SampleAttempt, _ schema: SchemaIntersection) {
    self.attempt = attempt
    self.schema = schema
    isInteger = schema.type == .integer || NumberLine.isWhole(schema)
  }

  func sample(_ place: SamplePlace) -> JSON? {
    var line = NumberLine(schema, isInteger: isInteger)
    // The format may not be asserted.
    if line.isExact, line.low > line.high {
      line = NumberLine(schema, isInteger: schema.type == .integer, usesFormat: false)
    }
    guard line.isExact else {
      // For larger bounds, a number close to one of them.
      let near = line.bounds.flatMap { DecimalNeighbours.of($0, divisors: line.divisors, areIntegers: isInteger) }
      return fitting(line.bounds.map(\.spelling) + ["0", "1", "-1"] + near)
        ?? attempt.fail("no number was found that fits \(words)", schema, naming: keywords)
    }
    guard line.low <= line.high else {
      // `exclusiveMinimum: true` has no meaning in most dialects, so a bound itself may be valid.
      return fitting(line.bounds.map(\.spelling))
        ?? attempt.fail(
          "no \(isInteger ? "integer" : "number") fits \(words)", schema, naming: keywords,
          isProof: !line.isBoundedByNot)
    }
    var random = attempt.random(at: place)
    let hint = NameHints.number(for: place.name) ?? (isInteger ? "1" : "1.5")
    let target =
      moment(place, on: line, &random) ?? JSONNumber(hint).flatMap { line.units($0, rounding: .down) } ?? line.one
    let steps = Int128(random.number(below: isInteger ? 100 : 10_000) + place.serial)
    return .number(line.spelling(near: target, steps: steps))
  }

  /// A moment around the day of the clock, in units of the line; `nil` for the name of anything else, and where the bounds
  /// allow none.
  private func moment(_ place: SamplePlace, on line: NumberLine, _ random: inout SeededGenerator) -> Int128? {
    guard let clock = attempt.clock, clock.moment(name: place.name, day: 1) != nil,
      let moment = clock.moment(name: place.name, day: 1 + random.number(below: 28)),
      let units = JSONNumber(String(moment)).flatMap({ line.units($0, rounding: .down) }), line.low <= units,
      units <= line.high
    else { return nil }
    return units
  }

  private func fitting(_ spellings: [String]) -> JSON? {
    spellings.lazy.map(JSON.number).first { attempt.validator.accepts($0, schema.origins) }
  }

  private var words: String { SchemaIntersection.words(for: keywords) }

  /// The keywords about numbers.
  private var keywords: [String] {
    ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format", "not"].filter {
      schema.has($0) && ($0 != "format" || SampleTypes.numericFormats.contains(schema.format ?? ""))
    }
  }
}

extension JSON {
  /// A number by its spelling, which must be of the JSON grammar.
  static func number(_ spelling: String) -> JSON { .make { $0.append(number: Array(spelling.utf8)) } }
}

/// Strings that fit a schema.
struct StringSamples {
  private let attempt: SampleAttempt
  private let schema: SchemaIntersection
  private let place: SamplePlace
  private let patterns: [String]
  private let least: Int
  private let most: Int

  /// The longest string, in scalars.
  private static let maximumLength = 50_000

  init(_ attempt: SampleAttempt, _ schema: SchemaIntersection, _ place: SamplePlace) {
    self.attempt = attempt
    self.schema = schema
    self.place = place
    patterns = schema.all("pattern").compactMap(\.string)
    least = schema.largest("minLength") ?? 0
    most = schema.smallest("maxLength") ?? Int.max
  }

  private var lengths: ClosedRange<Int> { least...most }

  func sample() -> JSON? {
    guard least <= most else {
      return attempt.fail(
        "`minLength` \(least) is more than `maxLength` \(most)", schema, naming: ["minLength", "maxLength"],
        isProof: true)
    }
    guard least <= Self.maximumLength else {
      return attempt.fail(
        "`minLength` \(least) is more than the limit of \(Self.maximumLength) characters", schema,
        naming: ["minLength"])
    }
    let natural = naturalText()
    // With only lengths, the text needs no validation.
    if patterns.isEmpty, schema.format == nil, !schema.isContended {
      let text = SampleText.serial(natural, place.serial, lengths)
      attempt.budget.spend(on: text)
      return .string(text)
    }
    for candidate in candidates(natural) where lengths.contains(candidate.unicodeScalars.count) {
      if let value = fitting(candidate) { return value }
    }
    return patterned(natural)
  }

  /// A typical text; dates lie around the day of the clock.
  private func naturalText() -> String {
    let text = typicalText()
    if let year = limitedYear, Int(text.prefix(4)) != nil { return year + text.dropFirst(4) }
    return attempt.clock?.moved(text, name: place.name) ?? text
  }

  /// A year that lies within a time limit of the schema; `nil` without one, and between two limits.
  private var limitedYear: String? {
    let limits = AnnotationSet.timeLimits.filter { !schema.all($0).isEmpty }
    return limits.count == 1 ? (limits[0] == AnnotationSet.timeLimits[1] ? "1970" : "2100") : nil
  }

  private func typicalText() -> String {
    var random = attempt.random(at: place)
    let face = random.number(below: 10_000) + place.serial
    if let format = schema.format, let text = FormatSamples.text(format, face) { return text }
    switch schema.all("contentEncoding").first?.string {
    case "base64": return FormatSamples.text("byte", face) ?? ""
    case "base64url": return FormatSamples.text("base64url", face) ?? ""
    default: break
    }
    if schema.all("contentMediaType").first?.string == "application/json" { return "{}" }
    return NameHints.text(for: place.name, face)
  }

  private func candidates(_ natural: String) -> [String] {
    var candidates = place.serial > 3 ? SampleText.variants(of: natural, place.serial) : []
    candidates += [natural, SampleText.fit(natural, least, most)]
    if let format = schema.format {
      candidates += FormatSamples.shortTexts(format)
      // A pattern may require another century, network or zone, and lengths another form.
      if !patterns.isEmpty || schema.isContended || !lengths.contains(natural.unicodeScalars.count) {
        candidates += FormatSamples.varied(format)
      }
    }
    return candidates
  }

  /// The text as a value, if it is valid.
  private func fitting(_ text: String) -> JSON? {
    attempt.budget.spend(1 + patterns.count)
    attempt.budget.spend(on: text)
    guard !attempt.budget.isSpent else { return nil }
    let value = JSON.string(text)
    guard attempt.validator.accepts(value, schema.origins) else { return nil }
    return value
  }

  /// The first valid match of the patterns.
  private func patterned(_ natural: String) -> JSON? {
    let texts = PatternedTexts(attempt, schema, patterns: patterns, natural, lengths)
    for turn in 0..<24 where !attempt.budget.isSpent {
      var place = place.salted(turn + place.serial)
      place.ordinal += turn
      var random = attempt.random(at: place).random(if: turn > 3 || place.serial > 0)
      if let value = texts.first(turn, &random, where: fitting) { return value }
    }
    // A `not` or a choice may require any other text.
    for text in Self.oddTexts + (schema.has("not") ? SampleText.ascii(behind: natural) : [])
    where lengths.contains(text.unicodeScalars.count) {
      if let value = fitting(text) { return value }
    }
    if let unreadable = patterns.first(where: { attempt.cache.sampler($0) == nil }) {
      return attempt.fail("the `pattern` `\(unreadable)` cannot be read", schema, naming: ["pattern"])
    }
    guard !patterns.isEmpty || schema.format != nil else {
      return .string(SampleText.fit(natural, least, most))
    }
    let isOne = schema.keywords.count == 1
    return attempt.fail(
      "no string was found that fits \(schema.wordsForKeywords)\(isOne ? "" : " together")", schema,
      naming: schema.keywords)
  }

  private static let oddTexts = ["", "0", "A", "é", "text text text", String(repeating: "text ", count: 60)]
}

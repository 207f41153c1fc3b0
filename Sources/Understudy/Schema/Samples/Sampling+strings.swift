extension Sampling {
  /// No string is made longer, in scalars.
  private static let maximumLength = 50_000

  mutating func string(_ conjunction: Conjunction, _ place: Place) -> JSON? {
    let schema = conjunction.origins.first
    let least = max(conjunction.largest("minLength") ?? 0, 0)
    let most = conjunction.smallest("maxLength") ?? Int.max
    guard least <= most else { return refuse("`minLength` \(least) is more than `maxLength` \(most)", at: schema) }
    guard least <= Self.maximumLength else {
      return refuse("`minLength` \(least) is more than the \(Self.maximumLength) characters that are made", at: schema)
    }
    let patterns = conjunction.all("pattern").compactMap(\.string)
    var dice = dice(place)
    let natural = naturalText(conjunction, place, &dice)
    // Nothing but lengths and a name: no need to ask the judge.
    if patterns.isEmpty, conjunction.format == nil, !conjunction.isContended {
      return .string(Self.fit(natural, least, most))
    }
    var candidates = [natural, Self.fit(natural, least, most)]
    if let format = conjunction.format { candidates += Self.shortTexts(ofFormat: format) }
    for candidate in candidates where 0..<most.addingOne ~= candidate.unicodeScalars.count {
      let value = JSON.string(candidate)
      if accepts(value, conjunction.origins) { return value }
    }
    return patterned(patterns, natural, conjunction, place, least, most)
  }

  /// Matches of the patterns, until one fits everything else.
  private mutating func patterned(
    _ patterns: [String], _ natural: String, _ conjunction: Conjunction, _ place: Place, _ least: Int, _ most: Int
  ) -> JSON? {
    let schema = conjunction.origins.first
    var unreadable: String?
    for pattern in patterns {
      guard let sampler = PatternSampler(pattern) else {
        unreadable = pattern
        continue
      }
      for turn in 0..<24 {
        var place = place
        place.ordinal += turn
        place.salt = Dice.hash(turn, onto: place.salt)
        var dice = Dice(rolling: turn > 3, dice(place))
        // Longer ones come later: a lookahead may need room.
        let wanted = min(max(least, turn % 6 * 3), most)
        guard let text = sampler.sample(atLeast: wanted, atMost: most, &dice) else { continue }
        for candidate in [text, Self.fit(text, least, most)] where candidate.unicodeScalars.count <= most {
          let value = JSON.string(candidate)
          if accepts(value, conjunction.origins) { return value }
        }
      }
    }
    if let unreadable { return refuse("the `pattern` `\(unreadable)` cannot be read", at: schema) }
    // A `not` or a choice may want anything else.
    for text in ["", "0", "A", "é", "text text text"] where accepts(.string(text), conjunction.origins) {
      return .string(text)
    }
    guard !patterns.isEmpty || conjunction.format != nil else { return .string(Self.fit(natural, least, most)) }
    return refuse("no string was found that \(conjunction.wordsForKeywords) accept together", at: schema)
  }

  /// What people expect to see here.
  private func naturalText(_ conjunction: Conjunction, _ place: Place, _ dice: inout Dice) -> String {
    let face = dice.roll(10_000)
    if let format = conjunction.format, let text = FormatSamples.text(format, face) { return text }
    switch conjunction.all("contentEncoding").first?.string {
    case "base64": return FormatSamples.text("byte", face) ?? ""
    case "base64url": return FormatSamples.text("base64url", face) ?? ""
    default: break
    }
    if conjunction.all("contentMediaType").first?.string == "application/json" { return "{}" }
    return NameHints.text(for: place.name, face)
  }

  private static func shortTexts(ofFormat format: String) -> [String] {
    switch format {
    case "email", "idn-email": ["a@b.co"]
    case "hostname", "idn-hostname": ["a.co"]
    case "uri", "iri", "url": ["urn:a:b", "a:b"]
    case "byte", "base64": ["YQ==", ""]
    case "uri-reference", "iri-reference", "json-pointer", "uri-template", "regex": [""]
    default: []
    }
  }

  /// The text with a length in the bounds, cut or drawn out.
  static func fit(_ text: String, _ least: Int, _ most: Int) -> String {
    let scalars = text.unicodeScalars
    if scalars.count > most { return trimmed(String(String.UnicodeScalarView(scalars.prefix(most))), least) }
    guard scalars.count < least else { return text }
    // Mail addresses grow in front, in labels of letters; all else grows at the end.
    let missing = least - scalars.count
    if text.utf8.contains(UInt8(ascii: "@")) { return String(repeating: "a", count: missing) + text }
    let source = Array((text.isEmpty ? "text" : text).unicodeScalars)
    let separator: [Unicode.Scalar] = text.utf8.contains(UInt8(ascii: " ")) ? [" "] : []
    let period = separator + source
    return String(String.UnicodeScalarView(Array(scalars) + (0..<missing).map { period[$0 % period.count] }))
  }

  /// No blank at the end, where that is not needed for the length.
  private static func trimmed(_ text: String, _ least: Int) -> String {
    var text = text
    while text.utf8.last == UInt8(ascii: " "), text.unicodeScalars.count > least { text.removeLast() }
    return text
  }
}

extension Int {
  /// One more, or the largest number.
  fileprivate var addingOne: Int { self == .max ? self : self + 1 }
}

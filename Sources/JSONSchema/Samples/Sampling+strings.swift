import SourceText

extension Sampling {
  /// No string is made longer, in scalars.
  private static let maximumLength = 50_000

  mutating func string(_ conjunction: Conjunction, _ place: Place) -> JSON? {
    let least = conjunction.largest("minLength") ?? 0
    let most = conjunction.smallest("maxLength") ?? Int.max
    guard least <= most else {
      return refuse(
        "`minLength` \(least) is more than `maxLength` \(most)", conjunction, naming: ["minLength", "maxLength"],
        isProof: true)
    }
    guard least <= Self.maximumLength else {
      return refuse(
        "`minLength` \(least) is more than the \(Self.maximumLength) characters that are made", conjunction,
        naming: ["minLength"])
    }
    let patterns = conjunction.all("pattern").compactMap(\.string)
    var dice = dice(place)
    let natural = naturalText(conjunction, place, &dice)
    let lengths = least...max(least, most)
    // Nothing but lengths and a name: no need to ask the judge.
    if patterns.isEmpty, conjunction.format == nil, !conjunction.isContended {
      let text = Self.serial(natural, place.serial, lengths)
      effort.spend(on: text)
      return .string(text)
    }
    var candidates = place.serial > 3 ? Self.variants(of: natural, place.serial) : []
    candidates += [natural, Self.fit(natural, least, most)]
    if let format = conjunction.format {
      candidates += FormatSamples.shortTexts(format)
      // A pattern may want another century, net or zone, and lengths another form.
      if !patterns.isEmpty || conjunction.isContended || !lengths.contains(natural.unicodeScalars.count) {
        candidates += FormatSamples.varied(format)
      }
    }
    for candidate in candidates where lengths.contains(candidate.unicodeScalars.count) {
      if let value = fitting(candidate, patterns, conjunction) { return value }
    }
    return patterned(patterns, natural, conjunction, place, lengths)
  }

  /// The text as a value, if it fits; the patterns are tried first, since they cost the least.
  private func fitting(_ text: String, _ patterns: [String], _ conjunction: Conjunction) -> JSON? {
    effort.spend(1 + patterns.count)
    effort.spend(on: text)
    guard !effort.isSpent else { return nil }
    let value = JSON.string(text)
    guard accepts(value, conjunction.origins) else { return nil }
    return value
  }

  /// Matches of the patterns, until one fits everything else.
  private mutating func patterned(
    _ patterns: [String], _ natural: String, _ conjunction: Conjunction, _ place: Place, _ lengths: ClosedRange<Int>
  ) -> JSON? {
    let least = lengths.lowerBound
    let samplers = patterns.compactMap { memory.sampler($0) }
    for turn in 0..<24 where !effort.isSpent {
      var place = place
      place.ordinal += turn
      place.salt = Dice.hash(turn + place.serial, onto: place.salt)
      var dice = Dice(rolling: turn > 3 || place.serial > 0, dice(place))
      // Longer ones come later: a lookahead may need room.
      let wanted = min(max(least, turn % 6 * 3), lengths.upperBound)
      let texts = samplers.compactMap { effort.match(of: $0, atLeast: wanted, atMost: lengths.upperBound, &dice) }
      for text in texts {
        for candidate in [text, Self.fit(text, least, lengths.upperBound)]
        where candidate.unicodeScalars.count <= lengths.upperBound {
          if let value = fitting(candidate, patterns, conjunction) { return value }
        }
      }
      for candidate in overlays(samplers, texts, natural, conjunction, turn, lengths, &dice)
      where lengths.contains(candidate.unicodeScalars.count) {
        if let value = fitting(candidate, patterns, conjunction) { return value }
      }
    }
    // A `not` or a choice may want anything else.
    for text in Self.oddTexts + (conjunction.has("not") ? Self.asciiTexts(natural) : [])
    where lengths.contains(text.unicodeScalars.count) {
      if let value = fitting(text, patterns, conjunction) { return value }
    }
    if let unreadable = patterns.first(where: { memory.sampler($0) == nil }) {
      return refuse("the `pattern` `\(unreadable)` cannot be read", conjunction, naming: ["pattern"])
    }
    guard !patterns.isEmpty || conjunction.format != nil else {
      return .string(Self.fit(natural, least, lengths.upperBound))
    }
    let isOne = conjunction.keywords.count == 1
    return refuse(
      "no string was found that fits \(conjunction.wordsForKeywords)\(isOne ? "" : " together")", conjunction,
      naming: conjunction.keywords)
  }

  /// Texts that several patterns, or a pattern and a format, have parts of.
  private func overlays(
    _ samplers: [PatternSampler], _ texts: [String], _ natural: String, _ conjunction: Conjunction, _ turn: Int,
    _ lengths: ClosedRange<Int>, _ dice: inout Dice
  ) -> [String] {
    var overlays: [String] = []
    if samplers.count > 1, samplers.count == texts.count {
      // Without fillers: `[A-Z]` alone is one capital.
      let cores = samplers.compactMap { effort.match(of: $0, atLeast: 0, atMost: lengths.upperBound, &dice) }
      overlays.append(Self.fit(cores.joined(), lengths.lowerBound, lengths.upperBound))
      for base in texts {
        var text = Array(base.unicodeScalars)
        var next = turn % 3
        for core in cores where core != base {
          for scalar in core.unicodeScalars where next < text.count {
            text[next] = scalar
            next += 1
          }
        }
        overlays.append(String(String.UnicodeScalarView(text)))
      }
    }
    guard let format = conjunction.format, turn < 4 else { return overlays }
    let whole = ([natural] + FormatSamples.varied(format)).dropFirst(turn).first ?? natural
    let scalars = Array(whole.unicodeScalars)
    for sampler in samplers {
      guard let core = effort.match(of: sampler, atLeast: 0, atMost: lengths.upperBound, &dice) else { continue }
      // The pattern's part in place of some of the beginning, or of the end.
      for cut in 0...min(scalars.count, 40) where !effort.isSpent {
        effort.spend(on: core)
        overlays.append(core + String(String.UnicodeScalarView(scalars[cut...])))
        overlays.append(String(String.UnicodeScalarView(scalars.dropLast(cut))) + core)
      }
    }
    return overlays
  }

  private static let oddTexts = ["", "0", "A", "é", "text text text", String(repeating: "text ", count: 60)]

  /// Every printable character of ASCII, alone and behind another text.
  private static func asciiTexts(_ text: String) -> [String] {
    (0x20...0x7E as ClosedRange<UInt8>).flatMap { byte in
      let character = String(Unicode.Scalar(byte))
      return [text + character, character]
    }
  }

  /// What people expect to see here.
  private func naturalText(_ conjunction: Conjunction, _ place: Place, _ dice: inout Dice) -> String {
    let face = dice.roll(10_000) + place.serial
    if let format = conjunction.format, let text = FormatSamples.text(format, face) { return text }
    switch conjunction.all("contentEncoding").first?.string {
    case "base64": return FormatSamples.text("byte", face) ?? ""
    case "base64url": return FormatSamples.text("base64url", face) ?? ""
    default: break
    }
    if conjunction.all("contentMediaType").first?.string == "application/json" { return "{}" }
    return NameHints.text(for: place.name, face)
  }

  // MARK: - Texts that differ

  /// The text in these lengths; from the fifth of a series on with its number, since hints are few.
  private static func serial(_ text: String, _ serial: Int, _ lengths: ClosedRange<Int>) -> String {
    guard serial > 3 else { return fit(text, lengths.lowerBound, lengths.upperBound) }
    let number = String(serial)
    if text.unicodeScalars.count + number.utf8.count <= lengths.upperBound {
      return fit(text, max(0, lengths.lowerBound - number.utf8.count), lengths.upperBound) + number
    }
    // A number to the base of all that is easy to read, as short as can be.
    let digits = Array("abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".unicodeScalars)
    var left = serial
    var scalars: [Unicode.Scalar] = []
    repeat {
      scalars.insert(digits[left % digits.count], at: 0)
      left /= digits.count
    } while left > 0
    let missing = max(0, lengths.lowerBound - scalars.count)
    let code = String(repeating: "a", count: missing) + String(String.UnicodeScalarView(scalars))
    return fit(code, lengths.lowerBound, lengths.upperBound)
  }

  private static func variants(of text: String, _ serial: Int) -> [String] {
    ["\(text)\(serial)", "n\(serial)\(text)", "n\(serial).\(text)", "\(serial)"]
  }

  /// The text with a length in the bounds, cut or drawn out.
  static func fit(_ text: String, _ least: Int, _ most: Int) -> String {
    let scalars = text.unicodeScalars
    if scalars.count > most { return trimmed(String(String.UnicodeScalarView(scalars.prefix(most))), least) }
    guard scalars.count < least else { return text }
    // Mail addresses grow in front, in labels of letters; all else grows at the end.
    let missing = least - scalars.count
    if text.utf8.contains(UInt8(ascii: "@")) { return String(repeating: "a", count: missing) + text }
    let period = (text.utf8.contains(UInt8(ascii: " ")) ? " " : "") + (text.isEmpty ? "text" : text)
    let (turns, rest) = missing.quotientAndRemainder(dividingBy: period.unicodeScalars.count)
    return text + String(repeating: period, count: turns) + String(period.unicodeScalars.prefix(rest))
  }

  /// No blank at the end, where that is not needed for the length.
  private static func trimmed(_ text: String, _ least: Int) -> String {
    var text = text
    while text.utf8.last == UInt8(ascii: " "), text.unicodeScalars.count > least { text.removeLast() }
    return text
  }
}

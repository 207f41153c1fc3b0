/// Reads a tag such as `now +1h format=epoch`: the name of a function, then offsets and `key=value`.
struct TemplateFunctionReader {
  private let text: [UInt8]
  private let content: Range<Int>
  private var options: [Option] = []

  private static let lengthLimit = 10_000
  /// Random numbers are exact in every reader of JSON (RFC 8259, section 6).
  private static let numberLimit = 1 << 53

  private struct Option {
    /// Empty for an offset.
    var key: String
    var value: String
    var isQuoted: Bool
    var range: Range<Int>
  }

  init(_ text: [UInt8], _ content: Range<Int>) { (self.text, self.content) = (text, content) }

  /// The function; `nil` if the tag has one word, or its first word names no function.
  mutating func read() throws(TextProblem) -> TemplateFunction? {
    var words = try words()[...]
    guard let first = words.popFirst(), !words.isEmpty, TemplateFunction.names.contains(string(first)) else {
      return nil
    }
    for word in words { options.append(try option(word)) }
    switch string(first) {
    case "now": return .now(offset: try offset(), try format())
    case "random": return try random()
    case "jwt": return .token(try token())
    default:
      try allow([])
      return .uuid
    }
  }

  private func offset() throws(TextProblem) -> Int {
    try allow(["", "format"])
    var sum = 0
    for option in options where option.key.isEmpty {
      sum += try offset(option)
      guard abs(sum) <= TimeOffset.limit else { throw problem("the offsets exceed a hundred years", at: option.range) }
    }
    return sum
  }

  private func offset(_ option: Option) throws(TextProblem) -> Int {
    guard let offset = TimeOffset.microseconds(option.value) else {
      throw problem(
        "`\(option.value)` is not an offset", at: option.range,
        help: "expected `+` or `-`, a number and ms, s, m, h, d or w, as in `+1h30m`, at most a hundred years")
    }
    return offset
  }

  private func format() throws(TextProblem) -> TimeFormat {
    guard let option = try value("format") else { return .dateTime }
    guard let format = TimeFormat(option.value) else {
      throw problem(
        "`\(option.value)` is not a format", at: option.range,
        help: Suggestion.phrase(for: option.value, among: TimeFormat.names)
          ?? "known: \(TimeFormat.names.joined(separator: ", ")), and patterns of \(TimeFormat.conversions)")
    }
    return format
  }

  private func random() throws(TextProblem) -> TemplateFunction {
    try allow(["min", "max", "length", "hex", "of"])
    if let option = try value("of") {
      try exclude(["min", "max", "length", "hex"], beside: option)
      return .choice(option.value.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    }
    if let option = try value("length") {
      try exclude(["min", "max", "hex"], beside: option)
      return .text(length: try number(option, in: 0...Self.lengthLimit))
    }
    if let option = try value("hex") {
      try exclude(["min", "max"], beside: option)
      return .digits(length: try number(option, in: 0...Self.lengthLimit))
    }
    let limits = -Self.numberLimit...Self.numberLimit
    let maximum = try value("max")
    let lower = try value("min").map { option throws(TextProblem) in try number(option, in: limits) } ?? 0
    let upper = try maximum.map { option throws(TextProblem) in try number(option, in: limits) } ?? max(lower, 999_999)
    guard lower <= upper else {
      throw problem("`min` is \(lower), but `max` is \(upper)", at: maximum?.range ?? content)
    }
    return .integer(lower...upper)
  }

  private func token() throws(TextProblem) -> TokenTemplate {
    var claims: [(name: String, value: TokenTemplate.Claim)] = []
    for option in options {
      guard !option.key.isEmpty else {
        throw problem("`\(option.value)` is not a claim", at: option.range, help: "as in `{{jwt exp=+5s sub=tom}}`")
      }
      _ = try value(option.key)
      claims.append((option.key, try claim(option)))
    }
    return TokenTemplate(claims: claims)
  }

  /// Unquoted numbers and booleans keep their type; anything else is text.
  private func claim(_ option: Option) throws(TextProblem) -> TokenTemplate.Claim {
    let isLiteral = !option.isQuoted && (["true", "false"].contains(option.value) || isNumber(option.value))
    guard TokenTemplate.times.contains(option.key) else {
      return .literal(isLiteral ? option.value : JSONWriter.text(.string(option.value)))
    }
    if isNumber(option.value) { return .literal(option.value) }
    return .time(offset: try offset(option))
  }

  /// Whether a text is a whole number as JSON writes it, without a sign.
  private func isNumber(_ text: String) -> Bool { Int(text).map { $0 >= 0 && String($0).utf8Equals(text) } ?? false }

  private func value(_ key: String) throws(TextProblem) -> Option? {
    let given = options.filter { $0.key.utf8Equals(key) }
    guard given.count < 2 else { throw problem("`\(key)` is given twice", at: given[1].range) }
    return given.first
  }

  private func number(_ option: Option, in range: ClosedRange<Int>) throws(TextProblem) -> Int {
    guard let number = Int(option.value), range.contains(number) else {
      throw problem(
        "expected a whole number from \(range.lowerBound) to \(range.upperBound) for `\(option.key)`, found "
          + "`\(option.value)`", at: option.range)
    }
    return number
  }

  private func exclude(_ keys: [String], beside option: Option) throws(TextProblem) {
    guard let other = options.first(where: { keys.contains($0.key) }) else { return }
    throw problem("`\(option.key)` and `\(other.key)` exclude each other", at: other.range, help: "keep one of them")
  }

  private func allow(_ keys: [String]) throws(TextProblem) {
    guard let option = options.first(where: { !keys.contains($0.key) }) else { return }
    let known = keys.filter { !$0.isEmpty }
    let fallback = known.isEmpty ? "it has none" : "known: \(known.joined(separator: ", "))"
    throw problem(
      "`\(option.key.isEmpty ? option.value : option.key)` is not an option of this function", at: option.range,
      help: Suggestion.phrase(for: option.key, among: known) ?? fallback)
  }

  /// The words of the tag; white space between quotes is part of a word.
  private func words() throws(TextProblem) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    var quote: Int?
    for index in content {
      if let open = quote {
        if text[index] == text[open] { quote = nil }
      } else if FixtureTemplateParser.isSpace(text[index]) {
        if let begin = start { words.append(begin..<index) }
        start = nil
      } else {
        if text[index] == UInt8(ascii: "'") || text[index] == UInt8(ascii: "\"") { quote = index }
        start = start ?? index
      }
    }
    if let begin = start { words.append(begin..<content.upperBound) }
    if let open = quote, words.count > 1 { throw problem("a quote has no end", at: open..<content.upperBound) }
    return words
  }

  private func option(_ word: Range<Int>) throws(TextProblem) -> Option {
    guard let equals = text[word].firstIndex(of: UInt8(ascii: "=")) else {
      return Option(key: "", value: string(word), isQuoted: false, range: word)
    }
    var value = equals + 1..<word.upperBound
    let isQuoted = value.count > 1 && (text[value.lowerBound] == 0x27 || text[value.lowerBound] == 0x22)
    if isQuoted {
      guard text[value.upperBound - 1] == text[value.lowerBound] else {
        throw problem("a quoted value ends at its quote", at: word)
      }
      value = value.lowerBound + 1..<value.upperBound - 1
    }
    guard equals > word.lowerBound else { throw problem("a value has no name", at: word, help: "as in `format=date`") }
    return Option(key: string(word.lowerBound..<equals), value: string(value), isQuoted: isQuoted, range: word)
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

  private func problem(_ message: String, at range: Range<Int>, help: String? = nil) -> TextProblem {
    TextProblem(.syntax, message, at: range, help: help)
  }
}

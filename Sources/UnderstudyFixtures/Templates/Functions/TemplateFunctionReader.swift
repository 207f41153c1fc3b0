/// Reads a tag such as `now +1h format=epoch`: the name of a function, then offsets and `key=value`.
struct TemplateFunctionReader {
  private let source: TemplateWords
  private let name: Range<Int>
  private let content: Range<Int>
  private var options: [TemplateWords.Option] = []
  /// Reads an expression in parentheses, without these.
  private let group: (Range<Int>) throws(TextProblem) -> TemplateExpression

  private static let lengthLimit = 10_000
  /// Random numbers are exact in every reader of JSON (RFC 8259, section 6).
  private static let numberLimit = 1 << 53
  /// The option of `jwt` that names the secret of the signature.
  private static let secretKey = "hs256"

  /// - Parameter words: The words of the tag, of which the first names the function.
  init(
    _ source: TemplateWords, _ words: [Range<Int>],
    group: @escaping (Range<Int>) throws(TextProblem) -> TemplateExpression
  ) throws(TextProblem) {
    self.source = source
    self.group = group
    name = words[0]
    content = words[0].lowerBound..<words[words.count - 1].upperBound
    for word in words.dropFirst() { options.append(try source.option(word)) }
  }

  func read() throws(TextProblem) -> TemplateFunction {
    switch source.string(name) {
    case "now": return .now(try shift(), try format())
    case "random": return try random()
    case "jwt": return .token(try token())
    case "randomValue": return try randomValue()
    case "randomInt": return .integer(try integer("lower", "upper", among: ["lower", "upper"]))
    case "pickRandom": return .choice(try texts())
    case "faker": return .property(try property())
    default:
      try allow([])
      return .uuid
    }
  }

  private func shift() throws(TextProblem) -> TimeShift {
    try allow(["", "format", "offset"])
    var sum = 0
    for option in options where option.key.isEmpty && format(of: option) == nil {
      sum += try offset(option)
      guard abs(sum) <= TimeOffset.limit else { throw problem("the offsets exceed a hundred years", at: option.range) }
    }
    guard let option = try value("offset") else { return TimeShift(microseconds: sum) }
    if sum != 0 { throw problem("an offset is given twice", at: option.range) }
    return try source.shift(option)
  }

  private func offset(_ option: TemplateWords.Option) throws(TextProblem) -> Int {
    guard let offset = TimeOffset.microseconds(option.value) else {
      throw problem(
        "`\(option.value)` is not an offset", at: option.range,
        help: "expected `+` or `-`, a number and ms, s, m, h, d or w, as in `+1h30m`, at most a hundred years")
    }
    return offset
  }

  /// The format of a quoted value without a name: `now 'yyyy-MM-dd'`.
  private func format(of option: TemplateWords.Option) -> TimeFormat? {
    source.isQuote(option.range) ? TimeFormat(String(option.value.dropFirst().dropLast())) : nil
  }

  private func format() throws(TextProblem) -> TimeFormat {
    if let option = try value("format") { return try source.format(option) }
    return options.lazy.compactMap { $0.key.isEmpty ? format(of: $0) : nil }.first ?? .dateTime
  }

  private func random() throws(TextProblem) -> TemplateFunction {
    let keys = ["min", "max", "length", "hex", "of", "format"]
    try allow(keys)
    if let option = try value("format") {
      try exclude(keys.filter { $0 != "format" }, beside: option)
      return .format(try known(option))
    }
    if let option = try value("of") {
      try exclude(["min", "max", "length", "hex"], beside: option)
      return .choice(option.value.split(separator: ",", omittingEmptySubsequences: false).map(String.init))
    }
    if let option = try value("length") {
      try exclude(["min", "max", "hex"], beside: option)
      return .characters(.lettersAndDigits, length: try number(option, in: 0...Self.lengthLimit))
    }
    if let option = try value("hex") {
      try exclude(["min", "max"], beside: option)
      return .characters(.hexadecimal, length: try number(option, in: 0...Self.lengthLimit))
    }
    return .integer(try integer("min", "max", among: keys))
  }

  private func integer(
    _ least: String, _ greatest: String, among keys: [String]
  ) throws(TextProblem) -> ClosedRange<Int> {
    try allow(keys)
    let limits = -Self.numberLimit...Self.numberLimit
    let maximum = try value(greatest)
    let lower = try value(least).map { option throws(TextProblem) in try number(option, in: limits) } ?? 0
    let upper = try maximum.map { option throws(TextProblem) in try number(option, in: limits) } ?? max(lower, 999_999)
    guard lower <= upper else {
      throw problem("`\(least)` is \(lower), but `\(greatest)` is \(upper)", at: maximum?.range ?? content)
    }
    return lower...upper
  }

  /// `type='UUID'`, or characters with `length`.
  private func randomValue() throws(TextProblem) -> TemplateFunction {
    try allow(["type", "length"])
    let types: KeyValuePairs<String, TemplateFunction.Alphabet?> = [
      "UUID": nil, "ALPHANUMERIC": .lettersAndDigits, "ALPHABETIC": .letters, "NUMERIC": .digits,
      "HEXADECIMAL": .hexadecimal,
    ]
    let length = try value("length").map { option throws(TextProblem) in try number(option, in: 0...Self.lengthLimit) }
    guard let option = try value("type") else { return .characters(.lettersAndDigits, length: length ?? 36) }
    guard let type = types.first(where: { $0.key.utf8Equals(option.value) }) else {
      throw problem(
        "`\(option.value)` is not a type of a random value", at: option.range,
        help: Suggestion.help(for: option.value, among: types.map(\.key)))
    }
    return type.value.map { .characters($0, length: length ?? 36) } ?? .uuid
  }

  private func known(_ option: TemplateWords.Option) throws(TextProblem) -> String {
    if FormatSamples.text(option.value, 0) != nil { return option.value }
    throw problem(
      "`\(option.value)` is not a format of random values", at: option.range,
      help: Suggestion.help(
        for: option.value,
        among: [
          "date-time", "date", "time", "duration", "uuid", "email", "hostname", "uri", "ipv4", "ipv6", "mac", "phone",
          "password", "color", "currency", "country-code", "int32", "byte",
        ]))
  }

  /// The values without names, quoted or not.
  private func texts() throws(TextProblem) -> [String] {
    try allow([""])
    return options.map { source.isQuote($0.range) ? String($0.value.dropFirst().dropLast()) : $0.value }
  }

  /// The last part of a name such as `person.firstName`.
  private func property() throws(TextProblem) -> String {
    let names = try texts()
    guard names.count == 1 else {
      throw problem("`faker` takes 1 value, found \(names.count)", at: content, help: "write `{{faker 'firstName'}}`")
    }
    let name = names[0].split(separator: ".").last.map(String.init) ?? ""
    if NameHints.isKnown(name) { return name }
    throw problem(
      "no value is known for `\(names[0])`", at: options[0].range,
      help: Suggestion.phrase(
        for: name, among: ["firstName", "lastName", "email", "phone", "city", "country", "street", "zipCode"])
        ?? "as in firstName, lastName, userName, email, phone, city, country, street, zipCode, company or price")
  }

  private func token() throws(TextProblem) -> TokenTemplate {
    var claims: [(name: String, value: TokenTemplate.Claim)] = []
    for option in options where option.key != Self.secretKey {
      guard !option.key.isEmpty else {
        throw problem("`\(option.value)` is not a claim", at: option.range, help: "as in `{{jwt exp=+5s sub=tom}}`")
      }
      _ = try value(option.key)
      claims.append((option.key, try claim(option)))
    }
    let secret = try value(Self.secretKey).map { option throws(TextProblem) in
      if option.value.isEmpty { throw problem("the secret of `hs256` is empty", at: option.range) }
      return try expression(option) ?? .constant(.text(option.value))
    }
    return TokenTemplate(claims: claims, secret: secret)
  }

  /// The expression of a value in parentheses.
  private func expression(_ option: TemplateWords.Option) throws(TextProblem) -> TemplateExpression? {
    guard option.isGroup else { return nil }
    return try group(option.content.dropFirst().dropLast())
  }

  /// Unquoted numbers and booleans keep their type; anything else is text.
  private func claim(_ option: TemplateWords.Option) throws(TextProblem) -> TokenTemplate.Claim {
    if let expression = try expression(option) { return .expression(expression) }
    let isLiteral = !option.isQuoted && (["true", "false"].contains(option.value) || isNumber(option.value))
    guard TokenTemplate.times.contains(option.key) else {
      return .literal(isLiteral ? option.value : JSONWriter.text(.string(option.value)))
    }
    if isNumber(option.value) { return .literal(option.value) }
    return .time(offset: try offset(option))
  }

  /// Whether a text is a whole number as JSON writes it, without a sign.
  private func isNumber(_ text: String) -> Bool { Int(text).map { $0 >= 0 && String($0).utf8Equals(text) } ?? false }

  private func value(_ key: String) throws(TextProblem) -> TemplateWords.Option? {
    let given = options.filter { $0.key.utf8Equals(key) }
    guard given.count < 2 else { throw problem("`\(key)` is given twice", at: given[1].range) }
    return given.first
  }

  private func number(_ option: TemplateWords.Option, in range: ClosedRange<Int>) throws(TextProblem) -> Int {
    guard let number = Int(option.value), range.contains(number) else {
      throw problem(
        "expected a whole number from \(range.lowerBound) to \(range.upperBound) for `\(option.key)`, found "
          + "`\(option.value)`", at: option.range)
    }
    return number
  }

  private func exclude(_ keys: [String], beside option: TemplateWords.Option) throws(TextProblem) {
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

  private func problem(_ message: String, at range: Range<Int>, help: String? = nil) -> TextProblem {
    source.problem(message, at: range, help: help)
  }
}

extension TemplateWords {
  /// The format that an option names.
  func format(_ option: TemplateWords.Option) throws(TextProblem) -> TimeFormat {
    guard let format = TimeFormat(option.value) else {
      throw problem(
        "`\(option.value)` is not a format", at: option.range,
        help: Suggestion.phrase(for: option.value, among: TimeFormat.names)
          ?? "known: \(TimeFormat.names.joined(separator: ", ")), and patterns of \(TimeFormat.conversionList)"
          + ", or of letters such as yyyy-MM-dd")
    }
    return format
  }

  /// The distance in time that an option names.
  func shift(_ option: TemplateWords.Option) throws(TextProblem) -> TimeShift {
    guard let shift = TimeShift(option.value) else {
      throw problem(
        "`\(option.value)` is not an offset", at: option.range,
        help: "expected `+1h`, `3 days` or `-1 month`, at most a hundred years")
    }
    return shift
  }
}

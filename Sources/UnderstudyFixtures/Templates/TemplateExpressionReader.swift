/// Reads an expression of a tag: `request.body.nick`, `upper request.body.nick`, `add (size request.body.items) 1`.
struct TemplateExpressionReader {
  private let source: TemplateWords
  private let tag: Range<Int>

  /// The maximum depth of functions in parentheses.
  private static let depthLimit = 16

  init(_ text: [UInt8], tag: Range<Int>) {
    source = TemplateWords(text: text)
    self.tag = tag
  }

  /// A name or a function.
  func read(_ content: Range<Int>, depth: Int = 0) throws(TextProblem) -> TemplateExpression {
    let words = try source.words(content)
    guard words.count > 1 else { return .path(try path(content)) }
    return try function(words, depth: depth)
  }

  /// A value of a function: a name, a constant, or a function in parentheses.
  func value(_ word: Range<Int>, depth: Int = 0) throws(TextProblem) -> TemplateExpression {
    let text = source.string(word)
    if source.isQuote(word) {
      guard source.text[word.upperBound - 1] == source.text[word.lowerBound] else {
        throw source.problem("a quoted value ends at its quote", at: word)
      }
      return .constant(.text(String(text.dropFirst().dropLast())))
    }
    if text.utf8.first == UInt8(ascii: "(") { return try group(word, depth: depth) }
    if JSONNumber.isValid(ArraySlice(text.utf8)) {
      return .constant(.json(.make { $0.append(number: Array(text.utf8)) }))
    }
    switch text {
    case "true", "false": return .constant(.flag(text == "true"))
    case "null", "undefined": return .constant(nil)
    default: return .path(try path(word))
    }
  }

  private func group(_ word: Range<Int>, depth: Int) throws(TextProblem) -> TemplateExpression {
    guard depth < Self.depthLimit else {
      throw TextProblem(.limit, "functions are nested more than \(Self.depthLimit) deep", at: word)
    }
    guard source.text[word.upperBound - 1] == UInt8(ascii: ")") else {
      throw source.problem("`\(shown(word))` does not end at its parenthesis", at: word)
    }
    return try read(word.dropFirst().dropLast(), depth: depth + 1)
  }

  func path(_ range: Range<Int>) throws(TextProblem) -> TemplatePath {
    if let path = try TemplatePath(source.text, range),
      !source.text[range].contains(where: FixtureTemplateParser.isSpace)
    {
      return path
    }
    let first = String(decoding: source.text[range].prefix { !FixtureTemplateParser.isSpace($0) }, as: UTF8.self)
    throw source.problem(
      "the tag `\(shown(tag))` has no valid name", at: tag,
      help: Suggestion.phrase(for: first, among: Self.names) ?? "as in `{{request.body.chat}}`")
  }

  private func shown(_ range: Range<Int>) -> String { String(decoding: source.text[range].prefix(80), as: UTF8.self) }

  // MARK: - Functions

  /// The names of all functions, without synonyms.
  static let names = TemplateFunction.names + TemplateOperation.signatures.map(\.name)

  static func isFunction(_ name: String) -> Bool {
    names.contains(name) || TemplateFunction.synonyms.contains(name) || TemplateOperation.synonyms[name] != nil
  }

  private func function(_ words: [Range<Int>], depth: Int) throws(TextProblem) -> TemplateExpression {
    let written = source.string(words[0])
    if TemplateFunction.names.contains(written) || TemplateFunction.synonyms.contains(written) {
      let reader = try TemplateFunctionReader(source, words) { range throws(TextProblem) in
        try read(range, depth: depth + 1)
      }
      return .generated(try reader.read())
    }
    let name = TemplateOperation.synonyms[written] ?? written
    guard let signature = TemplateOperation.signatures.first(where: { $0.name.utf8Equals(name) }) else {
      throw source.problem(
        "`\(VisibleText.shortened(written, to: 40))` is not a function", at: words[0],
        help: Suggestion.phrase(for: written, among: Self.names)
          ?? "a name has no spaces, as in `{{request.body.chat}}`")
    }
    var values: [Range<Int>] = []
    var options: [TemplateWords.Option] = []
    for word in words.dropFirst() {
      let option = try option(word)
      if let option { options.append(option) } else { values.append(word) }
    }
    try check(signature, values, options, at: words[0])
    return try call(signature, values, options, at: words[0].lowerBound..<words[words.count - 1].upperBound, depth)
  }

  /// The option of a word such as `digits=2`; `nil` for a value.
  private func option(_ word: Range<Int>) throws(TextProblem) -> TemplateWords.Option? {
    let name = source.text[word].prefix { 97...122 ~= $0 | 0x20 }
    guard !name.isEmpty, name.endIndex < word.upperBound, source.text[name.endIndex] == UInt8(ascii: "=") else {
      return nil
    }
    return try source.option(word)
  }

  private func check(
    _ signature: TemplateOperation.Signature, _ values: [Range<Int>], _ options: [TemplateWords.Option],
    at name: Range<Int>
  ) throws(TextProblem) {
    let example = "as in `\(signature.example)`"
    for (index, option) in options.enumerated() {
      guard signature.options.contains(option.key) else {
        throw source.problem(
          "`\(option.key)` is not an option of this function", at: option.range,
          help: Suggestion.phrase(for: option.key, among: signature.options)
            ?? (signature.options.isEmpty ? "it has none" : "known: \(signature.options.joined(separator: ", "))"))
      }
      if options[..<index].contains(where: { $0.key.utf8Equals(option.key) }) {
        throw source.problem("`\(option.key)` is given twice", at: option.range)
      }
    }
    guard !signature.count.contains(values.count) else { return }
    let (least, most) = (signature.count.lowerBound, signature.count.upperBound)
    let expected = least == most ? least.counted("value") : "\(least) or more values"
    throw source.problem(
      "`\(signature.name)` takes \(expected), found \(values.count)",
      at: values.count > most ? values[most] : name, help: example)
  }

  private func call(
    _ signature: TemplateOperation.Signature, _ words: [Range<Int>], _ options: [TemplateWords.Option],
    at range: Range<Int>, _ depth: Int
  ) throws(TextProblem) -> TemplateExpression {
    var words = words
    if signature.name == "jsonPath" {
      let value = try value(words[0], depth: depth)
      return .query(value, try query(words[1]))
    }
    var operation = try self.operation(signature.name, options)
    if signature.name == "math" {
      operation = try self.operator(words[1])
      words.remove(at: 1)
    }
    guard let operation else { throw source.problem("`\(signature.name)` cannot be used here", at: range) }
    var values: [TemplateExpression] = []
    for word in words { values.append(try value(word, depth: depth)) }
    try check(operation, values, words)
    return try folded(operation, values, at: range)
  }

  private func operation(
    _ name: String, _ options: [TemplateWords.Option]
  ) throws(TextProblem) -> TemplateOperation? {
    func option(_ key: String) -> TemplateWords.Option? { options.first { $0.key.utf8Equals(key) } }
    switch name {
    case "date":
      return .date(
        try option("offset").map(source.shift) ?? .zero, try option("format").map(source.format) ?? .dateTime,
        parse: try option("parse").map(source.format))
    case "parseDate": return .date(.zero, .dateTime, parse: try option("format").map(source.format))
    case "base64":
      guard let option = option("decode") else { return .base64(isDecoding: false) }
      guard ["true", "false"].contains(option.value) else {
        throw source.problem("expected `true` or `false` for `decode`, found `\(option.value)`", at: option.range)
      }
      return .base64(isDecoding: option.value == "true")
    case "round":
      guard let option = option("digits") else { return .round(digits: 0) }
      guard let digits = Int(option.value), 0...18 ~= digits else {
        throw source.problem(
          "expected a whole number from 0 to 18 for `digits`, found `\(option.value)`", at: option.range)
      }
      return .round(digits: digits)
    default: return TemplateOperation(name: name)
    }
  }

  private func `operator`(_ word: Range<Int>) throws(TextProblem) -> TemplateOperation? {
    let text = source.string(word).filter { $0 != "'" && $0 != "\"" }
    if let name = TemplateOperation.operators[text] { return TemplateOperation(name: name) }
    throw source.problem("`\(text)` is not an operator", at: word, help: "expected one of + - * / %")
  }

  private func query(_ word: Range<Int>) throws(TextProblem) -> JSONPath {
    let range = source.isQuote(word) ? word.dropFirst().dropLast() : word
    do throws(TextProblem) {
      return try JSONPath(source.string(range))
    } catch {
      throw source.problem("`\(shown(range))` is not a JSONPath: \(error.message)", at: word, help: error.help)
    }
  }

  // MARK: - Constants

  /// Reports a constant that is not a number where one is expected, and a divisor of 0.
  private func check(
    _ operation: TemplateOperation, _ values: [TemplateExpression], _ words: [Range<Int>]
  ) throws(TextProblem) {
    guard operation.isArithmetic else { return }
    for (index, value) in values.enumerated() {
      guard case .constant(let constant) = value else { continue }
      guard let number = constant?.number else {
        throw source.problem("`\(shown(words[index]))` is not a number", at: words[index])
      }
      if number.isZero, index > 0, operation.isDivision {
        throw source.problem("the divisor is 0", at: words[index])
      }
    }
  }

  /// The result of constants, which is known once; else the call.
  private func folded(
    _ operation: TemplateOperation, _ values: [TemplateExpression], at range: Range<Int>
  ) throws(TextProblem) -> TemplateExpression {
    var constants: [TemplateValue?] = []
    for value in values {
      guard case .constant(let constant) = value else { return .call(operation, values, at: range) }
      constants.append(constant)
    }
    do throws(TemplateMistake) {
      return .constant(try operation.result(constants))
    } catch {
      throw source.problem(error.message, at: range, help: error.help)
    }
  }
}

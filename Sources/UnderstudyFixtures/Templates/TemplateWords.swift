/// Splits the content of a tag into words and options.
struct TemplateWords {
  let text: [UInt8]

  /// One `key=value`, or a value alone.
  struct Option {
    /// Empty for a value alone.
    var key: String
    var value: String
    var isQuoted: Bool
    var range: Range<Int>
    /// The range of the value without its quotes.
    var content: Range<Int>

    /// Whether the value is an expression in parentheses.
    var isGroup: Bool { !isQuoted && value.utf8.first == UInt8(ascii: "(") && value.utf8.last == UInt8(ascii: ")") }
  }

  /// The words; white space between quotes is part of a word, and so is all between parentheses.
  func words(_ content: Range<Int>) throws(TextProblem) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start: Int?
    var quote: Int?
    var groups: [Int] = []
    for index in content {
      let byte = text[index]
      if let open = quote {
        if byte == text[open] { quote = nil }
      } else if FixtureTemplateParser.isSpace(byte), groups.isEmpty {
        if let begin = start { words.append(begin..<index) }
        start = nil
      } else {
        if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { quote = index }
        let isAtValue = start == nil || text[index - 1] == UInt8(ascii: "=")
        // The options of these are texts as they stand.
        let isPlain = words.first.map { ["now", "uuid", "random"].contains(string($0)) } ?? false
        if byte == UInt8(ascii: "("), !isPlain, isAtValue || !groups.isEmpty { groups.append(index) }
        if byte == UInt8(ascii: ")"), !groups.isEmpty { groups.removeLast() }
        start = start ?? index
      }
    }
    if let begin = start { words.append(begin..<content.upperBound) }
    if let open = quote, words.count > 1 { throw problem("a quote has no end", at: open..<content.upperBound) }
    if let open = groups.last, words.count > 1 {
      throw problem("a parenthesis has no end", at: open..<content.upperBound)
    }
    return words
  }

  func option(_ word: Range<Int>) throws(TextProblem) -> Option {
    guard !isWholeQuote(word), let equals = text[word].firstIndex(of: UInt8(ascii: "=")) else {
      return Option(key: "", value: string(word), isQuoted: false, range: word, content: word)
    }
    var value = equals + 1..<word.upperBound
    let isQuoted = isQuote(value)
    if isQuoted {
      guard text[value.upperBound - 1] == text[value.lowerBound] else {
        throw problem("a quoted value ends at its quote", at: word)
      }
      value = value.lowerBound + 1..<value.upperBound - 1
    }
    guard equals > word.lowerBound else { throw problem("a value has no name", at: word, help: "as in `format=date`") }
    return Option(
      key: string(word.lowerBound..<equals), value: string(value), isQuoted: isQuoted, range: word, content: value)
  }

  /// Whether a word begins with a quotation mark.
  func isQuote(_ word: Range<Int>) -> Bool { word.count > 1 && "'\"".utf8.contains(text[word.lowerBound]) }

  /// Whether a word is one quoted string.
  private func isWholeQuote(_ word: Range<Int>) -> Bool {
    isQuote(word) && text[word].dropFirst().firstIndex(of: text[word.lowerBound]) == word.upperBound - 1
  }

  func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }

  func problem(_ message: String, at range: Range<Int>, help: String? = nil) -> TextProblem {
    TextProblem(.syntax, message, at: range, help: help)
  }
}

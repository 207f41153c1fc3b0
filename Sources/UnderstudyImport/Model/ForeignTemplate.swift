/// Translates a Handlebars template to a fixture template, which the fixture reader checks.
enum ForeignTemplate {
  struct Problem: Error {
    /// The tag, and the reason.
    let tag: String
    let message: String
  }

  /// - Parameter translate: Replaces the content of each tag, or throws.
  static func translated(
    _ text: String, _ translate: (_ content: String) throws(Problem) -> String
  ) throws(Problem) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "{{") {
      result += rest[..<start.lowerBound]
      let isTriple = rest[start.upperBound...].first == "{"
      let content = isTriple ? rest.index(after: start.upperBound) : start.upperBound
      let close = isTriple ? "}}}" : "}}"
      guard let end = rest[content...].firstRange(of: close) else {
        throw Problem(tag: String(rest[start.lowerBound...].prefix(40)), message: "the tag has no end")
      }
      let inner = try tag(rest[content..<end.lowerBound], translate)
      result += (isTriple ? "{{{" : "{{") + inner + close
      rest = rest[end.upperBound...]
    }
    result += rest
    try check(result)
    return result
  }

  private static func tag(
    _ content: Substring, _ translate: (_ content: String) throws(Problem) -> String
  ) throws(Problem) -> String {
    let marks = content.prefix { "#/^&~!".contains($0) }
    if marks.contains("!") { return String(content) }
    let body = content.dropFirst(marks.count)
    if marks.contains("~") || body.hasSuffix("~") {
      throw Problem(tag: "{{\(content)}}", message: "`~` is not supported")
    }
    return marks + (try translate(String(body)))
  }

  private static func check(_ text: String) throws(Problem) {
    let template: FixtureTemplate
    do {
      template = try FixtureTemplate(Array(text.utf8), fileExtension: "txt")
    } catch {
      let bytes = Array(text.utf8)
      let range = error.range.clamped(to: 0..<bytes.count)
      let start =
        bytes[..<min(range.lowerBound + 2, bytes.count)].ranges(of: Array("{{".utf8)).last?.lowerBound
        ?? range.lowerBound
      let tag = String(decoding: bytes[start...].prefix(80).prefix { $0 != UInt8(ascii: "}") }, as: UTF8.self) + "}}"
      throw Problem(tag: tag, message: error.message)
    }
    guard let name = template.unknownNames(in: .fixture).first else { return }
    throw Problem(tag: "{{\(name.text)}}", message: "`\(name.text)` has no counterpart")
  }

  /// Replaces whole words of a tag, outside of quotes.
  static func replacingWords(in content: String, _ replace: (_ word: String) -> String?) -> String {
    var result = ""
    var word = ""
    var quote: Character?
    var depth = 0
    func replaced(_ word: String) -> String { replace(word) ?? word }
    for character in content {
      if let open = quote {
        word.append(character)
        if character == open { quote = nil }
        continue
      }
      if character == "[" { depth += 1 }
      if character == "]" { depth -= 1 }
      if depth == 0, character == " " || character == "(" || character == ")" || character == "=" || character == "\n" {
        result += replaced(word) + String(character)
        word = ""
        continue
      }
      if character == "'" || character == "\"" { quote = character }
      word.append(character)
    }
    return result + replaced(word)
  }
}

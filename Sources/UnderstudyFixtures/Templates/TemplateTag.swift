/// A tag in a body that is not a template.
package enum TemplateTag {
  /// The maximum length of a tag, in bytes.
  private static let lengthLimit = 200

  /// The range of the first tag: `{{name}}`, `{{#request.body.tags}}` or `{{now +1h}}`; `nil` also without UTF-8.
  package static func first(in text: [UInt8]) -> Range<Int>? {
    var found: Range<Int>?
    text.withUnsafeBufferPointer { bytes in
      var start = 0
      while found == nil, start + 4 < bytes.count {
        if bytes[start] == brace, bytes[start + 1] == brace { found = tag(at: start, in: bytes) }
        start += 1
      }
    }
    return found.flatMap { String(validating: text, as: UTF8.self) == nil ? nil : $0 }
  }

  /// Whether a string has the braces of a tag, whatever they hold.
  static func isOpen(in text: [UInt8]) -> Bool {
    guard let start = text.indices.dropLast().first(where: { text[$0] == brace && text[$0 + 1] == brace }) else {
      return false
    }
    let end = UInt8(ascii: "}")
    return text[start...].indices.dropLast().contains { text[$0] == end && text[$0 + 1] == end }
  }

  private static let brace = UInt8(ascii: "{")

  private static func tag(at start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    let isTriple = bytes[start + 2] == brace
    let content = start + (isTriple ? 3 : 2)
    let limit = min(bytes.count, start + lengthLimit)
    guard content < limit, let end = bytes[content..<limit].firstIndex(of: UInt8(ascii: "}")) else { return nil }
    let close = end + (isTriple ? 3 : 2)
    guard close <= bytes.count, bytes[end..<close].allSatisfy({ $0 == UInt8(ascii: "}") }) else { return nil }
    var words = bytes[content..<end].split(whereSeparator: FixtureTemplateParser.isSpace)
    let isBlock = words.first?.first == UInt8(ascii: "#")
    if let first = words.first?.first, "&#^/".utf8.contains(first) {
      words[0] = words[0].dropFirst()
      if words[0].isEmpty { words.removeFirst() }
    }
    guard let name = words.first else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    // A position, a pointer or JSONPath may follow, with spaces in a filter.
    if text.hasPrefix("request.") { return start..<close }
    guard isName(name) else { return nil }
    let isCondition = TemplateOperation.conditions.contains(text)
    // Templates of other programs have `{{if x}}` and `{{and x y}}`.
    let isFunction =
      isBlock
      ? isCondition || TemplateBlock.words.contains(text)
      : !isCondition && TemplateExpressionReader.isFunction(text)
    return words.count == 1 || isFunction ? start..<close : nil
  }

  /// Whether a word is a name with parts: `request.header.X-Mode`.
  private static func isName(_ word: some Collection<UInt8>) -> Bool {
    guard let first = word.first, isLetter(first) else { return false }
    return word.allSatisfy { byte in
      isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || ".-/".utf8.contains(byte)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
  }
}

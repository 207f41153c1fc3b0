// MARK: - Escapes

extension PatternTranslation {
  /// What an escape stands for.
  fileprivate enum Escape {
    case scalar(Unicode.Scalar)
    /// A lone surrogate: no text holds one.
    case surrogate(UInt32)
    /// The inside of a class.
    case set(String)
  }

  /// In a group of its own: PCRE2 lets a bare one that is repeated fail where its group has taken no part, while for
  /// ECMA-262 (22.2.2.9.1, BackreferenceMatcher) it matches the empty text.
  private mutating func backReference(to group: Int) {
    captures.refer(to: group)
    output += #"(?:\g{\#(group)})"#
  }

  /// An escape outside of a class; whether it may be repeated.
  mutating func escape() throws(PatternProblem) -> Bool {
    switch peek {
    case "b", "B":
      output += peek == "b" ? #"\b"# : #"\B"#
      position += 1
      return false
    case "k":
      guard skip("k<"), let end = input[position...].firstIndex(of: ">") else { break }
      let name = String(String.UnicodeScalarView(input[position..<end]))
      guard let number = groupNames[name] else { throw PatternProblem("no group is named `\(name)`") }
      guard number > 0 else { throw PatternProblem("several groups are named `\(name)`", isLimit: true) }
      position = end + 1
      backReference(to: number)
      return true
    case let digit? where "1"..."9" ~= digit:
      let digits = input[position...].prefix { "0"..."9" ~= $0 }
      let text = String(String.UnicodeScalarView(digits))
      guard let number = Int(text), number <= groupCount else {
        throw PatternProblem(#"`\\#(text)` refers to no group"#)
      }
      position += digits.count
      backReference(to: number)
      return true
    default: break
    }
    switch try commonEscape() {
    case .scalar(let scalar): output += Self.literal(scalar)
    case .surrogate: output += "(?!)"
    case .set(let set): output += "[" + set + "]"
    }
    return true
  }

  /// An escape that means the same in a class and outside, behind the backslash.
  private mutating func commonEscape() throws(PatternProblem) -> Escape {
    guard let scalar = next() else {
      throw PatternProblem("a backslash ends the pattern", help: #"write `\\` for the character"#)
    }
    switch scalar {
    case "d": return .set("0-9")
    case "D": return .set(#"\x{0}-\x{2f}\x{3a}-\x{10ffff}"#)
    case "w": return .set("a-zA-Z0-9_")
    case "W": return .set(#"\x{0}-\x{2f}\x{3a}-\x{40}\x{5b}-\x{5e}\x{60}\x{7b}-\x{10ffff}"#)
    case "s": return .set(UnicodeSet.space)
    case "S": return .set(UnicodeSet.notSpace)
    case "p", "P": return .set(try property(isNegated: scalar == "P"))
    case "f": return .scalar("\u{C}")
    case "n": return .scalar("\n")
    case "r": return .scalar("\r")
    case "t": return .scalar("\t")
    case "v": return .scalar("\u{B}")
    case "0":
      if let peek, "0"..."9" ~= peek { throw PatternProblem("octal escapes do not exist", help: #"write `\xHH`"#) }
      return .scalar("\0")
    case "c":
      guard let letter = next(), letter.isASCII, letter.properties.isAlphabetic,
        let control = Unicode.Scalar(letter.value % 32)
      else { throw PatternProblem(#"`\c` wants a letter"#) }
      return .scalar(control)
    case "x": return .scalar(Unicode.Scalar(UInt8(truncatingIfNeeded: try hex(2, after: #"\x"#))))
    case "u": return try unicodeEscape()
    default:
      let isLetter =
        scalar.isASCII ? scalar.properties.isAlphabetic || "0"..."9" ~= scalar : scalar.properties.isXIDContinue
      guard !isLetter else {
        throw PatternProblem(
          #"`\\#(scalar)` is no escape of ECMA-262"#,
          help: scalar == "A" ? "write `^`" : scalar == "Z" || scalar == "z" ? "write `$`" : nil)
      }
      return .scalar(scalar)
    }
  }

  private mutating func hex(_ count: Int, after escape: String) throws(PatternProblem) -> UInt32 {
    let digits = input[position...].prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
      let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    else { throw PatternProblem("`\(escape)` wants \(count) hexadecimal digits") }
    position += count
    return value
  }

  private mutating func unicodeEscape() throws(PatternProblem) -> Escape {
    if skip("{") {
      guard let end = input[position...].firstIndex(of: "}"),
        input[position..<end].allSatisfy(\.properties.isASCIIHexDigit),
        let value = UInt32(String(String.UnicodeScalarView(input[position..<end])), radix: 16), value <= 0x10FFFF
      else { throw PatternProblem(#"`\u{` wants hexadecimal digits up to 10FFFF and `}`"#) }
      position = end + 1
      return Unicode.Scalar(value).map(Escape.scalar) ?? .surrogate(value)
    }
    let first = try hex(4, after: #"\u"#)
    if 0xD800...0xDBFF ~= first, skip(#"\u"#) {
      let start = position - 2
      if let second = try? hex(4, after: #"\u"#), 0xDC00...0xDFFF ~= second,
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
      {
        return .scalar(scalar)
      }
      position = start
    }
    return Unicode.Scalar(first).map(Escape.scalar) ?? .surrogate(first)
  }

  private mutating func property(isNegated: Bool) throws(PatternProblem) -> String {
    guard skip("{"), let end = input[position...].firstIndex(of: "}") else {
      throw PatternProblem(#"`\p` wants a property in braces"#)
    }
    let name = String(String.UnicodeScalarView(input[position..<end]))
    position = end + 1
    guard !UnicodeSet.unknownToPCRE2.contains(name) else {
      throw PatternProblem("the engine does not know the property `\(name)`", isLimit: true)
    }
    guard let translated = UnicodeSet.property(name) else {
      throw PatternProblem("`\(name)` is no property of Unicode")
    }
    if translated.name.hasPrefix("sc") { namesScript = true }
    return (isNegated != translated.isNegated ? #"\P{"# : #"\p{"#) + translated.name + "}"
  }
}

// MARK: - Classes

extension PatternTranslation {
  mutating func characterClass() throws(PatternProblem) {
    let isNegated = peek == "^"
    if isNegated { position += 1 }
    var body = ""
    while true {
      guard let item = try classItem() else { break }
      guard peek == "-", position + 1 < input.count, input[position + 1] != "]" else {
        append(item, to: &body)
        continue
      }
      position += 1
      guard let end = try classItem() else { break }
      guard let low = item.value, let high = end.value else {
        append(item, to: &body)
        body += #"\-"#
        append(end, to: &body)
        continue
      }
      guard low <= high else { throw PatternProblem("a range of characters runs backwards") }
      append(low...high, to: &body)
    }
    switch (body.isEmpty, isNegated) {
    case (true, false): output += "(?!)"
    case (true, true): output += #"[\x{0}-\x{10ffff}]"#
    case (false, _): output += (isNegated ? "[^" : "[") + body + "]"
    }
  }

  /// One member of a class; `nil` at its end.
  private mutating func classItem() throws(PatternProblem) -> Escape? {
    guard let scalar = next() else {
      throw PatternProblem("a `[` is not closed", help: #"write `\[` for the character"#)
    }
    switch scalar {
    case "]": return nil
    case "\\":
      if skip("b") { return .scalar("\u{8}") }
      if skip("-") { return .scalar("-") }
      return try commonEscape()
    default: return .scalar(scalar)
    }
  }

  private func append(_ item: Escape, to body: inout String) {
    switch item {
    case .scalar(let scalar): body += Self.literal(scalar)
    case .surrogate: break
    case .set(let set): body += set
    }
  }

  /// A range without the surrogates in it, which PCRE2 refuses to hear of.
  private func append(_ range: ClosedRange<UInt32>, to body: inout String) {
    for part in [range.clamped(to: 0...0xD7FF), range.clamped(to: 0xE000...0x10FFFF)] where range.overlaps(part) {
      guard let low = Unicode.Scalar(part.lowerBound), let high = Unicode.Scalar(part.upperBound) else { continue }
      body += Self.literal(low) + "-" + Self.literal(high)
    }
  }
}

extension PatternTranslation.Escape {
  fileprivate var value: UInt32? {
    switch self {
    case .scalar(let scalar): scalar.value
    case .surrogate(let value): value
    case .set: nil
    }
  }
}

/// A character class of ECMA-262, translated for PCRE2.
struct PatternClass {
  /// The class in the syntax of PCRE2.
  let text: String
  /// Whether the class names a script.
  private(set) var namesScript = false

  /// Reads a class after the opening bracket.
  init(_ cursor: inout PatternCursor) throws(PatternProblem) {
    let isNegated = cursor.skip("^")
    var body = ""
    while let item = try Self.item(&cursor) {
      if item.isScript { namesScript = true }
      var behind = cursor
      guard behind.skip("-"), let following = behind.peek, following != "]" else {
        Self.append(item, to: &body)
        continue
      }
      cursor = behind
      guard let end = try Self.item(&cursor) else { break }
      if end.isScript { namesScript = true }
      guard let low = item.value, let high = end.value else {
        Self.append(item, to: &body)
        body += #"\-"#
        Self.append(end, to: &body)
        continue
      }
      guard low <= high else { throw PatternProblem("a range of characters ends before it starts") }
      Self.append(low...high, to: &body)
    }
    text =
      switch (body.isEmpty, isNegated) {
      case (true, false): "(?!)"
      case (true, true): #"[\x{0}-\x{10ffff}]"#
      case (false, _): (isNegated ? "[^" : "[") + body + "]"
      }
  }

  /// One member of a class; `nil` at its end.
  private static func item(_ cursor: inout PatternCursor) throws(PatternProblem) -> PatternEscape? {
    guard let scalar = cursor.next() else {
      throw PatternProblem("a `[` is not closed", help: #"write `\[` for the character"#)
    }
    switch scalar {
    case "]": return nil
    case "\\":
      if cursor.skip("b") { return .scalar("\u{8}") }
      if cursor.skip("-") { return .scalar("-") }
      return try PatternEscape(&cursor)
    default: return .scalar(scalar)
    }
  }

  private static func append(_ item: PatternEscape, to body: inout String) {
    switch item {
    case .scalar(let scalar): body += PatternTranslation.literal(scalar)
    case .surrogate: break
    case .set(let set), .script(let set): body += set
    }
  }

  /// A range without the surrogates in it, which PCRE2 refuses.
  private static func append(_ range: ClosedRange<UInt32>, to body: inout String) {
    for part in [range.clamped(to: 0...0xD7FF), range.clamped(to: 0xE000...0x10FFFF)] where range.overlaps(part) {
      guard let low = Unicode.Scalar(part.lowerBound), let high = Unicode.Scalar(part.upperBound) else { continue }
      body += PatternTranslation.literal(low) + "-" + PatternTranslation.literal(high)
    }
  }
}

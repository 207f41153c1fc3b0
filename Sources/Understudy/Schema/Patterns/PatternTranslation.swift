/// Rewrites a regular expression of ECMA-262 for PCRE2.
///
/// The two agree on most of the syntax and differ in what it means: `\s`, `.`, `[]`, `\u`, `\c`, the names of Unicode
/// properties. What only PCRE2 knows (inline flags, possessive quantifiers, `\A`) is refused. Escapes of punctuation and
/// lone brackets pass although the flag `u` forbids them: contracts are full of `\-`.
struct PatternTranslation {
  private let input: [Unicode.Scalar]
  private var position = 0
  private var output = ""
  private var groupNames: [String: Int] = [:]
  private var groupCount = 0
  private var depth = 0
  private let countsSteps: Bool
  private var captures = PatternCaptures()
  /// Where in the output the character, class or reference begins that was written last; `nil` behind anything else.
  private var atomStart: Int?
  /// The largest bound of a quantifier.
  private(set) var largestCount = 0

  /// - Parameter countsSteps: Whether what repeats a single character without an end is made a group: PCRE2 counts the
  ///   turns of groups only.
  init(_ text: String, countsSteps: Bool = false) {
    input = Array(text.unicodeScalars)
    self.countsSteps = countsSteps
  }

  /// The expression for PCRE2.
  mutating func translate() throws(PatternProblem) -> String {
    countGroups()
    /// Whether a quantifier may follow.
    var isRepeatable = false
    while let scalar = next() {
      let start = output.utf8.count
      defer { atomStart = isRepeatable && scalar != ")" ? start : nil }
      switch scalar {
      case "\\":
        isRepeatable = try escape()
      case "[":
        try characterClass()
        isRepeatable = true
      case "(":
        try group()
        isRepeatable = false
      case ")":
        guard depth > 0 else { throw PatternProblem("a `)` closes nothing", help: #"write `\)` for the character"#) }
        depth -= 1
        captures.close()
        output += ")"
        isRepeatable = true
      case "|":
        captures.alternative()
        output += "|"
        isRepeatable = false
      case "^", "$":
        output.unicodeScalars.append(scalar)
        isRepeatable = false
      case ".":
        output += #"[^\n\r\x{2028}\x{2029}]"#
        isRepeatable = true
      case "*", "+", "?":
        let quantifier = Quantifier(text: String(scalar), least: scalar == "+" ? 1 : 0, most: scalar == "?" ? 1 : .max)
        try quantify(quantifier, isRepeatable)
        isRepeatable = false
      case "{":
        if let quantifier = quantifierInBraces() {
          try quantify(quantifier, isRepeatable)
          isRepeatable = false
        } else {
          output += #"\{"#
          isRepeatable = true
        }
      default:
        output += Self.literal(scalar)
        isRepeatable = true
      }
    }
    guard depth == 0 else { throw PatternProblem("a `(` is not closed", help: #"write `\(` for the character"#) }
    guard !captures.isAmbiguous else {
      throw PatternProblem(
        "it refers to a group that a repetition may leave out, or that a lookbehind reads backwards", isLimit: true)
    }
    return output
  }

  private mutating func next() -> Unicode.Scalar? {
    guard position < input.count else { return nil }
    position += 1
    return input[position - 1]
  }

  private var peek: Unicode.Scalar? { position < input.count ? input[position] : nil }

  private mutating func skip(_ text: String) -> Bool {
    guard input[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  /// Letters and digits as they are, everything else by number, so that nothing of PCRE2's syntax slips in.
  static func literal(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": String(scalar)
    default: #"\x{"# + String(scalar.value, radix: 16) + "}"
    }
  }
}

// MARK: - Groups and quantifiers

extension PatternTranslation {
  /// Numbers the groups first: a reference may stand before its group.
  private mutating func countGroups() {
    var index = 0
    var isInClass = false
    while index < input.count {
      switch input[index] {
      case "\\": index += 1
      case "[": isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass:
        let rest = input[(index + 1)...]
        if rest.first != "?" {
          groupCount += 1
        } else if rest.starts(with: "?<".unicodeScalars), rest.dropFirst(2).first != "=", rest.dropFirst(2).first != "!"
        {
          groupCount += 1
          let name = rest.dropFirst(2).prefix { $0 != ">" }
          groupNames[String(String.UnicodeScalarView(name))] = groupCount
        }
      default: break
      }
      index += 1
    }
  }

  private mutating func group() throws(PatternProblem) {
    depth += 1
    guard peek == "?" else {
      captures.open(.capture)
      output += "("
      return
    }
    for opening in ["?:", "?=", "?!", "?<=", "?<!"] where skip(opening) {
      captures.open(opening.hasPrefix("?<") ? .lookbehind : .other)
      output += "(" + opening
      return
    }
    guard skip("?<"), let end = input[position...].firstIndex(of: ">"), end > position else {
      throw PatternProblem(
        "`(?` is followed by no group of ECMA-262", help: "inline flags and atomic groups do not exist there")
    }
    // Named groups become plain ones: PCRE2 wants shorter names, and nobody asks for them.
    position = end + 1
    captures.open(.capture)
    output += "("
  }

  private struct Quantifier {
    let text: String
    let least: Int
    let most: Int
  }

  /// `{2}`, `{2,}`, `{2,3}` behind the opening brace; anything else is no quantifier.
  private mutating func quantifierInBraces() -> Quantifier? {
    let body = input[position...].prefix { "0"..."9" ~= $0 || $0 == "," }
    guard body.endIndex < input.count, input[body.endIndex] == "}", body.first != "," else { return nil }
    let parts = body.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first, let last = parts.last, !first.isEmpty else { return nil }
    position = body.endIndex + 1
    // What no `Int` holds is refused by PCRE2.
    for part in parts { largestCount = max(largestCount, Int(Self.text(part)) ?? 0) }
    return Quantifier(
      text: "{" + Self.text(body) + "}", least: Int(Self.text(first)) ?? .max, most: Int(Self.text(last)) ?? .max)
  }

  private mutating func quantify(_ quantifier: Quantifier, _ isRepeatable: Bool) throws(PatternProblem) {
    guard isRepeatable else {
      throw PatternProblem(
        "`\(quantifier.text)` repeats nothing", help: "possessive quantifiers do not exist in ECMA-262")
    }
    if atomStart == nil { captures.quantify(from: quantifier.least, to: quantifier.most) }
    if countsSteps, let atomStart {
      let start = output.utf8.index(output.startIndex, offsetBy: atomStart)
      let atom = String(output[start...])
      output.removeSubrange(start...)
      output += Self.counted(atom, quantifier.text)
    } else {
      output += quantifier.text
    }
    if peek == "?" {
      position += 1
      output += "?"
    }
  }

  /// A repeated character with its turns as those of a group.
  private static func counted(_ atom: String, _ quantifier: String) -> String {
    if quantifier == "*" || quantifier == "+" { return "(?:\(atom))\(quantifier)" }
    guard quantifier.hasSuffix(",}") else { return atom + quantifier }
    return "\(atom)\(quantifier.dropLast(2))}(?:\(atom))*"
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}

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
  private mutating func escape() throws(PatternProblem) -> Bool {
    switch peek {
    case "b", "B":
      output += peek == "b" ? #"\b"# : #"\B"#
      position += 1
      return false
    case "k":
      guard skip("k<"), let end = input[position...].firstIndex(of: ">") else { break }
      let name = String(String.UnicodeScalarView(input[position..<end]))
      guard let number = groupNames[name] else { throw PatternProblem("no group is named `\(name)`") }
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
    guard let translated = UnicodeSet.property(name) else {
      throw PatternProblem("`\(name)` is no property of Unicode")
    }
    return (isNegated != translated.isNegated ? #"\P{"# : #"\p{"#) + translated.name + "}"
  }
}

// MARK: - Classes

extension PatternTranslation {
  private mutating func characterClass() throws(PatternProblem) {
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

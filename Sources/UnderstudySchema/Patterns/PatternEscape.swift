/// An escape of ECMA-262 with the same meaning in a class and outside.
enum PatternEscape {
  case scalar(Unicode.Scalar)
  /// A lone surrogate, which occurs in no text.
  case surrogate(UInt32)
  /// The content of a class of PCRE2.
  case set(String)
  /// A property of a script; the set of scripts depends on the version of Unicode.
  case script(String)

  /// Reads an escape after the backslash.
  init(_ cursor: inout PatternCursor) throws(PatternProblem) {
    guard let scalar = cursor.next() else {
      throw PatternProblem("a backslash ends the pattern", help: #"write `\\` for the character"#)
    }
    switch scalar {
    case "d": self = .set("0-9")
    case "D": self = .set(#"\x{0}-\x{2f}\x{3a}-\x{10ffff}"#)
    case "w": self = .set("a-zA-Z0-9_")
    case "W": self = .set(#"\x{0}-\x{2f}\x{3a}-\x{40}\x{5b}-\x{5e}\x{60}\x{7b}-\x{10ffff}"#)
    case "s": self = .set(UnicodeSet.space)
    case "S": self = .set(UnicodeSet.notSpace)
    case "p", "P": self = try Self.property(isNegated: scalar == "P", &cursor)
    case "f": self = .scalar("\u{C}")
    case "n": self = .scalar("\n")
    case "r": self = .scalar("\r")
    case "t": self = .scalar("\t")
    case "v": self = .scalar("\u{B}")
    case "0":
      guard cursor.digits.isEmpty else {
        throw PatternProblem("ECMA-262 has no octal escapes", help: #"write `\xHH`"#)
      }
      self = .scalar("\0")
    case "c":
      guard let letter = cursor.next(), letter.isASCII, letter.properties.isAlphabetic,
        let control = Unicode.Scalar(letter.value % 32)
      else { throw PatternProblem(#"`\c` must be followed by a letter"#) }
      self = .scalar(control)
    case "x": self = .scalar(Unicode.Scalar(UInt8(truncatingIfNeeded: try Self.hex(2, after: #"\x"#, &cursor))))
    case "u": self = try Self.unicode(&cursor)
    default:
      let isLetter =
        scalar.isASCII ? scalar.properties.isAlphabetic || "0"..."9" ~= scalar : scalar.properties.isXIDContinue
      guard !isLetter else {
        throw PatternProblem(
          #"`\\#(scalar)` is not an escape of ECMA-262"#,
          help: scalar == "A" ? "write `^`" : scalar == "Z" || scalar == "z" ? "write `$`" : nil)
      }
      self = .scalar(scalar)
    }
  }

  /// The scalar's number; `nil` for a set.
  var value: UInt32? {
    switch self {
    case .scalar(let scalar): scalar.value
    case .surrogate(let value): value
    case .set, .script: nil
    }
  }

  var isScript: Bool { if case .script = self { true } else { false } }

  private static func hex(
    _ count: Int, after escape: String, _ cursor: inout PatternCursor
  ) throws(PatternProblem) -> UInt32 {
    let digits = cursor.rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ $0.properties.isASCIIHexDigit }),
      let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    else { throw PatternProblem("`\(escape)` must be followed by \(count) hexadecimal digits") }
    cursor.skip(count)
    return value
  }

  private static func unicode(_ cursor: inout PatternCursor) throws(PatternProblem) -> PatternEscape {
    if cursor.skip("{") {
      guard let digits = cursor.text(upTo: "}"), digits.unicodeScalars.allSatisfy(\.properties.isASCIIHexDigit),
        let value = UInt32(digits, radix: 16), value <= 0x10FFFF
      else { throw PatternProblem(#"`\u{` must be followed by hexadecimal digits up to 10FFFF and `}`"#) }
      return Unicode.Scalar(value).map(PatternEscape.scalar) ?? .surrogate(value)
    }
    let first = try hex(4, after: #"\u"#, &cursor)
    var behind = cursor
    if 0xD800...0xDBFF ~= first, behind.skip(#"\u"#), let second = try? hex(4, after: #"\u"#, &behind),
      0xDC00...0xDFFF ~= second, let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    {
      cursor = behind
      return .scalar(scalar)
    }
    return Unicode.Scalar(first).map(PatternEscape.scalar) ?? .surrogate(first)
  }

  private static func property(
    isNegated: Bool, _ cursor: inout PatternCursor
  ) throws(PatternProblem) -> PatternEscape {
    guard cursor.skip("{"), let name = cursor.text(upTo: "}") else {
      throw PatternProblem(#"`\p` must be followed by a property in braces"#)
    }
    guard !UnicodeSet.unknownToPCRE2.contains(name) else {
      throw PatternProblem("PCRE2 does not support the property `\(name)`", isLimit: true)
    }
    guard let translated = UnicodeSet.property(name) else {
      throw PatternProblem("`\(name)` is not a Unicode property")
    }
    let set = (isNegated != translated.isNegated ? #"\P{"# : #"\p{"#) + translated.name + "}"
    return translated.name.hasPrefix("sc") ? .script(set) : .set(set)
  }
}

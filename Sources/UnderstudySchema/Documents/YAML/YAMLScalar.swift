/// The meaning of a scalar by the core schema of YAML 1.2 (section 10.3.2), narrowed to JSON values.
///
/// `yes`, `on`, `012`, dates and sexagesimals are strings: digits with a leading zero are usually a name, such as a
/// postal code, and a number would lose the zero. `.inf` and `.nan` are strings, since JSON has no such numbers.
enum YAMLScalar: Equatable {
  case null
  case bool(Bool)
  /// The text is a JSON number.
  case number
  /// A number that JSON spells differently: `+1`, `.5`, `1.`, `0x1F`, `0o17`.
  case respelled([UInt8])
  case string

  typealias Text = UnsafeBufferPointer<UInt8>

  /// Longer hexadecimal or octal numbers are strings: converting them to decimal takes quadratic time.
  static let maximumRadixDigits = 1_000

  /// The meaning of a plain scalar without a tag.
  @inline(__always)
  static func plain(_ text: Text) -> YAMLScalar {
    guard let first = text.first else { return .null }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."):
      return number(text) ?? .string
    case UInt8(ascii: "~"): return text.count == 1 ? .null : .string
    case UInt8(ascii: "n"), UInt8(ascii: "N"): return isWord(text, "null") ? .null : .string
    case UInt8(ascii: "t"), UInt8(ascii: "T"): return isWord(text, "true") ? .bool(true) : .string
    case UInt8(ascii: "f"), UInt8(ascii: "F"): return isWord(text, "false") ? .bool(false) : .string
    default: return .string
    }
  }

  /// The meaning of a scalar by the part of its tag after `tag:yaml.org,2002:`; `nil` if the tag does not fit the text.
  static func tagged(_ tag: some StringProtocol, _ text: Text, isPlain: Bool) -> YAMLScalar? {
    let meaning = plain(text)
    switch tag {
    case "str", "binary": return .string
    case "null": return meaning == .null ? .null : nil
    case "bool":
      guard case .bool = meaning else { return nil }
      return meaning
    case "int": return isInteger(text) ? number(text, keepsLeadingZeros: false) : nil
    case "float": return number(text, keepsLeadingZeros: false)
    case "map", "seq": return nil
    default: return isPlain ? meaning : .string
    }
  }

  /// A number of the core schema; `nil` for other texts.
  private static func number(_ text: Text, keepsLeadingZeros: Bool = true) -> YAMLScalar? {
    guard let first = text.first else { return nil }
    if text.count > 2, first == UInt8(ascii: "0") {
      if text[1] == UInt8(ascii: "x") { return radix(16, text.dropFirst(2)) }
      if text[1] == UInt8(ascii: "o") { return radix(8, text.dropFirst(2)) }
    }
    var position = 0
    func digits() -> Range<Int> {
      let start = position
      while position < text.count, 48...57 ~= text[position] { position += 1 }
      return start..<position
    }
    let isNegative = first == UInt8(ascii: "-")
    let hasSign = isNegative || first == UInt8(ascii: "+")
    if hasSign { position = 1 }
    var whole = digits()
    var fraction = position..<position
    let hasPoint = position < text.count && text[position] == UInt8(ascii: ".")
    if hasPoint {
      position += 1
      fraction = digits()
    }
    guard whole.count + fraction.count > 0 else { return nil }
    let exponent = position
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < text.count, text[position] == UInt8(ascii: "-") || text[position] == UInt8(ascii: "+") {
        position += 1
      }
      guard digits().count > 0 else { return nil }
    }
    guard position == text.count else { return nil }

    let hasLeadingZero = whole.count > 1 && text[whole.lowerBound] == UInt8(ascii: "0")
    if hasLeadingZero {
      if keepsLeadingZeros { return nil }
      let significant = text[whole].firstIndex { $0 != UInt8(ascii: "0") } ?? whole.upperBound - 1
      whole = significant..<whole.upperBound
    }
    if !whole.isEmpty, hasPoint == !fraction.isEmpty, isNegative || !hasSign, !hasLeadingZero { return .number }
    var spelling: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    spelling += whole.isEmpty ? [UInt8(ascii: "0")] : Array(text[whole])
    if !fraction.isEmpty { spelling += [UInt8(ascii: ".")] + text[fraction] }
    return .respelled(spelling + text[exponent...])
  }

  /// Whether a number has the spelling of an `!!int`; the caller rejects texts that are not numbers.
  private static func isInteger(_ text: Text) -> Bool {
    if text.count > 2, text[0] == UInt8(ascii: "0"), text[1] == UInt8(ascii: "x") { return true }
    return !text.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
  }

  /// The decimal spelling of hexadecimal or octal digits, of any value.
  private static func radix(_ radix: UInt8, _ digits: Slice<Text>) -> YAMLScalar? {
    guard digits.count <= maximumRadixDigits else { return nil }
    // Decimal digits, the lowest first.
    var decimal: [UInt8] = [0]
    for byte in digits {
      guard let digit = PercentEncoding.hexValue(byte), digit < radix else { return nil }
      var carry = Int(digit)
      for position in decimal.indices {
        carry += Int(decimal[position]) * Int(radix)
        decimal[position] = UInt8(carry % 10)
        carry /= 10
      }
      while carry > 0 {
        decimal.append(UInt8(carry % 10))
        carry /= 10
      }
    }
    return .respelled(decimal.reversed().map { $0 + UInt8(ascii: "0") })
  }

  /// Whether the text is `word`, `Word` or `WORD`; its first letter is known.
  private static func isWord(_ text: Text, _ word: StaticString) -> Bool {
    guard text.count == word.utf8CodeUnitCount else { return false }
    let isUpper = text[1] & 0x20 == 0
    let rest = UnsafeBufferPointer(start: word.utf8Start, count: text.count).dropFirst()
    return (!isUpper || text[0] & 0x20 == 0)
      && zip(text.dropFirst(), rest).allSatisfy { $0 == (isUpper ? $1 ^ 0x20 : $1) }
  }
}

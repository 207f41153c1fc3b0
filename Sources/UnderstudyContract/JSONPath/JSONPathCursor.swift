/// A position in the text of a query, and the tokens that begin there.
struct JSONPathCursor {
  let bytes: [UInt8]
  var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { position >= bytes.count }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for offset in 0..<count where bytes[position + offset] != text.utf8Start[offset] { return false }
    position += count
    return true
  }

  /// Takes blanks and a token after them, or nothing.
  mutating func takeAfterBlanks(_ text: StaticString) -> Bool {
    let start = position
    skipBlanks()
    if take(text) { return true }
    position = start
    return false
  }

  mutating func skipBlanks() {
    while let next, next == 0x20 || next == 0x09 || next == 0x0A || next == 0x0D { position += 1 }
  }

  func problem(_ message: String, from start: Int? = nil) -> TextProblem {
    let start = start ?? position
    return TextProblem(.syntax, message, at: start..<max(start, min(max(position, start + 1), bytes.count)))
  }

  // MARK: - Names and numbers

  /// A member name without quotes.
  mutating func name() -> String? {
    let start = position
    while let next,
      Self.isLetter(next) || next == UInt8(ascii: "_") || next >= 0x80 || position > start && Self.isDigit(next)
    {
      position += 1
    }
    return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
  }

  /// The name of a function and its opening parenthesis.
  mutating func functionName() -> String? {
    let start = position
    while let next, 0x61...0x7A ~= next || position > start && (next == UInt8(ascii: "_") || Self.isDigit(next)) {
      position += 1
    }
    let name = bytes[start..<position]
    guard !name.isEmpty, take("(") else {
      position = start
      return nil
    }
    return String(decoding: name, as: UTF8.self)
  }

  /// The spelling of an integer without leading zeros.
  mutating func integer() -> String? {
    let start = position
    _ = take("-")
    let digits = position
    while let next, Self.isDigit(next) { position += 1 }
    guard position > digits, bytes[digits] != UInt8(ascii: "0") || position == digits + 1 else {
      position = start
      return nil
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func comparison() -> JSONPath.Operator? {
    if take("==") { return .equal }
    if take("!=") { return .unequal }
    if take("<=") { return .lessOrEqual }
    if take(">=") { return .greaterOrEqual }
    if take("<") { return .less }
    return take(">") ? .greater : nil
  }

  mutating func literal() throws(TextProblem) -> JSON? {
    if let text = try string() { return .string(text) }
    for (word, value) in [("true", true as JSON), ("false", false), ("null", .null)] {
      let end = position + word.utf8.count
      guard end <= bytes.count, bytes[position..<end].elementsEqual(word.utf8) else { continue }
      position = end
      return value
    }
    return number()
  }

  private mutating func number() -> JSON? {
    let start = position
    guard integer() != nil else { return nil }
    var end = position
    if take("."), digits() { end = position }
    position = end
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      if digits() { end = position }
    }
    position = end
    return (try? JSONParser.parse(Array(bytes[start..<end])))?.root
  }

  private mutating func digits() -> Bool {
    let start = position
    while let next, Self.isDigit(next) { position += 1 }
    return position > start
  }

  // MARK: - Strings

  /// A string in single or double quotes (section 2.3.1.1); `nil` without a quote here.
  mutating func string() throws(TextProblem) -> String? {
    guard let quote = next, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") else { return nil }
    let start = position
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case quote: return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape(quote))
      case 0..<0x20:
        throw problem("a control character in a string: expected an escape such as `\\n`", from: position - 1)
      default: text.append(byte)
      }
    }
    throw problem("the string has no end: expected `\(Character(UnicodeScalar(quote)))`", from: start)
  }

  private mutating func escape(_ quote: UInt8) throws(TextProblem) -> [UInt8] {
    let start = position - 1
    guard let byte = next else { throw problem("the string ends in a backslash", from: start) }
    position += 1
    switch byte {
    case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      guard var value = hexadecimal() else {
        throw problem("expected four hexadecimal digits after `\\u`", from: start)
      }
      if 0xD800..<0xDC00 ~= value {
        guard take("\\u"), let low = hexadecimal(), 0xDC00..<0xE000 ~= low else {
          throw problem("expected the second half of a surrogate pair", from: start)
        }
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(value) else { throw problem("half of a surrogate pair", from: start) }
      return Array(String(scalar).utf8)
    default: throw problem("unknown escape in a string", from: start)
    }
  }

  private mutating func hexadecimal() -> UInt32? {
    guard position + 4 <= bytes.count, bytes[position..<position + 4].allSatisfy(Self.isHexadecimal) else { return nil }
    defer { position += 4 }
    return UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || 0x41...0x46 ~= byte || 0x61...0x66 ~= byte
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  private static func isLetter(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte || 0x61...0x7A ~= byte }
}

extension JSONValue {
  /// The maximum nesting depth of containers that the parser accepts.
  public static let maximumDepth = 1_024

  /// The reason that a string is not JSON.
  public struct SyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The offset of the first byte that does not fit, from 0.
    public let offset: Int
    /// The value or character that is expected there.
    public let reason: String

    /// `byte 4: expected a value`
    public var description: String { "byte \(offset): \(reason)" }
  }

  /// Parses JSON (RFC 8259).
  ///
  /// - Throws: The first byte that JSON does not allow, or that begins a container beyond the maximum depth.
  public init(parsing text: String) throws(SyntaxError) {
    var parser = JSONValueParser(Array(text.utf8))
    self = try parser.document()
  }
}

extension JSONValue.Number {
  /// Reads the spelling of a number; `nil` for a spelling that RFC 8259, section 6, does not allow: `+1`, `01`, `NaN`.
  public init?(_ spelling: String) {
    let parser = JSONValueParser(Array(spelling.utf8))
    guard let end = parser.endOfNumber(), end == spelling.utf8.count else { return nil }
    self.init(valid: spelling)
  }
}

/// A strict parser without recursion: deep nesting must not exhaust the stack.
struct JSONValueParser {
  /// A container that is not closed yet, and the name of the next member of an object.
  private struct Open {
    var elements: [JSONValue] = []
    var members: [JSONValue.Member] = []
    var name: String?
  }

  private let bytes: [UInt8]
  private var position = 0
  private var open: [Open] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(JSONValue.SyntaxError) -> JSONValue {
    while true {
      guard var value = try begin() else { continue }
      // A value may end the containers around it.
      while !open.isEmpty {
        guard let container = try append(value) else { break }
        value = container
      }
      guard open.isEmpty else { continue }
      skipSpace()
      guard position == bytes.count else { throw problem("expected the end of the text") }
      return value
    }
  }

  /// Reads a scalar or an empty container; `nil` after the beginning of any other container.
  private mutating func begin() throws(JSONValue.SyntaxError) -> JSONValue? {
    skipSpace()
    switch next {
    case UInt8(ascii: "["):
      try enter()
      if take("]") { return leave(.array([])) }
    case UInt8(ascii: "{"):
      try enter()
      if take("}") { return leave(.object([])) }
      open[open.count - 1].name = try name()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default:
      let start = position
      guard let end = endOfNumber() else { throw problem("expected a value") }
      position = end
      return .number(JSONValue.Number(valid: String(decoding: bytes[start..<end], as: UTF8.self)))
    }
    return nil
  }

  /// Adds a value to the innermost container; returns the container if it ends.
  private mutating func append(_ value: JSONValue) throws(JSONValue.SyntaxError) -> JSONValue? {
    let last = open.count - 1
    if let name = open[last].name {
      open[last].members.append(JSONValue.Member(name, value))
      if take(",") {
        open[last].name = try self.name()
        return nil
      }
      guard take("}") else { throw problem("expected `,` or `}`") }
      return leave(.object(open[last].members))
    }
    open[last].elements.append(value)
    if take(",") { return nil }
    guard take("]") else { throw problem("expected `,` or `]`") }
    return leave(.array(open[last].elements))
  }

  private mutating func enter() throws(JSONValue.SyntaxError) {
    guard open.count < JSONValue.maximumDepth else {
      throw problem("expected at most \(JSONValue.maximumDepth) nested containers")
    }
    position += 1
    open.append(Open())
  }

  private mutating func leave(_ container: JSONValue) -> JSONValue {
    open.removeLast()
    return container
  }

  private mutating func name() throws(JSONValue.SyntaxError) -> String {
    skipSpace()
    guard next == UInt8(ascii: "\"") else { throw problem("expected a name in double quotes") }
    let name = try string()
    guard take(":") else { throw problem("expected `:`") }
    return name
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(JSONValue.SyntaxError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw problem("expected `\(word)`") }
    position += word.utf8.count
    return value
  }

  /// The end of the number that begins here; `nil` without a number.
  func endOfNumber() -> Int? {
    var end = position
    func has(_ characters: String) -> Bool { end < bytes.count && characters.utf8.contains(bytes[end]) }
    func digits() -> Bool {
      let start = end
      while end < bytes.count, 0x30...0x39 ~= bytes[end] { end += 1 }
      return end > start
    }
    if has("-") { end += 1 }
    if has("0") { end += 1 } else if !digits() { return nil }
    if has(".") {
      end += 1
      guard digits() else { return nil }
    }
    if has("eE") {
      end += 1
      if has("+-") { end += 1 }
      guard digits() else { return nil }
    }
    return end
  }

  // MARK: - Strings

  private mutating func string() throws(JSONValue.SyntaxError) -> String {
    position += 1
    let start = position
    while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") { position += 1 }
    if next == UInt8(ascii: "\"") {
      position += 1
      return String(decoding: bytes[start..<position - 1], as: UTF8.self)
    }
    var decoded = Array(bytes[start..<position])
    while let byte = next, byte >= 0x20 {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: decoded, as: UTF8.self)
      case UInt8(ascii: "\\"): try escape(into: &decoded)
      default: decoded.append(byte)
      }
    }
    throw problem(next == nil ? "expected the end of a string" : "expected an escape in place of a control character")
  }

  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"),
    UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "t"): 0x09,
  ]

  /// Decodes the escape after a backslash.
  private mutating func escape(into decoded: inout [UInt8]) throws(JSONValue.SyntaxError) {
    if let byte = next, let plain = Self.escapes[byte] {
      position += 1
      return decoded.append(plain)
    }
    guard next == UInt8(ascii: "u") else { throw problem("expected an escape") }
    let start = position
    var value = UInt32(try unit())
    // A character beyond U+FFFF has an escape for each half of its surrogate pair.
    if 0xD800..<0xDC00 ~= value, next == UInt8(ascii: "\\") {
      position += 1
      if next == UInt8(ascii: "u"), case let low = UInt32(try unit()), 0xDC00...0xDFFF ~= low {
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      }
    }
    guard let scalar = Unicode.Scalar(value) else {
      position = start
      throw problem("expected both halves of a surrogate pair")
    }
    decoded += String(Character(scalar)).utf8
  }

  /// Reads `u` and four hexadecimal digits.
  private mutating func unit() throws(JSONValue.SyntaxError) -> UInt16 {
    position += 1
    let digits = bytes[position...].prefix(4)
    let isHexadecimal = digits.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x46 ~= $0 & 0xDF }
    guard digits.count == 4, isHexadecimal, let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw problem("expected four hexadecimal digits")
    }
    position += 4
    return unit
  }

  // MARK: - Bytes

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Steps over white space and one character; returns whether the character follows.
  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private func problem(_ reason: String) -> JSONValue.SyntaxError {
    JSONValue.SyntaxError(offset: position, reason: reason)
  }
}

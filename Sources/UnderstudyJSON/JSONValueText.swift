extension JSONValue: CustomStringConvertible {
  /// The JSON text without white space, with only the escapes that RFC 8259 requires.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The JSON text in UTF-8.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  /// The JSON text.
  public var description: String { text }

  /// The text of a string without quotation marks, or the JSON text of any other value.
  public var plainText: String { string ?? text }

  private func write(to out: inout [UInt8]) {
    switch self {
    case .null: out += "null".utf8
    case .bool(let value): out += (value ? "true" : "false").utf8
    case .number(let number): out += number.spelling.utf8
    case .string(let text): Self.quote(text.utf8, into: &out)
    case .array(let elements):
      out.append(UInt8(ascii: "["))
      for (position, element) in elements.enumerated() {
        if position > 0 { out.append(UInt8(ascii: ",")) }
        element.write(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let members):
      out.append(UInt8(ascii: "{"))
      for (position, member) in members.enumerated() {
        if position > 0 { out.append(UInt8(ascii: ",")) }
        Self.quote(member.name.utf8, into: &out)
        out.append(UInt8(ascii: ":"))
        member.value.write(to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  /// Appends a string with its quotes, and with only the escapes that RFC 8259 requires. Inlinable, since the writer of
  /// the schema engine spends most of its time here.
  @inlinable public static func quote(_ bytes: some Sequence<UInt8>, into out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): out += "\\\"".utf8
      case UInt8(ascii: "\\"): out += "\\\\".utf8
      case 0x0A: out += "\\n".utf8
      case 0x0D: out += "\\r".utf8
      case 0x09: out += "\\t".utf8
      case 0..<0x20: out += ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }
}

/// Values are coded as strings with their JSON text: containers of a coder keep neither the order of members nor the spelling
/// of numbers.
extension JSONValue: Codable {
  /// Reads a string with JSON text.
  ///
  /// - Throws: `DecodingError` if the string is not JSON.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    do throws(SyntaxError) {
      self = try JSONValue(parsing: text)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(error)")
    }
  }

  /// Writes the JSON text as a string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

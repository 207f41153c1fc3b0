/// The escapes of JSON strings (RFC 8259, section 7), decoded in place.
enum StringEscape {
  /// Decodes the escape at `read` to `write` and moves both.
  static func decode(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, _ read: inout Int, _ write: inout Int
  ) throws(TextProblem) {
    let start = read
    guard read + 1 < buffer.count else { throw TextProblem(.syntax, "a string is not closed", at: start..<start + 1) }
    let decoded: UInt8
    switch buffer[read + 1] {
    case UInt8(ascii: "\""): decoded = UInt8(ascii: "\"")
    case UInt8(ascii: "\\"): decoded = UInt8(ascii: "\\")
    case UInt8(ascii: "/"): decoded = UInt8(ascii: "/")
    case UInt8(ascii: "b"): decoded = 0x08
    case UInt8(ascii: "f"): decoded = 0x0C
    case UInt8(ascii: "n"): decoded = 0x0A
    case UInt8(ascii: "r"): decoded = 0x0D
    case UInt8(ascii: "t"): decoded = 0x09
    case UInt8(ascii: "u"):
      let scalar = try unicode(buffer, &read)
      for byte in UTF8.encode(scalar)! {
        buffer[write] = byte
        write += 1
      }
      return
    default:
      throw TextProblem(
        .syntax, "a string contains an unknown escape",
        at: start..<UTF8Check.character(at: start + 1, in: buffer).upperBound,
        help: #"expected one of `\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\uXXXX`; a backslash is `\\`"#)
    }
    buffer[write] = decoded
    write += 1
    read += 2
  }

  private static func unicode(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, _ read: inout Int
  ) throws(TextProblem) -> Unicode.Scalar {
    let start = read
    let first = try unit(buffer, &read)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let half = TextProblem(
      .syntax, "a string contains half of a surrogate pair", at: start..<start + 6,
      help: #"a character beyond U+FFFF needs both halves: `\uD83D\uDE00`"#)
    guard first < 0xDC00, read + 1 < buffer.count, buffer[read] == UInt8(ascii: "\\"),
      buffer[read + 1] == UInt8(ascii: "u")
    else { throw half }
    let second = try unit(buffer, &read)
    guard 0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw half }
    return scalar
  }

  private static func unit(
    _ buffer: UnsafeMutableBufferPointer<UInt8>, _ read: inout Int
  ) throws(TextProblem) -> UInt16 {
    var value: UInt16 = 0
    for offset in read + 2..<read + 6 {
      guard offset < buffer.count, let digit = PercentEncoding.hexValue(buffer[offset]) else {
        throw TextProblem(.syntax, "expected four hex digits after \\u", at: read..<min(read + 6, buffer.count))
      }
      value = value << 4 | UInt16(digit)
    }
    read += 6
    return value
  }
}

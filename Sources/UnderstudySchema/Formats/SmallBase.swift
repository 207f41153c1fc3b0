/// Encodings with less than eight bits a character and padding to whole groups: base16 and base32 (RFC 4648, 6 and 8).
enum SmallBase {
  /// The bytes; `nil` for a foreign character or wrong padding.
  ///
  /// - Parameters:
  ///   - bits: The number of bits in a character.
  ///   - group: The number of characters in a group of whole bytes.
  static func decode(_ text: [UInt8], bits: Int, group: Int, _ value: (UInt8) -> UInt8?) -> [UInt8]? {
    let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
    guard text.count % group == 0, padding < group else { return nil }
    // Exactly as many characters as whole bytes need.
    let last = group - padding
    guard last * bits % 8 < bits else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(text.count * bits / 8)
    var (buffer, filled): (UInt32, Int) = (0, 0)
    for byte in text.dropLast(padding) {
      guard let value = value(byte) else { return nil }
      buffer = buffer << UInt32(bits) | UInt32(value)
      filled += bits
      if filled >= 8 {
        filled -= 8
        result.append(UInt8(truncatingIfNeeded: buffer >> UInt32(filled)))
      }
    }
    return result
  }
}

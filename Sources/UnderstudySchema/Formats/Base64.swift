/// Base64 with padding (RFC 4648, section 4).
package enum Base64 {
  /// The bytes; `nil` for a foreign character or wrong padding.
  package static func decode(_ text: [UInt8]) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let padding = text.suffix(2).count { $0 == UInt8(ascii: "=") }
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var buffer: UInt32 = 0
    var bits = 0
    for byte in text.dropLast(padding) {
      guard let value = value(of: byte) else { return nil }
      buffer = buffer << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    return result
  }

  /// The bytes of base64url text without padding (RFC 4648, section 5; RFC 7515, section 2).
  package static func decode(url text: some Sequence<UInt8>) -> [UInt8]? {
    var plain: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: plain.append(byte)
      }
    }
    while !plain.count.isMultiple(of: 4) { plain.append(UInt8(ascii: "=")) }
    return decode(plain)
  }

  /// The text of some bytes, padded (RFC 4648, section 4).
  package static func encode(_ bytes: [UInt8]) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for position in 0..<4 {
        let isPadding = position > group.count
        text.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * position) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The text of some bytes without padding (RFC 4648, section 5; RFC 7515, section 2).
  package static func encode(url bytes: some Sequence<UInt8>) -> String {
    let text = encode(Array(bytes)).utf8.prefix { $0 != UInt8(ascii: "=") }
    let plain = text.map { byte in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      default: byte
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - 65)
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - 71)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte + 4)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}

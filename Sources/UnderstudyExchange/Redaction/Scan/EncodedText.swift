/// Text that is base64 or percent-encoding of something else.
enum EncodedText {
  /// Whether a run is base64 of a file or of text, a digest with its algorithm, or the content of a data URL.
  static func isFile(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    let run = bytes[range]
    if run.starts(with: "sha256-".utf8) || run.starts(with: "sha384-".utf8) || run.starts(with: "sha512-".utf8) {
      return true
    }
    if bytes[..<range.lowerBound].suffix(7).elementsEqual("base64,".utf8) { return true }
    guard let decoded = decode(run.prefix(64)) else { return false }
    return isPrintable(decoded) || signatures.contains { decoded.starts(with: $0) }
  }

  private static let signatures: [[UInt8]] = [
    [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8), [0xFF, 0xD8, 0xFF], Array("%PDF".utf8), [0x50, 0x4B, 3, 4],
    [0x1F, 0x8B],
    Array("RIFF".utf8), Array("OggS".utf8), Array("ID3".utf8), Array("wOFF".utf8), Array("wOF2".utf8), [0, 0, 1, 0],
    // DER: certificates and public keys
    [0x30, 0x82], [0x30, 0x59], [0x30, 0x81],
  ]

  /// The bytes of base64 or base64url, padded or not.
  static func decode(_ run: ArraySlice<UInt8>) -> [UInt8]? {
    let text = run.prefix { $0 != UInt8(ascii: "=") }
    if text.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) { return Base64.decode(url: text) }
    let missing = (4 - text.count % 4) % 4
    return missing == 3 ? nil : Base64.decode(Array(text) + [UInt8](repeating: UInt8(ascii: "="), count: missing))
  }

  /// The printable text that an even number of hexadecimal digits stands for.
  static func decode(hexadecimal run: ArraySlice<UInt8>) -> [UInt8]? {
    guard run.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(run.count / 2)
    for index in stride(from: run.startIndex, to: run.endIndex, by: 2) {
      guard let high = PercentEncoding.hexValue(run[index]), let low = PercentEncoding.hexValue(run[index + 1]) else {
        return nil
      }
      bytes.append(high << 4 | low)
    }
    return isPrintable(bytes) ? bytes : nil
  }

  static func encode(hexadecimal bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte in Array((byte < 16 ? "0" : "").utf8) + Array(String(byte, radix: 16).utf8) }
  }

  /// The same text in the alphabet, and with the padding, of another.
  static func encode(_ plain: [UInt8], like run: ArraySlice<UInt8>) -> [UInt8] {
    if run.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) {
      return Array(Base64.encode(url: plain).utf8)
    }
    let text = Base64.encode(plain).utf8
    return run.last == UInt8(ascii: "=") || run.count.isMultiple(of: 4)
      ? Array(text) : Array(text.prefix { $0 != UInt8(ascii: "=") })
  }

  /// Whether bytes are text that a person may have written.
  static func isPrintable(_ bytes: [UInt8]) -> Bool {
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 || $0 == 10 || $0 == 13 }) else { return false }
    return bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }

  /// The percent-encoding of a text; bytes that are not ASCII stay.
  static func percentEncoded(_ bytes: [UInt8]) -> [UInt8] {
    bytes.allSatisfy { $0 < 0x80 }
      ? Array(PercentEncoding.encode(String(decoding: bytes, as: UTF8.self)).utf8) : bytes
  }
}

enum WireCoding: Sendable {
  /// Percent-encoding, `+` for a space: queries and form bodies.
  case form
  /// Percent-encoding: paths and cookies.
  case percent
  /// Not encoded: header fields and multipart.
  case verbatim
  /// A query or a form in which nothing is encoded: visible ASCII without `%` and `+`, as most are.
  case plain

  func decode(_ raw: ArraySlice<UInt8>, key: String) throws(DecodingProblem) -> String {
    String(decoding: try bytes(of: raw, key: key), as: UTF8.self)
  }

  /// The decoded text as UTF-8: mostly the received bytes themselves.
  func bytes(of raw: ArraySlice<UInt8>, key: String) throws(DecodingProblem) -> ArraySlice<UInt8> {
    if self == .plain { return raw }
    let isPlain = self == .verbatim || PercentEncoding.isPlain(raw, plusIsSpace: self == .form)
    let bytes = isPlain ? raw : PercentEncoding.decodeBytes(raw, plusIsSpace: self == .form)?[...]
    guard let known = bytes, UTF8Check.isValid(known) else {
      let shown = String(decoding: raw.prefix(60), as: UTF8.self)
      throw DecodingProblem(
        .percentEncoding, key,
        self == .verbatim
          ? "the value of `\(key)` is not UTF-8"
          : bytes == nil
            ? "`\(shown)` in `\(key)` is not percent-encoded UTF-8: a literal % is written %25"
            : "`\(shown)` in `\(key)` has bytes that are not UTF-8: é is written %C3%A9")
    }
    return known
  }

  private static let filler = 0x6161_6161_6161_6161 as UInt64

  /// Whether eight bytes are visible ASCII without `%` and `+`; in partial results, the high bit of a byte marks one.
  @inline(__always)
  private static func arePlain(_ bytes: UInt64) -> Bool {
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    func isZero(_ bytes: UInt64) -> UInt64 { (bytes &- ones) & ~bytes }
    let isControl = (bytes &- ones &* 0x21) & ~bytes
    let isDelete = isZero(bytes ^ ones &* 0x7F)
    let isEncoded =
      isZero(bytes ^ ones &* UInt64(UInt8(ascii: "%"))) | isZero(bytes ^ ones &* UInt64(UInt8(ascii: "+")))
    return (bytes | isControl | isDelete | isEncoded) & highs == 0
  }

  static func of(_ bytes: [UInt8]) -> WireCoding {
    bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset + 8 <= bytes.count {
        guard arePlain(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) else { return .form }
        offset += 8
      }
      var rest = filler
      for byte in bytes[offset...] { rest = rest << 8 | UInt64(byte) }
      return arePlain(rest) ? .plain : .form
    }
  }
}

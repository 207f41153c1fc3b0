/// The encoding of the characters of a value.
enum WireCoding: Sendable {
  /// Percent-encoding, `+` for a space: queries and form bodies.
  case form
  /// Percent-encoding: paths and cookies.
  case percent
  /// Not encoded: header fields and multipart.
  case verbatim

  /// The decoded text.
  func decode(_ raw: ArraySlice<UInt8>, key: String) throws(DecodingProblem) -> String {
    String(decoding: try bytes(of: raw, key: key), as: UTF8.self)
  }

  /// The decoded text as UTF-8: mostly the received bytes themselves.
  func bytes(of raw: ArraySlice<UInt8>, key: String) throws(DecodingProblem) -> ArraySlice<UInt8> {
    let isPlain = self == .verbatim || PercentEncoding.isPlain(raw, plusIsSpace: self == .form)
    let bytes = isPlain ? raw : PercentEncoding.decodeBytes(raw, plusIsSpace: self == .form)?[...]
    guard let bytes, UTF8Check.isValid(bytes) else {
      let shown = String(decoding: raw.prefix(60), as: UTF8.self)
      throw DecodingProblem(
        .percentEncoding, key,
        self == .verbatim
          ? "the value of `\(key)` is not UTF-8"
          : "`\(shown)` in `\(key)` is not percent-encoded UTF-8: a literal % is written %25")
    }
    return bytes
  }
}

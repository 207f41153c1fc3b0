/// How characters of a value are written.
enum WireCoding: Sendable {
  /// Percent-encoding, `+` for a space: queries and form bodies.
  case form
  /// Percent-encoding: paths and cookies.
  case percent
  /// As it is: header fields and multipart.
  case verbatim

  /// The text of some bytes, or a problem with their encoding.
  func decode(_ bytes: some Collection<UInt8>, key: String) throws(DecodingProblem) -> String {
    let text =
      switch self {
      case .form: PercentEncoding.decode(bytes, plusIsSpace: true)
      case .percent: PercentEncoding.decode(bytes)
      case .verbatim: PercentEncoding.text(bytes)
      }
    guard let text else {
      let shown = String(decoding: bytes.prefix(60), as: UTF8.self)
      throw DecodingProblem(
        .percentEncoding, key,
        self == .verbatim
          ? "the value of `\(key)` is not UTF-8"
          : "`\(shown)` in `\(key)` is not percent-encoded UTF-8: a literal % is written %25")
    }
    return text
  }
}

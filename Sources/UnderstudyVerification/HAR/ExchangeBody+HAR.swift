extension ExchangeBody {
  /// HAR holds text as Unicode. The validator decodes by the charset of the header, so the text is encoded in it again.
  init(text: String, _ contentType: MediaRange?) {
    switch contentType?.syntax {
    case .binary?, .multipart?:
      // A replacement character shows that bytes were not UTF-8.
      self = text.unicodeScalars.contains("\u{FFFD}") ? .unknown(Self.isBinary) : .bytes(Array(text.utf8))
    case .text?, .xml?: self = .bytes(Charset.encode(text, as: contentType?["charset"] ?? "utf-8"))
    default: self = .bytes(Array(text.utf8))
    }
  }

  /// Text in base64. Some tools break its lines.
  init(base64 text: String) {
    let plain = text.utf8.filter { $0 > 0x20 }
    self =
      Base64.decode(plain).map { .bytes($0) } ?? .unknown("the body is declared as base64, but is not valid base64")
  }

  static let isBinary = "the body is binary, and the recording holds it as text"
}

/// A text that represents binary data: as many characters as bytes, so that `minLength` and `maxLength` count bytes, starting
/// with a description for messages: `<cat.png, 5120 bytes>`.
enum FileText {
  static func value(_ bytes: [UInt8], name: String? = nil) -> JSON {
    let text = Array("<\(name.map { "\($0), " } ?? "")\(bytes.count) bytes>".unicodeScalars).prefix(bytes.count)
    let padding = String(repeating: ".", count: bytes.count - text.count)
    return .string(String(String.UnicodeScalarView(text)) + padding)
  }
}

/// A text that represents binary data: as many characters as bytes, so that `minLength` and `maxLength` count bytes, starting
/// with a description for messages: `<cat.png, 5120 bytes>`.
enum FileText {
  static func value(_ bytes: [UInt8], name: String? = nil) -> JSON {
    let text = Array("<\(name.map { "\($0), " } ?? "")\(bytes.count) bytes>".unicodeScalars).prefix(bytes.count)
    let padding = String(repeating: ".", count: bytes.count - text.count)
    return .string(String(String.UnicodeScalarView(text)) + padding)
  }

  /// The body of a media type that is neither text nor data: its text where a schema asks about that, else its length.
  ///
  /// A schema of bytes can only count them (OAS 3.1, 4.8.14.3). One that compares text (`application/javascript` with an
  /// `enum`) is applied to the text; bytes that are not text are not validated.
  static func decode(_ bytes: [UInt8], _ schema: ResolvedSchema) -> Decoded {
    guard asksForText(schema) else { return Decoded(.readings([value(bytes)])) }
    guard UTF8Check.isValid(bytes[...]) else {
      return Decoded(.unvalidated("the schema describes text, but the body is not text"))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return Decoded(.readings([TypeCoercion.value(of: text, schema.types, prefersText: true) ?? .string(text)]))
  }

  private static func asksForText(_ schema: ResolvedSchema) -> Bool {
    !schema.types.contains(.string) || schema.has(.enum, .const, .pattern, .contentEncoding)
      || schema.parts.contains { part in part[.format].map { !$0.isString("binary") } ?? false }
  }
}

/// Writes examples and samples as the bytes of a media type.
struct BodyWriter: Sendable {
  let schemas: SchemaLibrary

  struct Written: Sendable {
    var contentType: String
    var bytes: [UInt8]
  }

  /// A value that the media type cannot express.
  struct Problem: Error {
    /// Continues a sentence that starts with the name of the cell.
    var message: String
    var fileExtension: String
    /// Whether it may be sent as JSON under the media type.
    var mayBeJSON: Bool
  }

  /// The body of a value. `asJSON` writes objects and arrays as JSON under a media type that is neither JSON nor XML
  /// nor a form, because the specification defines no other form (OAS 3.1, 4.8.14).
  func body(of value: JSON, as content: MediaTypeObject, asJSON: Bool = false) throws(Problem) -> Written {
    let contentType = concreteType(of: content)
    let media = MediaRange(contentType)
    func written(_ bytes: [UInt8]) -> Written { Written(contentType: contentType, bytes: bytes) }
    switch media?.syntax {
    case .json?: return written(JSONWriter.bytes(value))
    case .eventStream? where value.isArray: return written(EventStream.write(Array(value.elements)))
    case .form? where value.isObject, .multipart?, .jsonSequence?:
      guard let encoded = BodyEncoder(content, schemas: schemas).encode(value) else {
        throw problem("has a value that `\(content.range)` cannot hold", content)
      }
      return Written(contentType: encoded.contentType, bytes: encoded.bytes)
    // An example may be the document itself, as text.
    case .xml? where !(value.isString && value.text.utf8.first == UInt8(ascii: "<")):
      guard let document = XMLText.write(value, schema: content.schema.map(schemas.resolved) ?? .any) else {
        throw problem("has a value that XML cannot hold", content)
      }
      return written(document)
    case .text?, .binary?, .eventStream?, .xml?, .form?, nil:
      if value.isString || value.kind == .number { return written(Array(value.text.utf8)) }
      if value.kind == .true || value.kind == .false || asJSON { return written(JSONWriter.bytes(value)) }
      throw problem("is neither text nor a number, so `\(content.range)` cannot hold it", content, mayBeJSON: true)
    }
  }

  /// The body of an example that is written as text.
  func body(text bytes: [UInt8], as content: MediaTypeObject) -> Written {
    var contentType = concreteType(of: content)
    // Under a range the text itself decides.
    let isJSON = MediaRange(contentType)?.syntax == .json
    if MediaRange(content.range)?.isRange == true, isJSON, (try? JSONParser.parse(bytes)) == nil {
      contentType = "text/plain; charset=utf-8"
    }
    return Written(contentType: contentType, bytes: bytes)
  }

  /// The media type to send for a documented one; a range such as `image/*` gets a type that falls into it, `*/*` JSON,
  /// in which every value has a string (RFC 8259, 2), but for bytes.
  func concreteType(of content: MediaTypeObject) -> String {
    guard let media = MediaRange(content.range), media.isRange else { return content.range }
    let concrete = BodyEncoder.concrete(media)
    guard concrete == "application/json", let schema = content.schema.map(schemas.resolved),
      schema.hasFormat("binary")
    else { return concrete }
    return "application/octet-stream"
  }

  private func problem(_ message: String, _ content: MediaTypeObject, mayBeJSON: Bool = false) -> Problem {
    Problem(message: message, fileExtension: FileExtension.forMediaType(content.range), mayBeJSON: mayBeJSON)
  }
}

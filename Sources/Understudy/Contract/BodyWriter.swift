/// Writes examples and samples as the bytes of a media type.
struct BodyWriter: Sendable {
  let schemas: SchemaLibrary
  let specification: Specification

  /// A value that the media type cannot express.
  struct Problem: Error {
    /// Continues a sentence that starts with the name of the cell.
    var message: String
    var fileExtension: String
  }

  func bytes(of value: JSON, as content: MediaTypeObject) throws(Problem) -> [UInt8] {
    let media = MediaRange(content.range)
    if isJSONError(value, media) { return JSONWriter.bytes(value) }
    switch media?.syntax {
    case .json?: return JSONWriter.bytes(value)
    case .jsonSequence?:
      let lines = value.isArray ? Array(value.elements) : [value]
      // RFC 7464 puts a record separator before every text.
      let start: [UInt8] = content.range.utf8.firstRange(of: "json-seq".utf8) == nil ? [] : [0x1E]
      return lines.flatMap { start + JSONWriter.bytes($0) + [0x0A] }
    case .eventStream? where value.isArray: return EventStream.write(Array(value.elements))
    case .form? where value.isObject: return Array(FormText.write(value).utf8)
    // An example may be the document itself, as text.
    case .xml? where !(value.isString && value.text.utf8.first == UInt8(ascii: "<")):
      guard let document = XMLText.write(value, schema: content.schema.map(schemas.resolved) ?? .any) else {
        throw Problem(message: "has a value that XML cannot hold", fileExtension: "xml")
      }
      return document
    case .text?, .binary?, .eventStream?, .xml?, .form?, .multipart?, nil:
      // A `*/*` with data is most often JSON.
      if value.isString || value.kind == .number { return Array(value.text.utf8) }
      if value.kind == .true || value.kind == .false { return JSONWriter.bytes(value) }
      guard media?.isRange == true || media?.syntax == .text else {
        throw Problem(
          message: "has an example as data, but `\(content.range)` is not JSON",
          fileExtension: FileExtension.forMediaType(content.range))
      }
      return JSONWriter.bytes(value)
    }
  }

  /// The media type to send for a documented one; a range such as `image/*` gets a concrete type.
  func contentType(of value: JSON?, as content: MediaTypeObject) -> String {
    let media = MediaRange(content.range)
    if let value, isJSONError(value, media) { return "application/json" }
    guard let media, media.isRange else { return content.range }
    switch media.type {
    case "text": return "text/plain; charset=utf-8"
    case "image": return "image/png"
    case "audio": return "audio/mpeg"
    case "video": return "video/mp4"
    default: return "application/json"
    }
  }

  /// In Swagger 2.0 `produces` applies to every answer of an operation, so errors of one that produces archives are
  /// documented as archives too. Servers send them as JSON.
  private func isJSONError(_ value: JSON, _ media: MediaRange?) -> Bool {
    specification == .swagger2 && (value.isObject || value.isArray) && media?.isRange == false
      && media?.syntax == .binary
  }
}

/// Writes a value as the body of a request: the reverse of `BodyDecoder`.
package struct BodyEncoder: Sendable {
  package struct Encoded: Sendable, Equatable {
    package var contentType: String
    package var bytes: [UInt8]
  }

  private let media: MediaTypeObject
  private let schemas: SchemaLibrary

  package init(_ media: MediaTypeObject, schemas: SchemaLibrary) { (self.media, self.schemas) = (media, schemas) }

  private var schema: ResolvedSchema { media.schema.map(schemas.resolved) ?? .any }

  /// `nil` for a value that the media type cannot hold.
  package func encode(_ value: JSON) -> Encoded? {
    guard let range = MediaRange(media.range) else { return nil }
    let contentType = Self.concrete(range)
    guard let syntax = MediaRange(contentType)?.syntax else { return nil }
    let bytes: [UInt8]?
    switch syntax {
    case .json: bytes = JSONWriter.bytes(value)
    case .jsonSequence:
      // RFC 7464 puts a record separator before every text.
      let start: [UInt8] = range.subtype.utf8.firstRange(of: "json-seq".utf8) == nil ? [] : [0x1E]
      let items = value.isArray ? Array(value.elements) : [value]
      bytes = items.flatMap { start + JSONWriter.bytes($0) + [0x0A] }
    case .eventStream: bytes = value.isArray ? EventStream.write(Array(value.elements)) : nil
    case .form: bytes = form(value)
    case .multipart: return multipart(value, range)
    case .xml: bytes = XMLText.write(value, schema: schema)
    case .text, .binary:
      bytes = value.isObject || value.isArray ? nil : Array(HeaderText.simple(value, explode: false).utf8)
    }
    return bytes.map { Encoded(contentType: contentType, bytes: $0) }
  }

  static func concrete(_ range: MediaRange) -> String {
    guard range.isRange else { return range.description }
    switch (range.type, range.subtype) {
    case (_, "*+json"): return "\(range.type)/vnd.understudy+json"
    case (_, "*+xml"): return "\(range.type)/vnd.understudy+xml"
    case ("text", _): return "text/plain; charset=utf-8"
    case ("image", _): return "image/png"
    case ("audio", _): return "audio/mpeg"
    case ("video", _): return "video/mp4"
    case ("multipart", _): return "multipart/form-data"
    default: return "application/json"
    }
  }

  private func form(_ value: JSON) -> [UInt8]? {
    guard value.isObject else { return nil }
    var pieces: [String] = []
    for member in value.members where !member.value.isNull {
      guard let encoding = styled(member.name) else {
        pieces.append(FormText.write(.object([(member.name, member.value)])))
        continue
      }
      var property = Parameter(member.name, in: .query, style: encoding.style, explode: encoding.explode)
      property.allowReserved = encoding.allowReserved
      guard case .query(let written)? = ParameterEncoder(property).encode(member.value) else { return nil }
      pieces += written
    }
    return Array(pieces.filter { !$0.isEmpty }.joined(separator: "&").utf8)
  }

  /// The Encoding Object of a property, if it concerns its style (OAS 3.1, 4.8.15.1.2).
  private func styled(_ property: String) -> Encoding? {
    media.encodings.first { $0.property.utf8.elementsEqual(property.utf8) && $0.contentType == nil }
  }

  private static let boundary = "understudy-part-5d0c3e"

  private func multipart(_ value: JSON, _ range: MediaRange) -> Encoded? {
    var bytes: [UInt8] = []
    var parts = 0
    func part(_ name: String?, _ value: JSON, _ encoding: Encoding?, isFile: Bool) {
      var head = "--\(Self.boundary)\r\n"
      if let name {
        head += "Content-Disposition: form-data; name=\"\(name.replacing("\"", with: "%22"))\""
        head += isFile ? "; filename=\"file.bin\"\r\n" : "\r\n"
      }
      if let type = Self.partType(value, encoding, isFile: isFile) { head += "Content-Type: \(type)\r\n" }
      let isData = value.isObject || value.isArray
      bytes += Array("\(head)\r\n".utf8)
      bytes += isData ? JSONWriter.bytes(value) : Array(HeaderText.simple(value, explode: false).utf8)
      bytes += Array("\r\n".utf8)
      parts += 1
    }
    if range.subtype == "form-data" || value.isObject {
      guard value.isObject else { return nil }
      for member in value.members where !member.value.isNull {
        let encoding = media.encodings.first { $0.property.utf8.elementsEqual(member.name.utf8) }
        let isFile = isBinary(member.name)
        // Each item of an array is a part (OAS 3.1, 4.8.15.1.1).
        let values = member.value.isArray ? Array(member.value.elements) : [member.value]
        for value in values { part(member.name, value, encoding, isFile: isFile) }
      }
    } else {
      guard value.isArray else { return nil }
      for element in value.elements { part(nil, element, media.itemEncoding, isFile: false) }
    }
    guard parts > 0 else { return nil }
    bytes += Array("--\(Self.boundary)--\r\n".utf8)
    return Encoded(contentType: "\(range.essence); boundary=\(Self.boundary)", bytes: bytes)
  }

  private static func partType(_ value: JSON, _ encoding: Encoding?, isFile: Bool) -> String? {
    if let listed = encoding?.contentType {
      let first = FieldSyntax.split(listed.utf8, at: UInt8(ascii: ",")).first.map {
        String(decoding: $0, as: UTF8.self)
      }
      if let range = first.flatMap({ MediaRange($0) }) { return concrete(range) }
    }
    if isFile { return "application/octet-stream" }
    return value.isObject || value.isArray ? "application/json" : nil
  }

  /// Whether a property is a file: `format: binary`, or bytes by `contentMediaType` (OAS 3.1, 4.8.14.3).
  private func isBinary(_ name: String) -> Bool {
    guard let property = schema.property(name) else { return false }
    return (property.describesElements ? property.element : property).parts.contains { part in
      part[.format]?.string == "binary" || part[.type]?.string == "file"
        || (part[.contentMediaType] != nil && part[.contentEncoding] == nil)
    }
  }
}

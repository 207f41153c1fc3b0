/// Reads multipart bodies: `multipart/form-data` into an object by the names of its parts, others into an array.
///
/// JSON parts are parsed. A file becomes a text that tells its size, `<cat.png, 5120 bytes>`: its bytes are no JSON, so
/// only its presence and type can be judged.
package struct MultipartBody: Sendable {
  private let shape: SchemaShape
  private let fields: FormFields
  /// The content types that the contract allows for a property.
  private let allowed: [(property: String, ranges: [MediaRange])]

  package init(_ media: MediaTypeObject?, shape: SchemaShape, specification: Specification) {
    self.shape = shape
    // OpenAPI 3.0 gives `style` and `explode` no meaning here (3.0.4, 4.7.15.1); 3.1 does.
    fields = FormFields(
      media, shape: shape, specification: specification, coding: .verbatim,
      ignoresStyles: specification == .openAPI30)
    allowed = (media?.encodings ?? []).compactMap { encoding in
      guard let list = encoding.contentType else { return nil }
      let ranges = FieldSyntax.split(list.utf8, at: UInt8(ascii: ",")).compactMap {
        MediaRange(String(decoding: $0, as: UTF8.self))
      }
      return ranges.isEmpty ? nil : (encoding.property, ranges)
    }
  }

  package init(_ media: MediaTypeObject?, specification: Specification, resolve: (JSON) -> JSON?) {
    self.init(media, shape: SchemaShape(media?.schema, resolve: resolve), specification: specification)
  }

  /// The value that the body stands for; `contentType` gives the boundary.
  package func decode(_ bytes: [UInt8], _ contentType: MediaRange) -> Decoded {
    guard let boundary = contentType["boundary"], !boundary.isEmpty else {
      let sentence = "Content-Type \(contentType.essence) names no boundary; let the HTTP client write this header"
      return Decoded(.broken, [DecodingProblem(.contentType, "", sentence)])
    }
    do {
      let parts = try MultipartMessage(bytes, boundary: boundary).parts
      guard contentType.subtype == "form-data" else {
        return Decoded(.readings([.array(try parts.map { part throws(DecodingProblem) in try value(part, .any) })]))
      }
      return try object(parts)
    } catch {
      return Decoded(.broken, [error])
    }
  }

  private func object(_ parts: [MultipartMessage.Part]) throws(DecodingProblem) -> Decoded {
    var items: [WirePairs.Item] = []
    var problems: [DecodingProblem] = []
    for (index, part) in parts.enumerated() {
      guard let name = part.name else {
        problems.append(
          DecodingProblem(
            .syntax, "", "part \(index + 1) has no name; expected `Content-Disposition: form-data; name=\"...\"`"))
        continue
      }
      if let problem = misfit(part, name) { problems.append(problem) }
      let property = shape.property(name) ?? shape.other
      let isTyped = part.contentType.map { $0.syntax != .text } ?? false
      let isFile = part.filename != nil || isTyped || String(validating: part.body, as: UTF8.self) == nil
      var item = WirePairs.Item(name: name, raw: part.body, hasEquals: true)
      if isFile { item.value = try value(part, property) }
      items.append(item)
    }
    return fields.decode(WirePairs(parts: items), problems)
  }

  private func value(_ part: MultipartMessage.Part, _ shape: SchemaShape) throws(DecodingProblem) -> JSON {
    // A file of JSON, where the contract wants text, stays a file.
    if part.contentType?.syntax == .json, part.filename == nil || shape.types != .string {
      do {
        return try JSONParser.parse(part.body).root
      } catch {
        let name = part.name ?? ""
        throw DecodingProblem(.syntax, name, "the part `\(name)` is no JSON: \(error.message)")
      }
    }
    if part.filename == nil, let text = String(validating: part.body, as: UTF8.self) { return .string(text) }
    return .string("<\(part.filename.map { "\($0), " } ?? "")\(part.body.count) bytes>")
  }

  /// A part whose type is none of those its encoding lists (OAS 3.1, 4.8.15.1); without one a part is text (RFC 7578, 4.4).
  private func misfit(_ part: MultipartMessage.Part, _ name: String) -> DecodingProblem? {
    guard let ranges = allowed.first(where: { $0.property.utf8.elementsEqual(name.utf8) })?.ranges,
      let actual = part.contentType ?? MediaRange("text/plain"), !ranges.contains(where: { $0.matches(actual) })
    else { return nil }
    let expected = ranges.map(\.description).joined(separator: " or ")
    return DecodingProblem(
      .contentType, name, "the part `\(name)` is \(actual.essence); expected \(expected)",
      isRecovered: part.contentType == nil)
  }
}

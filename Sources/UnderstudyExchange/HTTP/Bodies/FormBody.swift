/// Reads `application/x-www-form-urlencoded` bodies: always UTF-8, `+` for a space.
package struct FormBody: Sendable {
  private let fields: FormFields

  package init(_ media: MediaTypeObject?, schema: ResolvedSchema, specification: Specification) {
    fields = FormFields(media, schema: schema, specification: specification, coding: .form)
  }

  package init(_ media: MediaTypeObject?, specification: Specification, schemas: SchemaLibrary) {
    self.init(media, schema: media?.schema.map(schemas.resolved) ?? .any, specification: specification)
  }

  package func decode(_ bytes: [UInt8]) -> Decoded { decode(MessageBody(bytes)) }

  func decode(_ body: MessageBody) -> Decoded {
    if let mistake = BodyDecodingError.notAForm(body.plain) { return Decoded(.broken, [mistake]) }
    let pairs = body.form
    guard !pairs.isTruncated else {
      return .broken(.limit, "the form has more than \(Query.pairLimit) fields; the rest was not read")
    }
    return fields.decode(pairs)
  }
}

/// Reads multipart bodies: `multipart/form-data` into an object by the names of its parts, others into an array, unless
/// their schema is an object.
///
/// JSON and XML parts are parsed. A file becomes a text that represents its bytes (`FileText`).
package struct MultipartBody: Sendable {
  private let schema: ResolvedSchema
  private let fields: FormFields
  private let encodings: PartEncodings
  private let specification: Specification
  private let schemas: SchemaLibrary

  package init(
    _ media: MediaTypeObject?, schema: ResolvedSchema, specification: Specification, schemas: SchemaLibrary
  ) {
    self.schema = schema
    self.specification = specification
    self.schemas = schemas
    // OpenAPI 3.0 gives `style` and `explode` no meaning here (3.0.4, 4.7.15.1); 3.1 does.
    fields = FormFields(
      media, schema: schema, specification: specification, coding: .verbatim,
      ignoresStyles: specification == .openAPI30)
    encodings = PartEncodings(media, specification: specification, schemas: schemas)
  }

  package init(_ media: MediaTypeObject?, specification: Specification, schemas: SchemaLibrary) {
    self.init(
      media, schema: media?.schema.map(schemas.resolved) ?? .any, specification: specification, schemas: schemas)
  }

  /// The body as a value; `contentType` has the boundary.
  package func decode(_ bytes: [UInt8], _ contentType: MediaRange) -> Decoded {
    guard let boundary = contentType["boundary"], !boundary.isEmpty else {
      return .broken(
        .contentType, "Content-Type \(contentType.essence) has no boundary; let the HTTP client write this header")
    }
    let parts: [MultipartMessage.Part]
    do { parts = try MultipartMessage(bytes, boundary: boundary).parts } catch { return Decoded(.broken, [error]) }
    do throws(Failure) {
      let isNamed = schema.types != .any && schema.types.contains(.object) && parts.contains { $0.name != nil }
      if contentType.subtype == "form-data" || isNamed { return try object(parts) }
      return try array(parts)
    } catch {
      switch error {
      case .broken(let problem): return Decoded(.broken, [problem])
      case .unvalidated(let reason): return Decoded(.unvalidated(reason))
      }
    }
  }

  private enum Failure: Error {
    case broken(DecodingProblem)
    case unvalidated(String)
  }

  private func object(_ parts: [MultipartMessage.Part]) throws(Failure) -> Decoded {
    var sent: [(name: String, raw: ArraySlice<UInt8>, value: JSON?)] = []
    var problems: [DecodingProblem] = []
    var decodedParts: [Decoded.Part] = []
    for (index, part) in parts.enumerated() {
      guard let name = part.name else {
        problems.append(
          DecodingProblem(
            .syntax, "", "part \(index + 1) has no name; expected `Content-Disposition: form-data; name=\"...\"`"))
        continue
      }
      if let coding = part.transferEncoding {
        let note = "the part `\(name)` has Content-Transfer-Encoding `\(coding)`, which is not decoded (RFC 7578, 4.7)"
        problems.append(DecodingProblem(.encoding, name, note, isRecovered: true))
      }
      let rule = encodings.rule(of: name)
      rule?.validate(part, "`\(name)`", key: name, &problems, &decodedParts)
      let isTyped = part.contentType.map { $0.syntax != .text } ?? false
      let text = part.filename == nil && !isTyped ? try text(of: part) : nil
      let value = text == nil ? try value(part, schema.property(name) ?? schema.other, rule) : nil
      sent.append((name, (text.map { Array($0.utf8) } ?? part.body)[...], value))
    }
    var decoded = fields.decode(WirePairs(parts: sent), problems)
    decoded.parts = decodedParts
    return decoded
  }

  private func array(_ parts: [MultipartMessage.Part]) throws(Failure) -> Decoded {
    var problems: [DecodingProblem] = []
    var decodedParts: [Decoded.Part] = []
    let element = schema.element
    let values = try parts.enumerated().map { index, part throws(Failure) in
      let rule = encodings.rule(at: index)
      rule?.validate(part, "\(index + 1)", key: String(index), &problems, &decodedParts)
      return try value(part, element, rule)
    }
    let isBroken = problems.contains { !$0.isRecovered }
    var decoded = Decoded(isBroken ? .broken : .readings([.array(values)]), problems)
    decoded.parts = decodedParts
    return decoded
  }

  private func value(
    _ part: MultipartMessage.Part, _ schema: ResolvedSchema, _ rule: PartEncodings.Rule?
  ) throws(Failure) -> JSON {
    // A file of JSON or XML stays a file if the contract requires text.
    let isData = part.filename == nil || schema.types != .string
    switch part.contentType?.syntax {
    case .json? where isData:
      do {
        return try JSONParser.parse(part.body).root.withoutShadowedMembers
      } catch {
        let sentence = "the part `\(part.name ?? "")` is not valid JSON: \(error.message)"
        throw .broken(DecodingProblem(.syntax, part.name ?? "", sentence))
      }
    case .xml? where isData && !schema.types.isDisjoint(with: .composite):
      return try inner(XMLBody(schema).decode(part.body, charset: part.contentType?["charset"]), part)
    case .multipart?:
      guard let nested = rule?.nested, let type = part.contentType else { break }
      let media = MultipartBody(nested, schema: schema, specification: specification, schemas: schemas)
      return try inner(media.decode(part.body, type), part)
    default: break
    }
    if part.filename == nil, part.contentType?.syntax != .binary, let text = try text(of: part) { return .string(text) }
    return FileText.value(part.body, name: part.filename)
  }

  private func inner(_ decoded: Decoded, _ part: MultipartMessage.Part) throws(Failure) -> JSON {
    if let reading = decoded.readings.first { return reading }
    if case .unvalidated(let reason) = decoded.outcome { throw .unvalidated(reason) }
    let problem = decoded.problems.first { !$0.isRecovered }
    let key = part.name ?? ""
    let sentence = "the part `\(key)` cannot be read: \(problem?.sentence ?? "it is empty")"
    throw .broken(DecodingProblem(problem?.kind ?? .syntax, key, sentence))
  }

  /// The text of a part in its charset, by default UTF-8 (RFC 7578, section 5.1.2).
  private func text(of part: MultipartMessage.Part) throws(Failure) -> String? {
    let utf8 = String(validating: part.body, as: UTF8.self)
    guard let charset = part.contentType?["charset"], part.contentType?.syntax == .text else { return utf8 }
    switch Charset.decode(part.body, as: charset) {
    case .text(let text): return text
    case .invalid: return utf8
    case .unknown: throw .unvalidated("the charset `\(charset)` is not supported")
    }
  }
}

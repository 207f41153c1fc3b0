/// The Encoding Objects of a multipart body, by name or by position (OAS 3.2, 4.15).
struct PartEncodings: Sendable {
  private let named: [(name: String, rule: Rule)]
  private let prefix: [Rule]
  private let item: Rule?

  init(_ media: MediaTypeObject?, specification: Specification, schemas: SchemaLibrary) {
    func rule(_ encoding: Encoding) -> Rule { Rule(encoding, specification: specification, schemas: schemas) }
    named = (media?.encodings ?? []).map { ($0.property, rule($0)) }
    prefix = (media?.prefixEncodings ?? []).map(rule)
    item = media?.itemEncoding.map(rule)
  }

  func rule(of name: String) -> Rule? { named.first { $0.name.utf8.elementsEqual(name.utf8) }?.rule }

  func rule(at position: Int) -> Rule? { position < prefix.count ? prefix[position] : item }

  struct Rule: Sendable {
    /// The allowed media types of a part; empty for any.
    private let ranges: [MediaRange]
    private let headers: [ParameterDecoder]
    let nested: MediaTypeObject?

    init(_ encoding: Encoding, specification: Specification, schemas: SchemaLibrary) {
      let list = encoding.contentType.map { FieldSyntax.split($0.utf8, at: UInt8(ascii: ",")) } ?? []
      ranges = list.compactMap { MediaRange(String(decoding: $0, as: UTF8.self)) }
      headers = encoding.headers.map { ParameterDecoder($0, specification: specification, schemas: schemas) }
      nested = encoding.nested.first
    }

    /// Checks the type of a part and decodes its headers, which the caller validates by their schemas.
    func validate(
      _ part: MultipartMessage.Part, _ label: String, key: String, _ problems: inout [DecodingProblem],
      _ parts: inout [Decoded.Part]
    ) {
      if let problem = misfit(part, label, key) { problems.append(problem) }
      guard !headers.isEmpty else { return }
      let input = ParameterInput(target: "/", fields: HTTPFields(part.fields))
      for header in headers {
        let decoded = header.decode(input)
        problems += decoded.problems.map { problem in
          DecodingProblem(
            problem.kind, key, "in the part \(label) \(problem.sentence)", isRecovered: problem.isRecovered)
        }
        let schema = header.parameter.schema ?? header.parameter.content?.schema
        let pointer = "/\(JSONPointer.escape(key))/header/\(JSONPointer.escape(header.parameter.name))"
        parts.append(Decoded.Part(pointer: pointer, schema: schema, readings: decoded.readings))
      }
    }

    /// A part whose type is not listed (OAS 3.1, 4.8.15.1); the default type is text (RFC 7578, 4.4).
    private func misfit(_ part: MultipartMessage.Part, _ label: String, _ key: String) -> DecodingProblem? {
      guard !ranges.isEmpty, let actual = part.contentType ?? MediaRange("text/plain"),
        !ranges.contains(where: { $0.matches(actual) })
      else { return nil }
      let expected = ranges.map(\.description).joined(separator: " or ")
      return DecodingProblem(
        .contentType, key, "the part \(label) is \(actual.essence); expected \(expected)",
        isRecovered: part.contentType == nil)
    }
  }
}

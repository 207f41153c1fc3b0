/// Makes the documented headers of an answer from examples and samples.
package struct SampleHeaders: Sendable {
  private let schemas: SchemaLibrary

  package init(schemas: SchemaLibrary) { self.schemas = schemas }

  /// Every documented header with a value that can be sent, and the `Location` of a redirect. An optional `Link` (RFC
  /// 8288) is left out: a client that follows its `next` would leave the mock, or read one page for ever.
  package func all(
    of response: Response?, code: Int, seed: String, within budget: WorkBudget? = nil
  ) -> [(name: String, value: String)] {
    let fields = (response?.headers ?? []).filter { $0.isRequired || !Self.leadsOn($0.name) }
      .compactMap { field($0, seed: seed, within: budget) }
    return fields + location(of: code, besides: fields)
  }

  /// What an answer lacks that `given` does not have: required headers, and the `Location` of a redirect.
  package func missing(
    from given: [(name: String, value: String)], of response: Response?, code: Int
  ) -> [(name: String, value: String)] {
    let fields = (response?.headers ?? []).filter { header in
      header.isRequired && !given.contains { FieldSyntax.equalIgnoringCase($0.name.utf8, header.name.utf8) }
    }.compactMap { field($0, seed: "0") }
    return fields + location(of: code, besides: given + fields)
  }

  /// The finding about a required header without a value that can be sent, which mocks omit.
  func problem(of header: Header) -> Diagnostic? {
    guard header.isRequired, Self.isSent(header.name), field(header, seed: "0") == nil else { return nil }
    let name = VisibleText.line(header.name)
    return Diagnostic(
      .exampleSchema,
      HeaderText.isName(header.name)
        ? "the required header `\(name)` has no value that can be sent: a field has no line ends and control characters"
        : "the required header `\(name)` cannot be sent: its name is not a token",
      at: Location(start: header.node), severity: .error,
      help: "mocks omit it (RFC 9110, 5.1 and 5.5); give it an example or a schema of printable text")
  }

  /// A redirect has a `Location`, even if the contract does not document one (RFC 9110, 15.4).
  private func location(
    of code: Int, besides fields: [(name: String, value: String)]
  ) -> [(name: String, value: String)] {
    guard [301, 302, 303, 307, 308].contains(code),
      !fields.contains(where: { FieldSyntax.equalIgnoringCase($0.name.utf8, "location".utf8) })
    else { return [] }
    return [("Location", "/")]
  }

  /// Content-Type is ignored (OAS 3.1, 4.8.17); Content-Encoding is false, as bodies are not encoded (RFC 9110, 8.4).
  private static func isSent(_ name: String) -> Bool {
    !["content-type", "content-encoding"].contains { FieldSyntax.equalIgnoringCase(name.utf8, $0.utf8) }
  }

  private static func leadsOn(_ name: String) -> Bool { FieldSyntax.equalIgnoringCase(name.utf8, "link".utf8) }

  private func field(_ header: Header, seed: String, within budget: WorkBudget? = nil) -> (name: String, value: String)?
  {
    guard Self.isSent(header.name), HeaderText.isName(header.name),
      let value = value(of: header, seed: seed, within: budget), HeaderText.isValue(value)
    else { return nil }
    return (header.name, value)
  }

  /// The first example that can be sent, else a sample; `verify` reports the others.
  private func value(of header: Header, seed: String, within budget: WorkBudget?) -> String? {
    let examples = (header.examples + (header.content?.examples ?? [])).compactMap { example -> String? in
      switch example.value {
      case .data(let value): HeaderText.simple(value, explode: header.explode)
      case .serialized(let text): text
      case .external: nil
      }
    }
    if let example = examples.first(where: HeaderText.isValue) { return example }
    guard let schema = header.schema ?? header.content?.schema else { return nil }
    let generator = SampleGenerator(schemas: schemas, seed: seed)
    return generator.sample(of: schema, direction: .response, within: budget).map {
      HeaderText.simple($0, explode: header.explode)
    }
  }
}

/// Makes the documented headers of an answer from examples and samples.
package struct SampleHeaders: Sendable {
  private let schemas: SchemaLibrary

  package init(schemas: SchemaLibrary) { self.schemas = schemas }

  /// Every documented header whose value can be sent.
  package func all(of response: Response?, seed: String) -> [(name: String, value: String)] {
    (response?.headers ?? []).compactMap { field($0, seed: seed) }
  }

  /// The required headers of an answer that `given` lacks.
  package func missing(
    from given: [(name: String, value: String)], of response: Response?
  ) -> [(name: String, value: String)] {
    (response?.headers ?? []).filter { header in
      header.isRequired && !given.contains { FieldSyntax.equalIgnoringCase($0.name.utf8, header.name.utf8) }
    }.compactMap { field($0, seed: "0") }
  }

  private func field(_ header: Header, seed: String) -> (name: String, value: String)? {
    // A response header called Content-Type is ignored (OAS 3.1, 4.8.17).
    guard !FieldSyntax.equalIgnoringCase(header.name.utf8, "content-type".utf8), HeaderText.isName(header.name),
      let value = value(of: header, seed: seed), HeaderText.isValue(value)
    else { return nil }
    return (header.name, value)
  }

  private func value(of header: Header, seed: String) -> String? {
    for example in header.examples + (header.content?.examples ?? []) {
      switch example.value {
      case .data(let value): return HeaderText.simple(value, explode: header.explode)
      case .serialized(let text): return text
      case .external: continue
      }
    }
    guard let schema = header.schema ?? header.content?.schema else { return nil }
    let generator = SampleGenerator(schemas: schemas, seed: seed)
    return generator.sample(of: schema, direction: .response).map { HeaderText.simple($0, explode: header.explode) }
  }
}

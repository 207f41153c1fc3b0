/// A request with every parameter and every field of the body, to render templates before they are validated.
package struct SampleRequest: RequestValues {
  private var values: [RequestPart: [(name: String, value: JSON)]] = [:]

  package init(_ operation: Operation, _ schemas: SchemaLibrary) {
    let generator = SampleGenerator(schemas: schemas, seed: "0")
    for parameter in operation.parameters {
      guard let part = RequestPart(rawValue: parameter.location.rawValue) else { continue }
      values[part, default: []].append((parameter.name, generator.value(of: parameter) ?? "text"))
    }
    for content in operation.requestBody?.content.prefix(1) ?? [] {
      let body =
        content.examples.lazy.compactMap(\.data).first
        ?? content.schema.flatMap { generator.sample(of: $0, direction: .request) }
      values[.body] = body.map { $0.distinctMembers.map { ($0.name, $0.value) } }
    }
  }

  package func values(_ part: RequestPart, _ name: String) -> [String] {
    values[part]?.first { $0.name.utf8Equals(name) }?.value.requestTexts ?? []
  }
}

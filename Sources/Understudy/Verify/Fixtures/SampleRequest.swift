import JSONSchema

/// A request that has every parameter and every field of the body: what a template is rendered with before it is validated.
struct SampleRequest: RequestValues {
  private var values: [RequestPart: [(name: String, value: JSON)]] = [:]

  init(_ operation: Operation, _ schemas: SchemaLibrary) {
    let generator = SampleGenerator(schemas: schemas, seed: "0")
    for parameter in operation.parameters {
      guard let part = RequestPart(rawValue: parameter.location.rawValue) else { continue }
      let value =
        parameter.examples.lazy.compactMap(\.data).first
        ?? (parameter.schema ?? parameter.content?.schema).flatMap { generator.sample(of: $0, direction: .request) }
      values[part, default: []].append((parameter.name, value ?? "text"))
    }
    for content in operation.requestBody?.content.prefix(1) ?? [] {
      let body =
        content.examples.lazy.compactMap(\.data).first
        ?? content.schema.flatMap { generator.sample(of: $0, direction: .request) }
      values[.body] = body.map { $0.distinctMembers.map { ($0.name, $0.value) } }
    }
  }

  func values(_ part: RequestPart, _ name: String) -> [String] {
    guard let value = values[part]?.first(where: { $0.name.utf8Equals(name) })?.value else { return [] }
    return value.requestTexts
  }
}

extension Example {
  /// The value, where it is given as data.
  var data: JSON? { if case .data(let value) = value { value } else { nil } }
}

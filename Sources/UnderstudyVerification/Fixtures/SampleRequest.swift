/// A request with every parameter and every field of the body, to render templates before they are validated.
package struct SampleRequest: RequestValues {
  private var values: [RequestPart: [(name: String, value: JSON)]] = [:]
  private var body: JSON?
  private let operation: Operation

  package init(_ operation: Operation, _ schemas: SchemaLibrary) {
    self.operation = operation
    let generator = SampleGenerator(schemas: schemas, seed: "0")
    for parameter in operation.parameters {
      guard let part = RequestPart(rawValue: parameter.location.rawValue) else { continue }
      values[part, default: []].append((parameter.name, generator.value(of: parameter) ?? "text"))
    }
    for content in operation.requestBody?.content.prefix(1) ?? [] {
      body =
        content.examples.lazy.compactMap(\.data).first
        ?? content.schema.flatMap { generator.sample(of: $0, direction: .request) }
      values[.body] = body.map { $0.distinctMembers.map { ($0.name, $0.value) } }
    }
  }

  package func fact(_ fact: RequestFact) -> String? {
    switch fact {
    case .method: operation.method
    case .url, .path: operation.path
    case .body: body.map { JSONWriter.text($0) }
    }
  }

  package func nodes(_ selector: BodySelector, within budget: WorkBudget?) -> [JSON] {
    guard let body else { return [] }
    switch selector {
    case .field(let name):
      let isPointer = name.utf8.first == UInt8(ascii: "/")
      return (isPointer ? JSONPointer(name).flatMap { body[$0] } : body[name]).map { [$0] } ?? []
    case .path(let path): return path.nodes(in: body, within: budget) ?? []
    }
  }

  package func values(_ part: RequestPart, _ name: String) -> [String] {
    values[part]?.first { $0.name.utf8Equals(name) }?.value.requestTexts ?? []
  }
}

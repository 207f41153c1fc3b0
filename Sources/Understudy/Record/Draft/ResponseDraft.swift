/// The answers of one status, as they are learnt from exchanges.
struct ResponseDraft: Sendable {
  /// In the order of their first appearance.
  private(set) var types: [String] = []
  private var schemas: [String: SchemaDraft] = [:]
  private var examples: [String: JSON] = [:]

  /// An example is not longer than this.
  private static let exampleLimit = 4096

  mutating func add(_ answer: HAREntry.Answer, method: String) {
    guard method != "HEAD", !answer.body.bytes.isEmpty, let text = answer.fields.contentType,
      let type = MediaRange(text)
    else { return }
    if schemas[type.essence] == nil { types.append(type.essence) }
    schemas[type.essence, default: SchemaDraft()].add(answer.body.bytes, type)
    if type.syntax == .json, examples[type.essence] == nil, answer.body.bytes.count <= Self.exampleLimit {
      examples[type.essence] = try? JSONParser.parse(answer.body.bytes).root
    }
  }

  mutating func merge(_ other: ResponseDraft) {
    for type in other.types {
      if schemas[type] == nil { types.append(type) }
      if let schema = other.schemas[type] { schemas[type, default: SchemaDraft()].merge(schema) }
      examples[type] = examples[type] ?? other.examples[type]
    }
  }

  /// The response object.
  ///
  /// - Parameter isSwagger: Whether it is for Swagger 2.0, whose schema has no media type.
  func json(_ status: Int, isSwagger: Bool = false) -> JSON {
    let reason = HTTPResponse.Status(integerLiteral: status).reasonPhrase
    let description = JSON.string(reason.isEmpty ? "Status \(status)" : reason)
    if isSwagger { return .object(("description", description), ("schema", types.first.flatMap { schemas[$0]?.json })) }
    let content = types.map { type in
      (type, JSON.object(("schema", schemas[type]?.json ?? .object([])), ("example", examples[type])))
    }
    return .object(("description", description), ("content", content.isEmpty ? nil : .object(content)))
  }
}

/// `contentEncoding` and `contentMediaType`, which only annotate unless asked to assert (Validation 2020-12, 8).
extension Compiler {
  mutating func compileContent(_ schema: SchemaContext) {
    guard assertsContent else { return }
    let isBase64 = schema[.contentEncoding]?.isString("base64") ?? false
    let isJSON = schema[.contentMediaType]?.isString("application/json") ?? false
    guard isBase64 || isJSON, let node = schema[.contentEncoding] ?? schema[.contentMediaType] else { return }
    builder.contents.append(ContentPlan(isBase64: isBase64, isJSON: isJSON))
    emit(.content, .string, UInt32(builder.contents.count - 1), at: node, in: schema)
  }
}

extension Evaluator {
  @inline(never)
  func isContent(_ id: UInt32, _ node: JSONDocument.Node) -> Bool {
    let plan = program.contents[Int(id)]
    charge(Int(node.count >> 4))
    var content = Array(text(of: node))
    if plan.isBase64 {
      guard let decoded = Base64.decode(content) else { return false }
      content = decoded
    }
    guard plan.isJSON else { return true }
    return (try? JSONParser.parse(content)) != nil
  }
}

extension Explainer {
  func contentFailure(_ instruction: Instruction, _ value: JSON) -> Finding {
    let plan = program.contents[Int(instruction.a)]
    let expected = plan.isJSON ? plan.isBase64 ? "JSON in base64" : "a JSON text" : "base64"
    return Finding(
      origin(instruction).keyName ?? "contentEncoding", "expected \(expected), found \(Wording.found(value))")
  }
}

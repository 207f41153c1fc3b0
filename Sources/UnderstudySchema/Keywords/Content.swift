/// `contentEncoding`, `contentMediaType` and `contentSchema`, which annotate, and assert if enabled
/// (Validation 2020-12, 8).
extension Compiler {
  mutating func compileContent(_ schema: SchemaContext) {
    guard assertsContent, let node = schema[.contentEncoding] ?? schema[.contentMediaType] else { return }
    let encoding: ContentEncoding?
    do throws(UnknownEncoding) {
      encoding = try self.encoding(in: schema)
    } catch {
      // The content of the string is unknown.
      return
    }
    let isJSON = isJSON(in: schema)
    guard encoding != nil || isJSON else { return }
    // The schema has no meaning without a media type of JSON.
    let branch = isJSON ? schema[.contentSchema].map { child($0, of: schema) } : nil
    builder.contents.append(ContentPlan(encoding: encoding, isJSON: isJSON, schema: branch))
    emit(.content, .string, UInt32(builder.contents.count - 1), at: node, in: schema)
  }

  private struct UnknownEncoding: Error {}

  /// How the bytes are encoded; `nil` when they are the text itself.
  private mutating func encoding(in schema: SchemaContext) throws(UnknownEncoding) -> ContentEncoding? {
    guard let node = schema[.contentEncoding], let name = node.string?.lowercased() else { return nil }
    // These encodings leave the text as it is (RFC 2045, 6.2).
    if ["7bit", "8bit", "binary"].contains(name) { return nil }
    if let encoding = ContentEncoding(rawValue: name) { return encoding }
    reportUnasserted(.contentEncoding, node, "base64, base32 and base16")
    throw UnknownEncoding()
  }

  private mutating func isJSON(in schema: SchemaContext) -> Bool {
    guard let node = schema[.contentMediaType], let text = node.string else { return false }
    let type = text.lowercased().prefix { $0 != ";" && $0 != " " }
    if type == "application/json" || type.hasSuffix("+json") { return true }
    reportUnasserted(.contentMediaType, node, "`application/json` and `+json`")
    return false
  }

  private mutating func reportUnasserted(_ keyword: Keyword, _ node: JSON, _ known: String) {
    report(
      .unassertedContent, "`\(keyword.name)` \(Wording.quote(node)) is not asserted", at: node,
      help: "only \(known) are asserted")
  }
}

/// The assertions of `contentEncoding`, `contentMediaType` and `contentSchema`, if they are enabled.
struct ContentPlan: Sendable {
  var encoding: ContentEncoding?
  var isJSON: Bool
  /// The branch that the JSON must fit.
  var schema: UInt32?
}

/// A text encoding of bytes (RFC 4648).
enum ContentEncoding: String {
  case base64, base32, base16

  /// The bytes; `nil` if the text does not have this encoding.
  func decode(_ text: [UInt8]) -> [UInt8]? {
    switch self {
    case .base64: Base64.decode(text)
    case .base32:
      SmallBase.decode(text, bits: 5, group: 8) { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "2")...UInt8(ascii: "7"): byte - UInt8(ascii: "2") + 26
        default: nil
        }
      }
    case .base16:
      SmallBase.decode(text, bits: 4, group: 2) { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
      }
    }
  }
}

extension Evaluator {
  @inline(never)
  func isContent(_ id: UInt32, _ node: JSONDocument.Node) -> Bool {
    let plan = program.contents[Int(id)]
    guard affords(Int(node.count >> 4)), let content = content(of: node, plan) else { return false }
    guard plan.isJSON else { return true }
    do throws(TextProblem) {
      let document = try JSONParser.parse(content)
      return plan.schema.map { schema in within(document) { $0.apply(schema, $1.index) } } ?? true
    } catch {
      // The content may be valid.
      if error.kind == .limit { stop(.depth) }
      return false
    }
  }

  /// The decoded bytes of a string; `nil` if it does not have the encoding.
  func content(of node: JSONDocument.Node, _ plan: ContentPlan) -> [UInt8]? {
    let text = Array(text(of: node))
    return plan.encoding.map { $0.decode(text) } ?? text
  }

  /// Evaluates another document by the same program, with the fuel of this evaluation.
  func within<R>(_ document: JSONDocument, _ body: (Evaluator, JSON) -> R) -> R {
    let value = document.root.withoutShadowedMembers
    return value.document.nodes.withUnsafeBufferPointer { nodes in
      value.document.bytes.withUnsafeBufferPointer { bytes in
        var inner = EvaluationState(
          program, nodes: nodes.baseAddress ?? self.nodes, count: nodes.count, bytes: bytes.baseAddress ?? self.bytes,
          fuel: fuel)
        defer { inner.free() }
        inner.depth = depth
        let result = withUnsafeMutablePointer(to: &inner) { body(Evaluator($0), value) }
        fuel = inner.fuel
        if let reason = inner.stopped { stop(reason) }
        return result
      }
    }
  }
}

extension FailureCollector {
  func contentFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    let plan = program.contents[Int(instruction.a)]
    if let schema = plan.schema, let failure = innerFailure(value, plan, program.branches.base[Int(schema)]) {
      let place = failure.instance.tokens.isEmpty ? "" : " at `\(failure.instance)`"
      return KeywordFailure(
        "contentSchema", "the JSON in the string does not fit\(place): \(failure.message)",
        at: origin(instruction).sibling("contentSchema"))
    }
    let encoding = plan.encoding?.rawValue ?? ""
    let expected = plan.isJSON ? plan.encoding == nil ? "a JSON text" : "JSON in \(encoding)" : encoding
    return KeywordFailure(
      origin(instruction).keyName ?? "contentEncoding", "expected \(expected), found \(Wording.found(value))")
  }

  /// The first failure of the JSON in a string; `nil` if the string has no JSON.
  private func innerFailure(_ value: JSON, _ plan: ContentPlan, _ branch: Branch) -> SchemaFailure? {
    guard let content = evaluator.content(of: evaluator.nodes[value.index], plan),
      let document = try? JSONParser.parse(content)
    else { return nil }
    return evaluator.within(document) { inner, root in
      var collector = FailureCollector(inner, limit: 1, counts: false, size: document.nodes.count)
      collector.run(branch, root)
      return collector.log.failures.first
    }
  }
}

/// `type`, with `nullable` and `x-nullable`.
extension Compiler {
  mutating func compileTypes(_ schema: SchemaContext) {
    guard let node = schema.position(of: .type) else { return }
    if schema.kind(of: node) == .array { checkList(schema.json(node), in: schema) }
    let isNullable = schema.isTrue(.nullable) || schema.isTrue(.xNullable)
    guard let allowed = JSONTypeSet(type: node, in: schema.document, isNullable: isNullable) else {
      return checkNames(schema.json(node), in: schema)
    }
    guard allowed != .any else { return }
    emit(.types, JSONTypeSet.any.subtracting(allowed), UInt32(allowed.rawValue), at: node, in: schema)
  }

  private mutating func checkNames(_ type: JSON, in schema: SchemaContext) {
    let names = type.isArray ? Array(type.elements) : [type]
    guard let unknown = names.first(where: { JSONTypeSet(name: $0) == nil }) else { return }
    if !schema.dialect.has(.fileType) || !unknown.isString("file") { reportWrongType(unknown) }
  }

  private mutating func checkList(_ list: JSON, in schema: SchemaContext) {
    if list.count == 0 {
      reportWrongValue(.type, "the name of a type, or several", list)
    } else if schema.dialect.keywords.contains(.nullable) {
      // OpenAPI 3.0 has `nullable` instead of lists (3.0.3, 4.7.24), but the meaning of a list is clear.
      reportWrongValue(
        .type, "a single name in OpenAPI 3.0", list, consequence: "it is read as a list",
        severity: .info, help: "use `nullable` or `oneOf`")
    }
  }

  private mutating func reportWrongType(_ node: JSON) {
    let names = JSONTypeSet.allNames
    reportWrongValue(
      .type, "one of " + Wording.list(names), node, help: node.string.flatMap { Self.typeMeant(by: $0, of: names) })
  }

  /// Advice for an unknown type name: an abbreviation, a format or a typing error.
  private static func typeMeant(by name: String, of names: [String]) -> String? {
    let lower = name.lowercased()
    if let abbreviated = names.first(where: { lower.utf8.count >= 3 && $0.utf8.starts(with: lower.utf8) }) {
      return "did you mean `\(abbreviated)`?"
    }
    if let format = Format.allCases.first(where: { $0.name.utf8Equals(name) }) {
      let type = format == .int32 || format == .int64 ? "integer" : format.isNumeric ? "number" : "string"
      return "`\(name)` is a format: write `type: \(type)` and `format: \(name)`"
    }
    return Suggestion.phrase(for: name, among: names)
  }
}

extension Evaluator {
  /// Whether a node has one of the types.
  @inline(__always)
  func admits(_ kinds: JSONTypeSet, _ index: Int) -> Bool {
    let node = nodes[index]
    return kinds.contains(JSONTypeSet(node.kind))
      || (kinds.contains(.integer) && node.kind == .number && isInteger(node))
  }

  /// Whether a number is a mathematical integer; `1.0` is (Validation 2020-12, 6.1.1).
  @inline(__always)
  func isInteger(_ node: JSONDocument.Node) -> Bool { node.isSmallInteger || isLongInteger(node) }

  @inline(never)
  private func isLongInteger(_ node: JSONDocument.Node) -> Bool {
    guard affords(costOfNumber(node)) else { return false }
    let spelling = text(of: node)
    guard spelling.contains(where: { !(48...57 ~= $0) && $0 != UInt8(ascii: "-") }) else { return true }
    return JSONNumber(spelling: Array(spelling)).isInteger
  }
}

extension FailureCollector {
  func typeFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    let kinds = JSONTypeSet(rawValue: UInt8(truncatingIfNeeded: instruction.a))
    let found = "found \(Wording.found(value))"
    var help: String?
    if let text = value.string, kinds.admitsUnquoted(text) {
      help = "write it without quotes"
    } else if value.isNull {
      help = nullHelp(origin(instruction), kinds)
    }
    return KeywordFailure("type", "expected \(Wording.list(kinds.names)), \(found)", help: help)
  }

  private func nullHelp(_ type: JSON, _ kinds: JSONTypeSet) -> String {
    guard type.sibling("nullable")?.bool == true else { return "the schema does not allow null here" }
    let root = JSON(document: type.document, index: 0)
    if root["swagger"] != nil { return "`nullable` has no meaning in Swagger 2.0: write `x-nullable: true`" }
    let version = root["openapi"]?.string?.split(separator: ".").prefix(2).joined(separator: ".")
    let types = (kinds.names + [#""null""#]).joined(separator: ", ")
    return "`nullable` has no meaning in \(version.map { "OpenAPI \($0)" } ?? "JSON Schema"): write `type: [\(types)]`"
  }
}

extension JSONTypeSet {
  /// Whether a text would fit without its quotes.
  fileprivate func admitsUnquoted(_ text: String) -> Bool {
    switch text {
    case "true", "false": return !isDisjoint(with: .boolean)
    case "null": return contains(.null)
    default:
      guard text.utf8.count <= 100, let number = JSONNumber(text) else { return false }
      return contains(.number) || (contains(.integer) && number.isInteger)
    }
  }
}

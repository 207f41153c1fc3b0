/// `type`, with `nullable` and `x-nullable` beside it.
extension Compiler {
  mutating func compileTypes(_ schema: inout SchemaContext) {
    guard let node = schema[.type] else { return }
    var allowed: Kinds = []
    for name in node.isArray ? Array(node.elements) : [node] {
      if schema.dialect.has(.fileType), name.isString("file") { return }
      guard let kinds = name.string.flatMap(Kinds.init(typeName:)) else {
        reportWrongValue(.type, "the name of a type", name)
        return
      }
      allowed.formUnion(kinds)
    }
    // `nullable` widens the type beside it and nothing else (OpenAPI 3.0.3, 4.7.24).
    if schema[.nullable]?.bool == true || schema[.xNullable]?.bool == true { allowed.insert(.null) }
    if allowed.contains(.number) { allowed.remove(.integer) }
    guard allowed != .any else { return }
    emit(
      .types, Kinds.any.subtracting(allowed), UInt32(allowed.rawValue), at: node, in: &schema)
  }
}

extension Evaluator {
  /// Whether a node is of one of the kinds.
  @inline(__always)
  func admits(_ kinds: Kinds, _ index: Int) -> Bool {
    let node = nodes[index]
    return kinds.contains(Kinds(node.kind)) || (kinds.contains(.integer) && node.kind == .number && isInteger(node))
  }

  /// Whether a number is a mathematical integer; `1.0` is (Validation 2020-12, 6.1.1).
  @inline(__always)
  func isInteger(_ node: JSONDocument.Node) -> Bool { node.isSmallInteger || isLongInteger(node) }

  @inline(never)
  private func isLongInteger(_ node: JSONDocument.Node) -> Bool {
    let spelling = text(of: node)
    guard spelling.contains(where: { !(48...57 ~= $0) && $0 != UInt8(ascii: "-") }) else { return true }
    return JSONNumber(spelling: Array(spelling)).isInteger
  }
}

extension Explainer {
  func typeFailure(_ instruction: Instruction, _ value: JSON) -> Finding {
    let expected = Wording.list(Kinds(rawValue: UInt8(instruction.a)).names)
    var help: String?
    if value.kind == .string, let number = value.string, JSONNumber(number) != nil, expected != "null" {
      help = "write it without quotes"
    } else if value.isNull {
      help = "the schema does not allow null here"
    }
    return Finding("type", "expected \(expected), found \(Wording.found(value))", help: help)
  }
}

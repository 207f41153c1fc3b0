/// `prefixItems`, `items` in its two forms, `additionalItems`, and the array bounds.
extension Compiler {
  mutating func compileArrays(_ schema: SchemaContext) {
    emitBound(.minItems, of: .minItems, .array, in: schema, trivial: 0)
    emitBound(.maxItems, of: .maxItems, .array, in: schema)
    var prefix = schema[.prefixItems]
    var rest = schema[.items]
    if let items = rest, items.isArray {
      if schema.dialect.has(.itemsLists) {
        (prefix, rest) = (items, schema[.additionalItems])
      } else {
        reportItemsList(items, schema)
        rest = nil
      }
    }
    let skipped = prefix.map { compilePrefix($0, schema) } ?? 0
    if let rest {
      emit(.items, .array, child(rest, of: schema), skipped, flags: schema.markFlags, at: rest, in: schema)
    }
    if let node = schema[.uniqueItems] {
      switch node.bool {
      case true?: emit(.uniqueItems, .array, at: node, in: schema)
      case false?: break
      case nil: reportWrongValue(.uniqueItems, "`true` or `false`", node)
      }
    }
  }

  /// Compiles the schemas of the first elements; returns their number.
  private mutating func compilePrefix(_ list: JSON, _ schema: SchemaContext) -> UInt32 {
    guard list.isArray else {
      reportWrongValue(.prefixItems, "an array of schemas", list)
      return 0
    }
    guard list.count > 0 else { return 0 }
    let blocks = list.elements.map { childBlock($0.index, of: schema) }
    let first = builder.branches(blocks)
    emit(.prefixItems, .array, first, UInt32(blocks.count), flags: schema.markFlags, at: list, in: schema)
    return UInt32(blocks.count)
  }

  private mutating func reportItemsList(_ items: JSON, _ schema: SchemaContext) {
    let isPlain = !schema.dialect.has(.openAPI)
    let help =
      "only drafts up to 2019-09 allow a list; write `prefixItems`\(isPlain ? ", or " + Self.olderDialect : "")"
    reportWrongValue(
      .items, "a schema", items, help: schema.dialect.keywords.contains(.prefixItems) ? help : nil)
  }
}

extension Evaluator {
  func prefixItems(_ instruction: Instruction, _ index: Int) -> Bool {
    let count = min(instruction.b, nodes[index].count)
    guard affords(Int(count >> 4)) else { return false }
    var element = index + 1
    for position in 0..<count {
      guard apply(instruction.a + position, element) else { return false }
      if instruction.flags.contains(.marks) { note(element) }
      element = end(of: element)
    }
    return true
  }

  func items(_ instruction: Instruction, _ index: Int) -> Bool {
    let count = nodes[index].count
    guard count > instruction.b else { return true }
    guard affords(Int(count >> 4)) else { return false }
    var element = index + 1
    for _ in 0..<instruction.b { element = end(of: element) }
    let branch = branches[Int(instruction.a)]
    for _ in instruction.b..<count {
      guard apply(branch, element) else { return false }
      element = end(of: element)
    }
    // The `prefixItems` of the same schema evaluates the elements before.
    if instruction.flags.contains(.marks) { noteAll(of: index) }
    return true
  }
}

extension FailureCollector {
  mutating func explainItems(_ instruction: Instruction, _ value: JSON) -> Outcome {
    let isPrefix = instruction.operation == .prefixItems
    let largest = largestChild(of: value)
    var outcome = Outcome.fits
    for (position, element) in value.elements.enumerated() {
      if isPrefix, position >= Int(instruction.b) { break }
      if !isPrefix, position < Int(instruction.b) { continue }
      let branch = program.branches.base[Int(instruction.a) + (isPrefix ? position : 0)]
      if branch.isFalse {
        if reports(instruction.operation) {
          add(tooLong(position, instruction, value), at: position, instruction, element)
        }
        return .fails
      }
      let isLargest = element.index == largest
      outcome = outcome.and(explainChild(.position(position), branch, element, isLargest: isLargest))
      if isFull { break }
    }
    return outcome
  }

  private func tooLong(_ allowed: Int, _ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    let list = origin(instruction)
    return KeywordFailure(
      list.keyName ?? "items", "expected at most \(Wording.count(allowed, "element")), found \(value.count)",
      at: instruction.operation == .prefixItems ? list[allowed] : nil)
  }

  private mutating func add(_ finding: KeywordFailure, at position: Int, _ instruction: Instruction, _ element: JSON) {
    step(into: .position(position)) { $0.add(finding, instruction, element) }
  }
}

/// `enum` and `const`.
extension Compiler {
  mutating func compileEnumerations(_ schema: SchemaContext) {
    if let node = schema[.enum] {
      if node.isArray {
        compile(values: node.elements, flags: [], at: node, schema)
      } else {
        reportWrongValue(.enum, "an array", node)
      }
    }
    if let node = schema[.const] { compile(values: [node], flags: .isConst, at: node, schema) }
  }

  private mutating func compile(
    values: some Sequence<JSON>, flags: Instruction.Flags, at node: JSON, _ schema: SchemaContext
  ) {
    var literals: Kinds = []
    var strings = 0
    let first = UInt32(builder.constants.count)
    for value in values {
      switch value.kind {
      case .null, .true, .false: literals.insert(Kinds(value.kind))
      case .string: strings += 1
      case .number, .array, .object: builder.constants.append(value.withoutShadowedMembers)
      }
    }
    let names = builder.table(for: strings, maximum: strings)
    for value in values where value.isString {
      value.document.withBytes(of: value.index) { _ = builder.add($0, hash: JSONDocument.hash($0), 0, to: names) }
    }
    builder.enumerations.append(
      Enumeration(
        literals: literals, strings: names, others: first,
        otherCount: UInt32(builder.constants.count) - first))
    emit(
      .enumeration, .any.subtracting(literals), UInt32(builder.enumerations.count - 1), flags: flags, at: node,
      in: schema)
  }
}

extension Evaluator {
  /// For kinds that no allowed literal covers.
  func isEnumerated(_ id: UInt32, _ index: Int) -> Bool {
    let enumeration = enumerations[Int(id)]
    let node = nodes[index]
    switch node.kind {
    case .null, .true, .false: return false
    case .string:
      let value = text(of: node)
      return find(enumeration.strings, JSONDocument.hash(value), value) != nil
    case .number, .array, .object: return isListed(index, in: enumeration, id)
    }
  }

  @inline(never)
  private func isListed(_ index: Int, in enumeration: Enumeration, _ id: UInt32) -> Bool {
    guard isComparable(index) else { return false }
    charge((end(of: index) - index + Int(nodes[index].count)) >> 4)
    let first = Int(enumeration.others)
    guard enumeration.otherCount > ConstantIndex.minimum else {
      return (0..<Int(enumeration.otherCount)).contains { isEqual(index, to: program.constants[first + $0]) }
    }
    let candidates = program.constantIndex.positions(of: identityHash(index), in: id)
    return candidates.contains { isEqual(index, to: program.constants[Int($0)]) }
  }

  /// The value that a name stands for.
  @inline(__always)
  func find(_ table: NameTable, _ hash: UInt32, _ name: UnsafeBufferPointer<UInt8>) -> Int? {
    var position = hash & table.mask
    for _ in 0..<NameTable.reach {
      let slot = slots[Int(table.first &+ position)]
      if slot.value == NameTable.Slot.empty { return nil }
      if slot.hash == hash, Int(slot.length) == name.count,
        isSameText(programText + Int(slot.offset), name.baseAddress.unsafelyUnwrapped, name.count)
      {
        return Int(slot.value)
      }
      position = (position &+ 1) & table.mask
    }
    return findStray(table, name)
  }

  @inline(never)
  private func findStray(_ table: NameTable, _ name: UnsafeBufferPointer<UInt8>) -> Int? {
    program.strayNames[StrayName(name, in: table)].map(Int.init)
  }
}

extension Explainer {
  func enumerationFailure(_ instruction: Instruction, _ value: JSON) -> Finding {
    let node = origin(instruction)
    guard !instruction.flags.contains(.isConst) else {
      return Finding(
        "const", "expected \(Wording.quote(node)), found \(Wording.found(value))",
        help: Wording.difference(expected: node, found: value))
    }
    let shown = node.elements.prefix(12).map(Wording.quote)
    let rest = node.count - shown.count
    let list = rest > 0 ? shown.joined(separator: ", ") + " or one of \(rest) more" : Wording.list(shown)
    let names = node.elements.compactMap(\.string)
    return Finding(
      "enum", "expected \(node.count == 1 ? "" : "one of ")\(list), found \(Wording.found(value))",
      help: value.string.flatMap { Suggestion.phrase(for: $0, among: names) })
  }
}

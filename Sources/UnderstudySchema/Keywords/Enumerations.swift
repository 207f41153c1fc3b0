/// `enum` and `const`.
extension Compiler {
  mutating func compileEnumerations(_ schema: SchemaContext) {
    if let node = schema[.enum] {
      if node.isArray {
        if node.elements.count == 0 {
          // Draft 4 forbids it (5.5.1.1), later drafts advise against it (Validation 2020-12, 6.1.2).
          reportWrongValue(.enum, "at least one value", node, consequence: "no value is allowed")
        }
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
    var literals: JSONTypeSet = []
    var strings = 0
    let first = UInt32(builder.constants.count)
    for value in values {
      switch value.kind {
      case .null, .true, .false: literals.insert(JSONTypeSet(value.kind))
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
  /// Whether an `enum` lists a value; literals are decided before.
  func isEnumerated(_ id: UInt32, _ index: Int) -> Bool {
    let enumeration = enumerations[Int(id)]
    let node = nodes[index]
    switch node.kind {
    case .null, .true, .false: return false
    case .string:
      let value = text(of: node)
      guard node.count < 64 || affords(Int(node.count >> 6)) else { return false }
      return find(enumeration.strings, JSONDocument.hash(value), value) != nil
    case .number, .array, .object: return isListed(index, in: enumeration, id)
    }
  }

  @inline(never)
  private func isListed(_ index: Int, in enumeration: Enumeration, _ id: UInt32) -> Bool {
    let comparisons = min(Int(enumeration.otherCount), Int(ConstantIndex.minimum))
    guard isComparable(index),
      affords((end(of: index) - index) >> 4 + costOfTexts(in: index) * comparisons)
    else { return false }
    let first = Int(enumeration.others)
    guard enumeration.otherCount > ConstantIndex.minimum else {
      return (first..<first + Int(enumeration.otherCount)).contains { isEqual(index, to: constants[$0]) }
    }
    let candidates = program.constantIndex.positions(of: identityHash(index), in: id)
    return candidates.contains { isEqual(index, to: constants[Int($0)]) }
  }

  /// The value of a name in a table.
  @inline(__always)
  func find(_ table: NameTable, _ hash: UInt32, _ name: UnsafeBufferPointer<UInt8>) -> Int? {
    var position = hash & table.mask
    for _ in 0..<NameTable.reach {
      let slot = slots[Int(table.first &+ position)]
      if slot.value == NameTable.Slot.empty { return nil }
      if slot.hash == hash, Int(slot.length) == name.count,
        utf8Equals(programText + Int(slot.offset), name.baseAddress.unsafelyUnwrapped, name.count)
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

extension FailureCollector {
  func enumerationFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    let node = origin(instruction)
    let found = "found \(Wording.found(value))"
    guard !instruction.flags.contains(.isConst) else {
      let help = slip(value, [node]) ?? Wording.difference(expected: node, found: value)
      return KeywordFailure("const", "expected \(Wording.quote(node)), \(found)", help: help)
    }
    guard node.count > 0 else {
      return KeywordFailure("enum", "no value is allowed, since the list is empty; \(found)")
    }
    let list = Wording.values(node.elements.prefix(Wording.shownValues), of: node.count)
    return KeywordFailure(
      "enum", "expected \(list), \(found)", help: slip(value, node.elements.prefix(Self.comparedValues)))
  }

  /// The most allowed values to compare with a wrong one.
  static let comparedValues = 250

  /// A suggestion of a similar allowed value.
  func slip(_ value: JSON, _ allowed: some Sequence<JSON>) -> String? {
    guard log.suggests, let text = value.string, text.utf8.count <= 200 else { return nil }
    if let phrase = Suggestion.phrase(for: text, among: allowed.compactMap(\.string)) { return phrase }
    return allowed.contains { !$0.isString && $0.isSimple && $0.isWritten(text) } ? "write it without quotes" : nil
  }
}

extension JSON {
  var isSimple: Bool { !isObject && !isArray }

  /// Whether a text is the spelling of a simple value without quotes.
  fileprivate func isWritten(_ text: String) -> Bool { JSONWriter.text(self).utf8.elementsEqual(text.utf8) }
}

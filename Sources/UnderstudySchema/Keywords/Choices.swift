/// `anyOf`, `oneOf` and `not`.
extension Compiler {
  mutating func compileChoices(_ schema: SchemaContext) {
    compileChoice(.anyOf, .anyOf, schema)
    compileChoice(.oneOf, .oneOf, schema)
    if let node = schema[.not] {
      emit(.not, .any, inPlace(node, of: schema), at: node, in: schema)
    }
  }

  private mutating func compileChoice(
    _ keyword: Keyword, _ operation: Instruction.Operation, _ schema: SchemaContext
  ) {
    guard let node = schema[keyword] else { return }
    guard node.isArray, node.count > 0 else { return reportWrongValue(keyword, "an array of one schema or more", node) }
    let blocks = node.elements.map { inPlaceBlock(place(of: $0, in: schema), of: schema) }
    let first = builder.branches(blocks)
    var flags = schema.markFlags
    if schema.present.contains(.discriminator) { flags.insert(.discriminates) }
    // At the schema: messages read the siblings of the list.
    emit(operation, .any, first, UInt32(blocks.count), flags: flags, at: schema.index, in: schema)
  }
}

extension Evaluator {
  /// `anyOf` and `oneOf`.
  @inline(never)
  func choice(_ instruction: Instruction, _ index: Int) -> Bool {
    // A choice that takes notes cannot be skipped, and one without branches has no number of its own.
    let isRemembered = enterChoice() && !instruction.flags.contains(.marks) && instruction.b > 1
    defer { leaveChoice() }
    if isRemembered, let known = verdict(of: instruction.a, on: index) { return known }
    let isAccepted = instruction.operation == .anyOf ? anyOf(instruction, index) : oneOf(instruction, index)
    // An abandoned search has no result.
    if isRemembered, stopped == nil { remember(isAccepted, of: instruction.a, on: index) }
    return isAccepted
  }

  private func anyOf(_ instruction: Instruction, _ index: Int) -> Bool {
    var isAccepted = false
    for position in 0..<instruction.b {
      let mark = markCount
      if apply(instruction.a + position, index) {
        // Every branch that fits adds its notes.
        guard instruction.flags.contains(.marks) else { return true }
        isAccepted = true
      } else {
        forget(downTo: mark)
      }
    }
    return isAccepted
  }

  private func oneOf(_ instruction: Instruction, _ index: Int) -> Bool {
    var isAccepted = false
    for position in 0..<instruction.b {
      let mark = markCount
      if apply(instruction.a + position, index) {
        if isAccepted { return false }
        isAccepted = true
      } else {
        forget(downTo: mark)
      }
    }
    return isAccepted
  }

  func not(_ branch: UInt32, _ index: Int) -> Bool {
    let mark = markCount
    let isAccepted = apply(branch, index)
    forget(downTo: mark)
    return !isAccepted
  }
}

extension FailureCollector {
  func notFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    let schema = origin(instruction)
    if schema.count == 1, value.isObject, let names = schema["required"]?.elements.compactMap(\.string),
      let first = names.first
    {
      let list = names.prefix(Wording.shownNames).map(Wording.name)
      let message =
        names.count == 1
        ? "the property \(Wording.name(first)) is not allowed"
        : "the properties \(Wording.list(list, of: names.count, "and")) are not allowed together"
      return KeywordFailure("not", message)
    }
    return KeywordFailure(
      "not", "expected a value that does not fit \(Wording.summary(schema)), found \(Wording.found(value))")
  }
}

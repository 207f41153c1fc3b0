/// `unevaluatedItems` and `unevaluatedProperties`.
///
/// While a value is judged by a schema that holds one of them, every instruction notes the children it has evaluated in
/// one growing list; or the value itself, where that is all of them. What failed is cut off again, so what stands behind the
/// schema's own mark is what counts (Core 2020-12, 11).
extension Compiler {
  mutating func compileUnevaluated(_ schema: SchemaContext) {
    let flags: Instruction.Flags = schema.isMarkedFromOutside ? .marks : .forgets
    if let node = schema[.unevaluatedItems] {
      emit(.unevaluatedItems, .array, child(node, of: schema), flags: flags, at: node, in: schema)
    }
    if let node = schema[.unevaluatedProperties] {
      emit(.unevaluatedProperties, .object, child(node, of: schema), flags: flags, at: node, in: schema)
    }
  }
}

extension Evaluator {
  func unevaluated(_ instruction: Instruction, _ index: Int, mark: Int) -> Bool {
    let branch = branches[Int(instruction.a)]
    let left = unevaluatedChildren(of: index, since: mark)
    for child in left { guard apply(branch, child) else { return false } }
    // Whatever it was, now all of it is evaluated.
    forget(downTo: mark)
    if !instruction.flags.contains(.forgets) { noteAll(of: index) }
    return true
  }

  /// The elements or member values that nothing has evaluated since the mark.
  func unevaluatedChildren(of index: Int, since mark: Int) -> [Int] {
    let isObject = nodes[index].kind == .object
    let count = Int(nodes[index].count)
    let notes = marks(since: mark)
    charge(count >> 4 + notes.count)
    if notes.contains(noteOfAll(of: index)) { return [] }
    // They come in any order and more than once; sorted, they can be walked beside the children.
    let evaluated = notes.sorted()
    var next = 0
    var left: [Int] = []
    var child = index + 1
    for _ in 0..<count {
      if isObject { child += 1 }
      while next < evaluated.count, Int(evaluated[next]) < child { next += 1 }
      if next >= evaluated.count || Int(evaluated[next]) != child { left.append(child) }
      child = end(of: child)
    }
    return left
  }
}

extension Explainer {
  mutating func explainUnevaluated(_ instruction: Instruction, _ value: JSON, mark: Int) {
    let branch = program.branches.base[Int(instruction.a)]
    let left = Set(evaluator.unevaluatedChildren(of: value.index, since: mark))
    for member in value.members where left.contains(member.value.index) {
      step(into: .key(member.name)) {
        guard branch.isFalse else { return $0.explain(branch, member.value) }
        $0.add(
          Finding(
            "unevaluatedProperties", "the property `\(member.name)` is declared nowhere, and no others may be there",
            at: $0.origin(instruction)), member.value)
      }
    }
    for (position, element) in value.elements.enumerated() where left.contains(element.index) {
      step(into: .position(position)) {
        guard branch.isFalse else { return $0.explain(branch, element) }
        $0.add(
          Finding(
            "unevaluatedItems", "element \(position) is described nowhere, and no others may be there",
            at: $0.origin(instruction)), element)
      }
    }
  }
}

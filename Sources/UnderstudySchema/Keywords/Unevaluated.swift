/// `unevaluatedItems` and `unevaluatedProperties`.
///
/// In a schema with one of them, every instruction adds notes about the children that it has evaluated to one list, or
/// a note about the value itself for all children. Failed subschemas remove their notes, so that the notes after the
/// schema's own mark count (Core 2020-12, 11).
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
    // Now all children are evaluated.
    forget(downTo: mark)
    if !instruction.flags.contains(.forgets) { noteAll(of: index) }
    return true
  }

  /// The elements or member values that are not evaluated since the mark.
  func unevaluatedChildren(of index: Int, since mark: Int) -> [Int] {
    let isObject = nodes[index].kind == .object
    let count = Int(nodes[index].count)
    let notes = marks(since: mark)
    charge(count >> 4 + notes.count)
    if notes.contains(noteOfAll(of: index)) { return [] }
    // Notes have any order and may repeat; sorted, they have the order of the children.
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

extension FailureCollector {
  mutating func explainUnevaluated(_ instruction: Instruction, _ value: JSON, _ around: Branch, _ mark: Int) -> Outcome
  {
    let branch = program.branches.base[Int(instruction.a)]
    let left = evaluator.unevaluatedChildren(of: value.index, since: mark)
    if left.isEmpty { return .fits }
    guard branch.isFalse else { return explainUnevaluated(left, branch, value) }
    let names = value.isObject && log.suggests ? BranchReader(evaluator).names(around) : []
    let document = value.document
    var next = left[...]
    for (position, child) in value.children.enumerated() {
      guard let wanted = next.first, !isFull else { break }
      guard child.value.index == wanted else { continue }
      next.removeFirst()
      guard reports(instruction.operation) else { continue }
      let node = JSON(document: document, index: wanted)
      if let name = child.key?.text {
        let message = "the property \(Wording.name(name)) is not declared, and no others are allowed"
        let help = log.suggests ? Suggestion.phrase(for: name, among: names.filter { value.key($0) == nil }) : nil
        step(into: .key(name)) {
          $0.add(KeywordFailure("unevaluatedProperties", message, help: help), instruction, node)
        }
      } else {
        let message = "element \(position) has no schema, and no others are allowed"
        step(into: .position(position)) { $0.add(KeywordFailure("unevaluatedItems", message), instruction, node) }
      }
    }
    return .fails
  }

  private mutating func explainUnevaluated(_ left: [Int], _ branch: Branch, _ value: JSON) -> Outcome {
    let left = Set(left)
    var outcome = Outcome.fits
    for (position, child) in value.children.enumerated() where left.contains(child.value.index) {
      let step: FailurePath.Step = child.key.map { .key($0.text) } ?? .position(position)
      outcome = outcome.and(explainChild(step, branch, child.value, as: child.key == nil ? .value : .member))
      if isFull { break }
    }
    return outcome
  }
}

extension JSON {
  /// The elements, or the values of the members with their keys.
  fileprivate var children: [(key: JSON?, value: JSON)] {
    isObject ? members.map { ($0.key, $0.value) } : elements.map { (nil, $0) }
  }
}

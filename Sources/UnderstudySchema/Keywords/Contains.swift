/// `contains`, `minContains` and `maxContains`.
extension Compiler {
  mutating func compileContains(_ schema: SchemaContext) {
    guard let node = schema[.contains] else { return }
    let plan = ContainsPlan(
      branch: child(node, of: schema), minimum: bound(.minContains, in: schema) ?? 1,
      maximum: bound(.maxContains, in: schema) ?? .max,
      marks: schema.marks && schema.dialect.has(.containsEvaluates))
    builder.contains.append(plan)
    emit(.contains, .array, UInt32(builder.contains.count - 1), at: node, in: schema)
  }
}

extension Evaluator {
  func contains(_ id: UInt32, _ index: Int) -> Bool {
    let plan = program.contains.base[Int(id)]
    guard affords(Int(nodes[index].count >> 4)) else { return false }
    var found: UInt32 = 0
    var element = index + 1
    for _ in 0..<nodes[index].count {
      if apply(plan.branch, element) {
        found &+= 1
        if found > plan.maximum { return false }
        if plan.marks { note(element) }
        if found >= plan.minimum, plan.maximum == .max, !plan.marks { return true }
      }
      element = end(of: element)
    }
    return found >= plan.minimum
  }
}

extension FailureCollector {
  mutating func containsFailure(_ instruction: Instruction, _ value: JSON) -> KeywordFailure {
    let plan = program.contains.base[Int(instruction.a)]
    let node = origin(instruction)
    var found = 0
    for element in value.elements where ask({ $0.apply(plan.branch, element.index) }) == .fits {
      found += 1
      if metered.isSpent { break }
    }
    let schema = Wording.summary(node)
    func elements(_ count: Int) -> String {
      "\(Wording.count(count, "element")) that \(count == 1 ? "fits" : "fit") \(schema)"
    }
    if found < Int(plan.minimum) {
      let bound = node.sibling("minContains")
      return KeywordFailure(
        bound == nil ? "contains" : "minContains",
        "expected at least \(elements(Int(plan.minimum))), found \(found)", at: bound)
    }
    return KeywordFailure(
      "maxContains", "expected at most \(elements(Int(plan.maximum))), found \(found)", at: node.sibling("maxContains"))
  }
}

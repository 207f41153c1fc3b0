/// Reads the keywords of a choice's branches that apply to the value itself, including those of references and `allOf`.
struct BranchReader {
  let evaluator: Evaluator
  private var program: Program { evaluator.program }

  /// The most instructions of one branch to read, and the most blocks, as some are empty.
  private static let reach = 200

  init(_ evaluator: Evaluator) { self.evaluator = evaluator }

  /// The instructions that apply to the value itself.
  func direct(_ branch: Branch) -> [Instruction] {
    var pending = [branch.wholeStart..<branch.end]
    var instructions: [Instruction] = []
    var blocks = 0
    while blocks < Self.reach, let range = pending.popLast() {
      blocks += 1
      for position in range {
        guard instructions.count < Self.reach, pending.count < Self.reach else { return instructions }
        let instruction = program.code.base[Int(position)]
        if instruction.operation == .call {
          pending.append(instruction.a..<instruction.b)
        } else {
          instructions.append(instruction)
        }
      }
    }
    return instructions
  }

  /// Whether an instruction is an `enum` or `const` that does not list a simple value.
  func excludes(_ instruction: Instruction, _ index: Int) -> Bool {
    guard instruction.operation == .enumeration, case let kind = evaluator.nodes[index].kind,
      kind != .object, kind != .array, !instruction.applies.isDisjoint(with: JSONTypeSet(kind))
    else { return false }
    return !evaluator.isEnumerated(instruction.a, index)
  }

  /// The values that a branch allows for a property by `const` or `enum`; `nil` without these.
  func fixedValues(_ branch: Branch, _ property: String) -> [JSON]? {
    for instruction in direct(branch) where instruction.operation == .members {
      let plan = program.objects.base[Int(instruction.a)]
      guard let position = evaluator.position(of: property, plan), case let entry = program.entries.base[position],
        entry.isDeclared, let fixing = direct(entry.branch).first(where: { $0.operation == .enumeration })
      else { continue }
      let node = program.origin(fixing.origin)
      return fixing.flags.contains(.isConst) ? [node] : Array(node.elements.prefix(Self.reach))
    }
    return nil
  }

  /// Some of the properties that a branch declares for the value itself.
  func names(_ branch: Branch) -> [String] {
    let schemas = direct(branch).lazy.filter { $0.operation == .members }.map { program.origin($0.origin) }
    let names = schemas.flatMap { $0["properties"]?.members.prefix(Self.reach).map(\.name) ?? [] }
    return Array(names.prefix(Self.reach))
  }

  /// The allowed types, if every branch refuses the type of the value.
  func kindsAlone(_ branches: [Branch], _ value: JSON) -> JSONTypeSet? {
    var kinds: JSONTypeSet = []
    for branch in branches {
      guard branch.kinds != .any, !evaluator.admits(branch.kinds, value.index) else { return nil }
      kinds.formUnion(branch.kinds)
    }
    return kinds
  }

  /// The names, if each branch requires only one property, which is missing.
  func missingAlone(_ branches: [Branch], _ value: JSON) -> [String]? {
    guard value.isObject else { return nil }
    var names: [String] = []
    for branch in branches {
      guard branch.end == branch.start + 1, case let instruction = program.code.base[Int(branch.start)],
        instruction.operation == .members
      else { return nil }
      let plan = program.objects.base[Int(instruction.a)]
      let schema = program.origin(instruction.origin)
      let required = evaluator.requiredNames(plan, schema)
      guard schema["properties"]?.members.count ?? 0 == 0, plan.patternCount == 0, !plan.hasAdditional,
        required.count == 1
      else { return nil }
      names.append(required[0].text)
    }
    return names
  }
}

import SourceText

/// What can be seen of a branch at a glance: what the value itself and its direct members break in it.
struct BranchGlance {
  static let wrongType = 1_000_000
  static let wrongTag = 1_000
  static let missing = 3

  /// Failures of the value's own type, and the like.
  var wrongTypes = 0
  /// Values that `const` or `enum` rules out, of the value or a member.
  var wrongTags = 0
  /// Other failures, by their weight.
  var others = 0

  /// More than 0 when the value cannot fit.
  var distance: Int { wrongTypes * Self.wrongType + wrongTags * Self.wrongTag + others }

  /// Whether it is farther off in what counts most.
  func isFarther(than other: Self) -> Bool {
    (wrongTypes, wrongTags) > (other.wrongTypes, other.wrongTags)
  }
}

extension Explainer {
  /// Instructions that are looked at for one branch, and blocks of them, as there are empty ones.
  private static let reach = 200

  /// The instructions that hold for the value itself, references and `allOf` followed.
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

  /// - Parameter memberLimit: Members of the value that are looked at; with more, none counts as missing.
  func glance(_ branch: Branch, _ value: JSON, memberLimit: Int) -> BranchGlance {
    var glance = BranchGlance()
    let kind = Kinds(value.kind)
    for instruction in direct(branch) where !instruction.applies.isDisjoint(with: kind) {
      switch instruction.operation {
      case .fail: glance.wrongTypes += 1
      case .types:
        let kinds = Kinds(rawValue: UInt8(truncatingIfNeeded: instruction.a))
        if !evaluator.admits(kinds, value.index) { glance.wrongTypes += 1 }
      case .enumeration: if isRuledOut(value.index, instruction) { glance.wrongTags += 1 }
      case .members: look(instruction, value, memberLimit, &glance)
      default: break
      }
    }
    return glance
  }

  private func look(_ instruction: Instruction, _ value: JSON, _ memberLimit: Int, _ glance: inout BranchGlance) {
    let plan = program.objects.base[Int(instruction.a)]
    let isClosed =
      plan.hasAdditional && plan.patternCount == 0 && program.branches.base[Int(plan.additional)].isFalse
    var required = 0
    for member in value.members.prefix(memberLimit) {
      guard let position = position(of: member.key, plan) else {
        if isClosed { glance.others += 1 }
        continue
      }
      let entry = program.entries.base[position]
      if entry.isRequired { required += 1 }
      guard entry.isDeclared else {
        if isClosed { glance.others += 1 }
        continue
      }
      if !evaluator.admits(entry.branch.kinds, member.value.index) {
        glance.others += 1
      } else if direct(entry.branch).contains(where: { isRuledOut(member.value.index, $0) }) {
        glance.wrongTags += 1
      }
    }
    if value.count <= memberLimit { glance.others += (Int(plan.requiredCount) - required) * BranchGlance.missing }
  }

  /// Whether an instruction is an `enum` or `const` that a simple value is not in.
  private func isRuledOut(_ index: Int, _ instruction: Instruction) -> Bool {
    guard instruction.operation == .enumeration, case let kind = evaluator.nodes[index].kind,
      kind != .object, kind != .array, !instruction.applies.isDisjoint(with: Kinds(kind))
    else { return false }
    return !evaluator.isEnumerated(instruction.a, index)
  }

  /// The values that a branch allows for a property, where it fixes them by `const` or `enum`.
  func fixedValues(_ branch: Branch, _ property: String) -> [JSON]? {
    for instruction in direct(branch) where instruction.operation == .members {
      let plan = program.objects.base[Int(instruction.a)]
      guard let position = position(of: property, plan), case let entry = program.entries.base[position],
        entry.isDeclared, let fixing = direct(entry.branch).first(where: { $0.operation == .enumeration })
      else { continue }
      let node = origin(fixing)
      return fixing.flags.contains(.isConst) ? [node] : Array(node.elements.prefix(Self.reach))
    }
    return nil
  }

  /// The names that a schema declares for the value itself, references and `allOf` followed; some of them.
  func directNames(_ branch: Branch) -> [String] {
    let schemas = direct(branch).lazy.filter { $0.operation == .members }.map(origin)
    return Array(schemas.flatMap { declaredNames($0, limit: Self.reach) }.prefix(Self.reach))
  }
}

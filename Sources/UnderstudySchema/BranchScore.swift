/// The distance of a value from a branch of a choice, by the value itself and its direct members.
struct BranchScore {
  private static let wrongType = 1_000_000
  private static let wrongTag = 1_000
  private static let missing = 3

  /// Failures of the type of the value, and `false`.
  private var wrongTypes = 0
  /// Failures of `const` or `enum` by the value or a member.
  private var wrongTags = 0
  /// Other failures, by their weight.
  private(set) var others = 0

  /// More than 0 if the value cannot fit.
  var distance: Int { wrongTypes * Self.wrongType + wrongTags * Self.wrongTag + others }

  /// Whether the distance is larger by types and tags.
  func isFarther(than other: Self) -> Bool {
    (wrongTypes, wrongTags) > (other.wrongTypes, other.wrongTags)
  }

  /// The weight of a failure: a wrong type of the value itself counts most, then a wrong tag of a member.
  static func weight(of operation: Instruction.Operation, depth: Int, isMissing: Bool) -> Int {
    switch operation {
    case .types where depth == 0: wrongType
    case .enumeration where depth <= 1: wrongTag
    default: isMissing ? missing : 1
    }
  }

  /// - Parameter memberLimit: The most members to read; in a value with more of them, none counts as missing.
  init(_ branch: Branch, _ value: JSON, memberLimit: Int, _ reader: BranchReader) {
    let evaluator = reader.evaluator
    let kind = JSONTypeSet(value.kind)
    for instruction in reader.direct(branch) where !instruction.applies.isDisjoint(with: kind) {
      switch instruction.operation {
      case .fail: wrongTypes += 1
      case .types:
        let kinds = JSONTypeSet(rawValue: UInt8(truncatingIfNeeded: instruction.a))
        if !evaluator.admits(kinds, value.index) { wrongTypes += 1 }
      case .enumeration: if reader.excludes(instruction, value.index) { wrongTags += 1 }
      case .members: addMembers(instruction, value, memberLimit, reader)
      default: break
      }
    }
  }

  private mutating func addMembers(_ instruction: Instruction, _ value: JSON, _ limit: Int, _ reader: BranchReader) {
    let program = reader.evaluator.program
    let plan = program.objects.base[Int(instruction.a)]
    let isClosed =
      plan.hasAdditional && plan.patternCount == 0 && program.branches.base[Int(plan.additional)].isFalse
    var required = 0
    for member in value.members.prefix(limit) {
      let entry = reader.evaluator.position(of: member.key, plan).map { program.entries.base[$0] }
      if entry?.isRequired == true { required += 1 }
      guard let entry, entry.isDeclared else {
        if isClosed { others += 1 }
        continue
      }
      if !reader.evaluator.admits(entry.branch.kinds, member.value.index) {
        others += 1
      } else if reader.direct(entry.branch).contains(where: { reader.excludes($0, member.value.index) }) {
        wrongTags += 1
      }
    }
    if value.count <= limit { others += (Int(plan.requiredCount) - required) * Self.missing }
  }
}

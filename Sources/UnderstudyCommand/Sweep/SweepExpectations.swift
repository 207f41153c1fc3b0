import UnderstudyVerification

/// What a command should do with each variant: the file of `--expect-file`.
///
/// ```yaml
/// "*":
///   html: fails
///   status 5XX: fails
/// readUser:
///   status 401: 3
///   required-null /nick: passes
///   slow: {exit: passes, within: 3s, output: ready, next: [refreshToken]}
/// ```
struct SweepExpectations: Sendable {
  private struct Line: Sendable {
    let operation: String
    let variant: String
    let expectation: SweepExpectation
  }

  private var lines: [Line] = []

  init() {}

  /// The expectation of a row: that of its operation before that of `*`, of its name before that of its kind.
  func expectation(of row: SweepRow) -> SweepExpectation? {
    let names = [row.variant, Self.range(of: row), row.kind.rawValue].compactMap(\.self)
    for operation in [row.operation, "*"] {
      for name in names {
        if let line = lines.last(where: { $0.operation.utf8Equals(operation) && $0.variant.utf8Equals(name) }) {
          return line.expectation
        }
      }
      // `status 401` also names `status 401 firebaseTokenError`.
      if let line = lines.last(where: {
        $0.operation.utf8Equals(operation) && row.variant.hasPrefix("\($0.variant) ") && $0.variant != row.kind.rawValue
      }) {
        return line.expectation
      }
    }
    return nil
  }

  /// `status 5XX`
  private static func range(of row: SweepRow) -> String? { row.status.map { "status \($0 / 100)XX" } }

  /// - Parameter operations: The ids of the contract's operations.
  static func read(_ path: String, _ operations: [String]) throws -> SweepExpectations {
    do {
      let document = try TextDocument.read(try FileSystem.read(path))
      return try SweepExpectations(document.root, operations)
    } catch let problem as FileProblem {
      throw CommandFailure(.usage, "\(path): \(problem.message)", help: problem.help)
    } catch let problem as TextProblem {
      throw CommandFailure(.usage, "\(path): \(problem.message)", help: problem.help)
    } catch let problem as UsageProblem {
      throw CommandFailure(.usage, "\(path): \(problem.message)", help: problem.help)
    }
  }

  private init(_ root: JSON, _ operations: [String]) throws(UsageProblem) {
    let kinds = SweepCase.Kind.allCases.map(\.rawValue)
    var findings = MappingReader(.configInvalid)
    guard findings.isMapping(root, "a mapping of operations to variants") else {
      throw UsageProblem(
        message: findings.all[0].message,
        help: "as in `\"*\": {html: fails}`")
    }
    for operation in root.members {
      guard operation.name == "*" || operations.contains(where: { $0.utf8Equals(operation.name) }) else {
        throw UsageProblem(
          message: "`\(VisibleText.shortened(operation.name, to: 40))` is not an operation of the contract",
          help: Suggestion.phrase(for: operation.name, among: operations) ?? "`*` stands for every operation")
      }
      for member in operation.value.members {
        let kind = member.name.prefix { $0 != " " }
        guard kinds.contains(String(kind)) else {
          throw UsageProblem(
            message: "unknown variant `\(member.name)`",
            help: Suggestion.help(for: String(kind), among: kinds))
        }
        let expectation = try Self.expectation(member, operations)
        lines.append(Line(operation: operation.name, variant: member.name, expectation: expectation))
      }
    }
  }

  private static let keys = ["exit", "output", "next", "within"]

  private static func expectation(
    _ member: JSON.Member, _ operations: [String]
  ) throws(UsageProblem)
    -> SweepExpectation
  {
    guard member.value.isObject else {
      return SweepExpectation(end: try end(member.value, of: member.name))
    }
    var findings = MappingReader(.configInvalid)
    findings.checkKeys(of: member.value, keys)
    if let unknown = findings.all.first { throw UsageProblem(message: unknown.message, help: unknown.help ?? "") }
    var expectation = SweepExpectation()
    for part in member.value.members {
      switch part.name {
      case "exit": expectation.end = try end(part.value, of: member.name)
      case "output" where part.value.isString: expectation.output = part.value.text
      case "next" where part.value.isArray:
        expectation.next = try part.value.elements.map { (element) throws(UsageProblem) in
          try next(element.text, among: operations)
        }
      case "within":
        guard let limit = Duration(text: part.value.text) else { fallthrough }
        expectation.limit = limit
      default:
        throw UsageProblem(
          message:
            "`\(part.name)` of `\(member.name)` is `\(VisibleText.shortened(JSONWriter.text(part.value), to: 40))`",
          help: "expected a text as `output`, a list of operations as `next`, a duration such as 3s as `within`")
      }
    }
    return expectation
  }

  private static func end(_ value: JSON, of variant: String) throws(UsageProblem) -> SweepExpectation.End {
    if value.isString || value.kind == .number, let end = SweepExpectation.End(value.text) { return end }
    throw UsageProblem(
      message: "`\(variant)` expects `\(VisibleText.shortened(JSONWriter.text(value), to: 40))`",
      help: "expected passes, fails, any or an exit code; or a mapping of exit, output, next and within")
  }

  /// `readUser` or `readUser x3`
  private static func next(_ text: String, among operations: [String]) throws(UsageProblem) -> String {
    let name = text.replacing(/\sx[0-9]+$/, with: "")
    // A request that reaches no operation has its method and path for a name.
    if operations.contains(where: { $0.utf8Equals(name) }) || name.contains(" /") { return text }
    throw UsageProblem(
      message: "`next` names `\(VisibleText.shortened(name, to: 40))`, which is not an operation of the contract",
      help: Suggestion.phrase(for: name, among: operations) ?? "as the table shows them: readUser, readUser x3")
  }
}

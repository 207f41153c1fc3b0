import Understudy

/// What a command should do with each variant: the file of `--expect-file`.
///
/// ```yaml
/// "*":
///   html: fails
///   status 5XX: fails
/// readUser:
///   status 401: 3
///   required-null /nick: passes
/// ```
struct SweepExpectations: Sendable {
  /// What is expected of a run.
  enum End: Sendable, Equatable {
    case passes, fails, any
    case exits(Int)

    init?(_ text: String) {
      switch text {
      case "passes": self = .passes
      case "fails": self = .fails
      case "any": self = .any
      default:
        guard let code = Int(text), 0...255 ~= code else { return nil }
        self = .exits(code)
      }
    }

    /// For messages: `a failure`.
    var phrase: String {
      switch self {
      case .passes: "expected exit code 0"
      case .fails: "expected an exit code other than 0"
      case .exits(let code): "expected exit code \(code)"
      case .any: "expected any end"
      }
    }

    func accepts(_ outcome: SweepRow.Outcome) -> Bool {
      switch (self, outcome) {
      case (.any, _), (.passes, .exited(0, _)): true
      case (.fails, .exited(let code, _)): code != 0
      case (.exits(let expected), .exited(let code, _)): code == expected
      default: false
      }
    }
  }

  private struct Line: Sendable {
    let operation: String
    let variant: String
    let end: End
  }

  private var lines: [Line] = []

  init() {}

  /// The expectation of a row: that of its operation before that of `*`, of its name before that of its kind.
  func end(of row: SweepRow) -> End? {
    let names = [row.variant, Self.range(of: row), row.kind.rawValue].compactMap(\.self)
    for operation in [row.operation, "*"] {
      for name in names {
        if let line = lines.last(where: { $0.operation.utf8Equals(operation) && $0.variant.utf8Equals(name) }) {
          return line.end
        }
      }
      // `status 401` also names `status 401 firebaseTokenError`.
      if let line = lines.last(where: {
        $0.operation.utf8Equals(operation) && row.variant.hasPrefix("\($0.variant) ") && $0.variant != row.kind.rawValue
      }) {
        return line.end
      }
    }
    return nil
  }

  /// `status 5XX`
  private static func range(of row: SweepRow) -> String? {
    guard row.kind == .status, let digit = row.variant.split(separator: " ").dropFirst().first?.first else {
      return nil
    }
    return "status \(digit)XX"
  }

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
    let kinds = SweepVariant.Kind.allCases.map(\.rawValue)
    guard root.isObject else {
      throw UsageProblem(
        message: "expected a mapping of operations to variants, found \(root.kindName)",
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
            help: Suggestion.phrase(for: String(kind), among: kinds) ?? "known: \(kinds.joined(separator: ", "))")
        }
        let value = member.value.isString || member.value.kind == .number ? member.value.text : ""
        guard let end = End(value) else {
          throw UsageProblem(
            message: "`\(member.name)` expects `\(VisibleText.shortened(JSONWriter.text(member.value), to: 40))`",
            help: "expected passes, fails, any or an exit code")
        }
        lines.append(Line(operation: operation.name, variant: member.name, end: end))
      }
    }
  }
}

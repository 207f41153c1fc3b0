import UnderstudyVerification

/// What a command should do with an answer.
struct SweepExpectation: Sendable {
  /// How it should end; `nil` where the rules of every sweep decide.
  var end: End?
  /// A part of its output.
  var output: String?
  /// What it should send next, as the table shows it.
  var next: [String]?
  /// The longest run.
  var limit: Duration?

  /// How a command ends.
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

    /// For messages: `expected exit code 3`.
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

  /// What a run did not do, one sentence each.
  func problems(of run: CommandRun) -> [String] {
    var problems: [String] = []
    if let end, !end.accepts(run.row.outcome) {
      problems.append("\(end.phrase), found \(run.row.outcome)\(run.sentNext)")
    }
    if let output, !run.output.contains(output) {
      problems.append("expected `\(VisibleText.line(output))` in its output, found \(run.row.outcome)")
    }
    if let next, next != run.row.next {
      func text(_ names: [String]) -> String { names.isEmpty ? "nothing" : names.joined(separator: ", ") }
      problems.append("expected that it then sends \(text(next)), found \(text(run.row.next))")
    }
    if let limit, run.duration > limit {
      problems.append("expected an end within \(limit.faultText), found one after \(run.duration.shortText)")
    }
    return problems
  }
}

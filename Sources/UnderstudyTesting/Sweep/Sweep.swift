import Understudy

/// What a client did with every answer that it can get.
public struct Sweep: Sendable, CustomStringConvertible {
  /// One row for each answer, in the order of the runs.
  public let rows: [Row]
  private let table: SweepTable
  private let issues: IssueLog
  private let counted: Coverage

  /// One answer and what the client did with it.
  public struct Row: Sendable, CustomStringConvertible {
    /// The operation that answered so.
    public let operation: String
    /// `status 401 firebaseTokenError`, `required-null /nick`, `html`.
    public let variant: String
    /// `status`, `required-null`, `html`.
    public let kind: String
    /// How the client ended.
    public let outcome: Outcome
    /// The operations that it called next: `refreshToken`, `readUser x3`.
    public let next: [String]
    /// The number of requests that it sent next.
    public let requestsAfter: Int
    let isUnusable: Bool

    /// How a client ended.
    public enum Outcome: Sendable, Hashable {
      /// It returned a value.
      case returned(String)
      /// It threw an error.
      case threw(String)
      /// It did not end within the limit.
      case hung
      /// It ended its child process: `SIGILL` or `exit 1`, with the last line that it wrote.
      case crashed(signal: String, message: String)
    }

    /// `readUser required-null /nick`
    public var description: String { "\(operation) \(variant)" }

    /// The status of a documented answer.
    public var status: Int? {
      kind == "status" ? variant.split(separator: " ").dropFirst().first.flatMap { Int($0) } : nil
    }
  }

  init(_ outcomes: [SweepOutcome], of session: Session) {
    table = SweepTable(outcomes.map(\.row))
    issues = session.issues
    var coverage = SweepCoverage(session.mock.contracts.map(\.compiled))
    for outcome in outcomes { coverage.count(outcome.exchanges) }
    counted = coverage.coverage
    rows = outcomes.map(\.row).map { row in
      let outcome: Row.Outcome =
        switch row.outcome {
        case .returned(let value): .returned(value)
        case .threw(let error): .threw(error)
        case .crashed(let signal, let line): .crashed(signal: signal, message: line)
        case .hung, .exited: .hung
        }
      return Row(
        operation: row.operation, variant: row.variant, kind: row.kind.rawValue, outcome: outcome, next: row.next,
        requestsAfter: row.followers, isUnusable: row.isUnusable)
    }
  }

  /// The cells that the client was answered with, as `understudy coverage` shows them.
  public var coverage: String { CoverageMatrix(counted, style: .plain).text }

  /// The table: one line for each answer, and the counts.
  public var description: String { table.text }

  /// The row of a variant: `sweep["readUser", "status 401"]`; a shorter name is enough if it names one.
  public subscript(operation: String, variant: String) -> Row? {
    let own = rows.filter { $0.operation == operation }
    if let exact = own.first(where: { $0.variant == variant }) { return exact }
    let similar = own.filter { $0.variant.hasPrefix("\(variant) ") }
    return similar.count == 1 ? similar[0] : nil
  }

  /// Fails the test for every row that an expectation refuses, with the table attached.
  ///
  /// - Parameters:
  ///   - expectations: What the client should do: `.noCrash`, `.noHang`, `.throwsFor(500...599)`, ...
  ///   - baseline: A file beside the test with the names of rows that are known to fail, one a line, which do not fail
  ///     again. A row in it that no longer fails is reported, so that the file shrinks.
  ///   - filePath: The file of the test.
  ///   - sourceLocation: The line of the test, for failures.
  public func expect(
    _ expectations: Expectation..., baseline: String? = nil, filePath: String = #filePath,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var known: Set<String> = []
    if let baseline {
      let path = baseline.hasPrefix("/") ? baseline : Path.join(Path.folder(of: filePath), baseline)
      do throws(FileProblem) {
        let text = String(decoding: try FileSystem.read(path).bytes, as: UTF8.self)
        known = Set(text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") })
      } catch {
        return issues.report("the baseline \(path) cannot be read: \(error.message)", at: sourceLocation)
      }
    }
    var lines: [String] = []
    var failed: Set<String> = []
    for row in rows {
      for expectation in expectations where !expectation.accepts(row) {
        if failed.insert(row.description).inserted, !known.contains(row.description) {
          lines.append("  \(row): \(expectation.name), but it \(row.outcome)\(row.sentNext)")
        }
      }
    }
    for name in known.subtracting(failed).sorted() {
      lines.append("  \(name): is in the baseline, but no longer fails")
    }
    guard !lines.isEmpty else { return }
    issues.report(
      "\(lines.count.counted("row")) of the sweep \(lines.count == 1 ? "fails" : "fail"):\n"
        + lines.joined(separator: "\n"),
      at: sourceLocation, attachments: [("sweep.txt", description)])
  }
}

extension Sweep.Row {
  var sentNext: String { next.isEmpty ? "" : ", then sent \(next.joined(separator: ", "))" }
}

extension Sweep.Row.Outcome: CustomStringConvertible {
  fileprivate var isError: Bool { if case .threw = self { true } else { false } }

  /// `returned User(...)`
  public var description: String {
    switch self {
    case .returned(let value): value.isEmpty ? "returned" : "returned \(value)"
    case .threw(let error): "threw \(error)"
    case .hung: "hung"
    case .crashed(let signal, let message): "crashed (\(signal))" + (message.isEmpty ? "" : ": \(message)")
    }
  }
}

extension Sweep {
  /// What a client should do with some answers.
  public struct Expectation: Sendable {
    /// `expected an error`
    let name: String
    let accepts: @Sendable (Row) -> Bool

    /// No run ends its process. Without `inChildProcesses` a crash ends the tests instead.
    public static let noCrash = Expectation(name: "expected no crash") { row in
      if case .crashed = row.outcome { false } else { true }
    }

    /// Every run ends within the limit.
    public static let noHang = Expectation(name: "expected an end within the limit") { $0.outcome != .hung }

    /// Answers of which nothing can be used throw: pages and empty or truncated bodies in place of data, and broken
    /// connections.
    public static let nothingSwallowed = Expectation(name: "expected an error") { row in
      guard row.isUnusable, case .returned = row.outcome else { return true }
      return false
    }

    /// The documented statuses of a range throw.
    public static func throwsFor(_ statuses: ClosedRange<Int>) -> Expectation {
      Expectation(name: "expected an error") { row in
        guard let status = row.status, statuses.contains(status) else { return true }
        return row.outcome.isError
      }
    }

    /// Variants of these kinds throw: `.throwsFor("html", "required-null")`.
    public static func throwsFor(_ kinds: String...) -> Expectation {
      Expectation(name: "expected an error") { row in
        !kinds.contains(row.kind) || row.outcome.isError
      }
    }

    /// Variants of these kinds do not throw: `.returnsFor("additional-member")`.
    public static func returnsFor(_ kinds: String...) -> Expectation {
      Expectation(name: "expected a value") { row in
        guard kinds.contains(row.kind) else { return true }
        if case .returned = row.outcome { return true }
        return false
      }
    }

    /// The client calls an operation at most so often after one answer, so that it ends a loop of retries.
    public static func callsAtMost(_ limit: Int) -> Expectation {
      Expectation(name: "expected at most \(limit) further requests") { row in
        row.requestsAfter <= limit
      }
    }
  }
}

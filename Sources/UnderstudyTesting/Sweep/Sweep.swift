import UnderstudyReport

/// What a client did with every answer that it can get.
public struct Sweep: Sendable, CustomStringConvertible {
  /// One row for each answer, in the order of the runs.
  public let rows: [Row]
  private let table: SweepTable
  private let issues: IssueLog
  private let run: Report.Run
  private let counted: Coverage

  /// One answer and what the client did with it.
  public struct Row: Sendable, CustomStringConvertible {
    /// The operation that answered so.
    public let operation: String
    /// `status 401 firebaseTokenError`, `required-null /nick`, `html`.
    public let variant: String
    /// `status`, `required-null`, `html`.
    public let kind: String
    /// The code of a documented answer, such as the one that was sent for `4XX` or `default`; `nil` for a hostile one.
    public let status: Int?
    /// How the client ended.
    public let outcome: Outcome
    /// The operations that it called next: `refreshToken`, `readUser x3`.
    public let next: [String]
    /// The number of requests that it sent next.
    public let requestsAfter: Int
    /// What its requests break: `sendChat: the property `chat` is missing [req.body.schema]`.
    public let violations: [String]
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
  }

  init(_ outcomes: [SweepOutcome], of session: Session, _ run: Report.Run) {
    self.run = run
    table = SweepTable(outcomes.map(\.row))
    issues = session.issues
    var coverage = SweepCoverage(session.mock.contracts.map(\.compiled))
    for outcome in outcomes { coverage.count(outcome.exchanges) }
    counted = coverage.coverage
    rows = outcomes.map { swept in
      let row = swept.row
      let violations = swept.exchanges.flatMap { exchange in
        exchange.violations.filter { !session.isAllowed($0.rule.id) }.map {
          "\(exchange.name): \($0.placedMessage) [\($0.rule.id)]"
        }
      }
      let outcome: Row.Outcome =
        switch row.outcome {
        case .returned(let value): .returned(value)
        case .threw(let error): .threw(error)
        case .crashed(let signal, let line): .crashed(signal: signal, message: line)
        case .hung, .exited: .hung
        }
      return Row(
        operation: row.operation, variant: row.variant, kind: row.kind.rawValue, status: row.status, outcome: outcome,
        next: row.next, requestsAfter: row.followers, violations: violations.unique(), isUnusable: row.isUnusable)
    }
  }

  /// The cells that the client was answered with, as `understudy coverage` shows them.
  public var coverage: String { CoverageMatrix(counted, style: .plain).text }

  /// The same as a JSON report, for `understudy coverage merge`.
  ///
  /// Where the environment variable `UNDERSTUDY_COVERAGE` names a folder, each sweep writes it to a file there.
  public var coverageReport: String {
    var report = Report(run)
    report.coverage = counted
    return JSONReport.text(report, ReportContext(allowsEmpty: true))
  }

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
    let kinds = SweepCase.Kind.allCases.map(\.rawValue)
    for kind in expectations.flatMap(\.kinds) where !kinds.contains(kind) {
      let help = Suggestion.help(for: kind, among: kinds)
      issues.report("a sweep has no variant `\(kind)`\n  help: \(help)", at: sourceLocation)
    }
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
          let broken = row.violations.isEmpty ? "" : "; \(row.violations.joined(separator: "; "))"
          lines.append("  \(row): \(expectation.name), but it \(row.outcome)\(row.sentNext)\(broken)")
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
  var isError: Bool { if case .threw = self { true } else { false } }

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

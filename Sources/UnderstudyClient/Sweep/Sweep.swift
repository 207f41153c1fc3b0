package import Foundation

/// The table of a client: its behaviour with every response that it can get.
public struct Sweep: Sendable, CustomStringConvertible {
  /// One row for each response or event, in the order of the runs.
  public let rows: [Row]
  /// The kinds that a sweep can have.
  private let kinds: [String]
  package let issues: IssueLog
  package let record: Record

  init(_ rows: [Row], _ kinds: [String], _ issues: IssueLog, _ record: Record) {
    (self.rows, self.kinds, self.issues, self.record) = (rows, kinds, issues, record)
  }

  /// When and where a sweep ran, and the cells that its client got.
  package struct Record: Sendable {
    package let seed: String
    package let startedAt: Date
    package let duration: Duration
    package let location: SourceLocation
    package let cells: [JSONValue]
    package let mock: RunningMock
  }

  /// A kind of variants: `"status"`, `"required-null"`, `"html"`.
  public struct Kind: Sendable, Hashable, ExpressibleByStringLiteral {
    let name: String

    /// Creates a kind by its name; `expect` refuses unknown names with a suggestion.
    public init(stringLiteral name: String) { self.name = name }
  }

  /// One response or event, and what the client did with it.
  public struct Row: Sendable, CustomStringConvertible {
    /// The operation with this response: `readUser`; for events of sockets `EVENT chat`.
    public let operation: String
    /// `status 401 firebaseTokenError`, `required-null /nick`, `html`.
    public let variant: String
    /// `status`, `required-null`, `html`.
    public let kind: Kind
    /// The status code of a documented response, also for `4XX` and `default`; `nil` for a hostile response.
    public let status: Int?
    /// How the client ended.
    public let outcome: Outcome
    /// The operations that it called next: `refreshToken`, `readUser x3`.
    public let next: [String]
    /// What its requests break: `sendChat: the property `chat` is missing [req.body.schema]`.
    public let violations: [String]
    /// The number of requests that it sent next.
    let requestsAfter: Int
    let isUnusable: Bool

    /// - Parameters:
    ///   - report: The report of the mock about the requests of the run.
    ///   - rules: The rules whose findings are accepted.
    init(_ variant: SweepVariant, _ outcome: Outcome, _ report: JSONValue, allowing rules: Set<String>) {
      operation = variant.operation
      self.variant = variant.name
      (kind, status, isUnusable) = (variant.kind, variant.status, variant.isUnusable)
      self.outcome = outcome
      next = (report["next"]?.array ?? []).compactMap(\.string)
      requestsAfter = report["requestsAfter"]?.int ?? 0
      violations = (report["violations"]?.array ?? []).compactMap { violation in
        violation["rule"]?.string.map(rules.contains) == true ? nil : violation["message"]?.string
      }
    }

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

  /// The row of a variant by its whole name: `try sweep["readUser", "required-null /nick"]`.
  ///
  /// - Throws: `UnderstudyError` without such a row, with similar ones.
  public subscript(operation: String, variant: String) -> Row {
    get throws {
      let name = "\(operation) \(variant)"
      if let row = rows.first(where: { $0.description == name }) { return row }
      let known = rows.map(\.description)
      let near = known.filter { $0.hasPrefix("\(name) ") } + [Similar.name(to: name, among: known)].compactMap { $0 }
      throw UnderstudyError(
        .misused, "the sweep has no row `\(name)`",
        help: near.isEmpty ? "it has \(known.joined(separator: ", "))" : "did you mean `\(near[0])`?")
    }
  }

  /// The maximum length of an outcome in the table, in characters.
  private static let outcomeLimit = 60

  /// The table: a line for each row, below the name of its operation, and the counts.
  public var description: String {
    let width = rows.map(\.variant.count).max() ?? 0
    var text = ""
    var operation: String?
    for row in rows {
      if row.operation != operation { text += "\(operation == nil ? "" : "\n")\(row.operation)\n" }
      operation = row.operation
      let outcome = row.outcome.text.split(whereSeparator: \.isNewline).joined(separator: " ")
      let shown = outcome.count > Self.outcomeLimit ? outcome.prefix(Self.outcomeLimit - 1) + "…" : outcome
      let space = String(repeating: " ", count: width - row.variant.count)
      text += "  \(row.variant)\(space)  \(shown)\(row.sentNext)\n"
    }
    let groups = Dictionary(grouping: rows, by: \.outcome.group).mapValues(\.count).sorted { $0.key < $1.key }
    return text + "\n\(rows.count) \(rows.count == 1 ? "variant" : "variants"): "
      + groups.map { "\($0.value) \($0.key)" }.joined(separator: ", ") + "\n"
  }

  /// Fails the test for every row that an expectation refuses, with the table attached.
  ///
  /// - Parameters:
  ///   - expectations: What the client should do: `.noHang`, `.throwsFor(500...599)`, ...
  ///   - sourceLocation: The line of the test, for failures.
  /// - Throws: `UnderstudyError` with these rows.
  public func expect(
    _ expectations: Expectation...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try expect(expectations, at: sourceLocation)
  }

  /// - Parameter known: The names of rows that are known to fail. One that does not fail is a failure.
  package func expect(
    _ expectations: [Expectation], known: Set<String> = [], at sourceLocation: SourceLocation
  ) throws {
    for kind in expectations.flatMap(\.kinds).map(\.name) where !kinds.contains(kind) {
      let help = Similar.name(to: kind, among: kinds).map { "did you mean `\($0)`?" }
      throw issues.failure(
        .misused, "a sweep has no variant `\(kind)`\n  help: \(help ?? "it has \(kinds.joined(separator: ", "))")",
        at: sourceLocation)
    }
    let failed = rows.compactMap { row in expectations.first { !$0.accepts(row) }.map { (row, $0.name) } }
    var lines = failed.filter { !known.contains($0.0.description) }.map { row, expected in
      let violations = row.violations.isEmpty ? "" : "; \(row.violations.joined(separator: "; "))"
      return "  \(row): \(expected), but it \(row.outcome.text)\(row.sentNext)\(violations)"
    }
    lines += known.subtracting(failed.map(\.0.description)).sorted()
      .map { "  \($0): is in the baseline, but no longer fails" }
    guard !lines.isEmpty else { return }
    throw issues.failure(
      .failed,
      "\(lines.count) \(lines.count == 1 ? "row of the sweep fails" : "rows of the sweep fail"):\n"
        + lines.joined(separator: "\n"), at: sourceLocation, attaching: ("sweep.txt", description))
  }
}

extension Sweep.Row {
  var sentNext: String { next.isEmpty ? "" : ", then sent \(next.joined(separator: ", "))" }
}

extension Sweep.Row.Outcome {
  var isError: Bool { if case .threw = self { true } else { false } }
  var isValue: Bool { if case .returned = self { true } else { false } }

  /// `returned User(...)`
  package var text: String {
    switch self {
    case .returned(let value): value.isEmpty ? "returned" : "returned \(value)"
    case .threw(let error): "threw \(error)"
    case .hung: "hung"
    case .crashed(let signal, let message): "crashed (\(signal))" + (message.isEmpty ? "" : ": \(message)")
    }
  }

  /// `returned`
  fileprivate var group: String { String(text.prefix { $0 != " " }) }
}

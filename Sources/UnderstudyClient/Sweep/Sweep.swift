/// What a client did with every answer that it can get.
public struct Sweep: Sendable, CustomStringConvertible {
  /// One row for each answer, in the order of the runs.
  public let rows: [Row]
  private let issues: IssueLog

  init(_ rows: [Row], _ issues: IssueLog) {
    self.rows = rows
    self.issues = issues
  }

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
    }

    /// `readUser required-null /nick`
    public var description: String { "\(operation) \(variant)" }
  }

  /// The row of a variant: `sweep["readUser", "status 401"]`; a shorter name is enough if it names one.
  public subscript(operation: String, variant: String) -> Row? {
    let own = rows.filter { $0.operation == operation }
    if let exact = own.first(where: { $0.variant == variant }) { return exact }
    let similar = own.filter { $0.variant.hasPrefix("\(variant) ") }
    return similar.count == 1 ? similar[0] : nil
  }

  /// The table: one line for each answer.
  public var description: String {
    rows.map { "\($0): \($0.outcome)\($0.sentNext)" }.joined(separator: "\n")
  }

  /// Fails the test for every row that an expectation refuses, with the table.
  ///
  /// - Parameters:
  ///   - expectations: What the client should do: `.noHang`, `.throwsFor(500...599)`, ...
  ///   - sourceLocation: The line of the test, for failures.
  /// - Throws: `UnderstudyError` with these rows.
  public func expect(
    _ expectations: Expectation...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let kinds = Set(rows.map(\.kind))
    for kind in expectations.flatMap(\.kinds) where !kinds.contains(kind) {
      throw issues.failure(
        .misused, "the sweep has no variant `\(kind)`\n  help: it has \(kinds.sorted().joined(separator: ", "))",
        at: sourceLocation)
    }
    let lines = rows.compactMap { row -> String? in
      guard let broken = expectations.first(where: { !$0.accepts(row) }) else { return nil }
      let violations = row.violations.isEmpty ? "" : "; \(row.violations.joined(separator: "; "))"
      return "  \(row): \(broken.name), but it \(row.outcome)\(row.sentNext)\(violations)"
    }
    guard !lines.isEmpty else { return }
    throw issues.failure(
      .failed,
      "\(lines.count) \(lines.count == 1 ? "row of the sweep fails" : "rows of the sweep fail"):\n"
        + lines.joined(separator: "\n"), at: sourceLocation)
  }
}

extension Sweep.Row {
  var sentNext: String { next.isEmpty ? "" : ", then sent \(next.joined(separator: ", "))" }
}

extension Sweep.Row.Outcome: CustomStringConvertible {
  var isError: Bool { if case .threw = self { true } else { false } }
  var isValue: Bool { if case .returned = self { true } else { false } }

  /// `returned User(...)`
  public var description: String {
    switch self {
    case .returned(let value): value.isEmpty ? "returned" : "returned \(value)"
    case .threw(let error): "threw \(error)"
    case .hung: "hung"
    }
  }
}

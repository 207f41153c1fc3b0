/// What a client did with one variant.
package struct SweepRow: Sendable {
  package let operation: String
  package let kind: SweepCase.Kind
  /// `status 401`
  package let variant: String
  /// The code of a documented status; `nil` for a hostile answer.
  package let status: Int?
  package let outcome: Outcome
  /// What it sent next.
  package let next: [String]
  /// The number of requests that it sent next.
  package let followers: Int
  /// Whether the variant was sent at all.
  package let wasMet: Bool
  /// Whether the answer had nothing to use.
  package let isUnusable: Bool

  /// - Parameter sent: The names of the requests of the run.
  package init(_ variant: SweepCase, sent: [String], _ outcome: Outcome) {
    operation = variant.operation
    kind = variant.kind
    self.variant = variant.name
    status = variant.status
    self.outcome = outcome
    isUnusable = variant.isUnusable
    let sequel = SweepSequel(of: variant.operation, in: sent)
    (next, followers, wasMet) = (sequel.names, sequel.count, sequel.wasMet)
  }

  /// How the client ended.
  package enum Outcome: Sendable, Hashable {
    /// A function returned a value.
    case returned(String)
    /// A function threw an error.
    case threw(String)
    /// A program ended by itself; with its last line.
    case exited(Int, String)
    /// It did not end within the limit.
    case hung
    /// It was ended by a signal; with its last line.
    case crashed(signal: String, String)
  }

  /// `readUser required-null /nick`
  package var name: String { "\(operation) \(variant)" }
}

extension SweepRow.Outcome {
  /// Whether the client reported success.
  package var isSuccess: Bool {
    switch self {
    case .returned, .exited(0, _): true
    default: false
    }
  }

  /// For counts: `threw`, `exit 1`.
  fileprivate var group: String {
    switch self {
    case .returned: "returned"
    case .threw: "threw"
    case .exited(let code, _): "exit \(code)"
    case .hung: "hung"
    case .crashed: "crashed"
    }
  }
}

extension SweepRow.Outcome: CustomStringConvertible {
  package var description: String {
    switch self {
    case .returned(let value): value.isEmpty ? "returned" : "returned \(value)"
    case .threw(let error): "threw \(error)"
    case .exited(let code, let line): line.isEmpty ? "exit \(code)" : "exit \(code): \(line)"
    case .hung: "hung"
    case .crashed(let signal, let line): line.isEmpty ? "crashed (\(signal))" : "crashed (\(signal)): \(line)"
    }
  }
}

/// The rows of a sweep as a table.
package struct SweepTable: Sendable {
  package let rows: [SweepRow]

  package init(_ rows: [SweepRow]) { self.rows = rows }

  /// The longest outcome that is shown, in characters.
  private static let outcomeLimit = 60

  /// One line a variant, below a line for each operation, and the counts.
  package var text: String {
    let width = rows.map { $0.variant.count }.max() ?? 0
    var text = ""
    var operation: String?
    for row in rows {
      if row.operation != operation { text += "\(operation == nil ? "" : "\n")\(row.operation)\n" }
      operation = row.operation
      let outcome = VisibleText.shortened(row.outcome.description, to: Self.outcomeLimit)
      let next = row.next.isEmpty ? "" : ", then sent \(row.next.joined(separator: ", "))"
      text += "  \(row.variant)\(String(repeating: " ", count: width - row.variant.count))  \(outcome)\(next)\n"
    }
    return text + "\n\(counts)\n"
  }

  /// `34 variants: 20 returned, 14 threw`
  package var counts: String {
    let groups = rows.map(\.outcome.group)
    let parts = groups.unique().sorted().map { group in "\(groups.count { $0 == group }) \(group)" }
    return "\(rows.count.counted("variant")): \(parts.joined(separator: ", "))"
  }
}

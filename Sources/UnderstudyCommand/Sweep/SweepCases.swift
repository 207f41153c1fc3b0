import Understudy

/// The rows of a sweep as cases of a report.
struct SweepCases {
  private let operations: [MockOperation]
  private let expectations: SweepExpectations

  init(_ operations: [MockOperation], _ expectations: SweepExpectations) {
    self.operations = operations
    self.expectations = expectations
  }

  func cases(of rows: [SweepRow]) -> [Report.Case] {
    rows.map { row in
      let operation = operations.first { $0.id.utf8Equals(row.operation) }
      let subject = Report.Subject(
        contract: operation?.compiled.api.name ?? "", operation: row.operation,
        method: operation?.compiled.operation.method, path: operation?.compiled.operation.path,
        status: row.kind == .status ? row.variant.split(separator: " ").dropFirst().first.map(String.init) : nil)
      guard row.wasMet else {
        return Report.Case(
          subject, row.variant, outcome: .skipped("the command did not call \(row.operation) in this run"))
      }
      return Report.Case(subject, row.variant, checked: 1, reporting: [finding(about: row)].compactMap(\.self))
    }
  }

  private func finding(about row: SweepRow) -> Diagnostic? {
    let next = row.next.isEmpty ? "" : "; it then sent \(row.next.joined(separator: ", "))"
    func message(_ expected: String) -> String { "\(row.variant): \(expected), found \(row.outcome)\(next)" }
    if let end = expectations.end(of: row) {
      return end.accepts(row.outcome) ? nil : Diagnostic(.sweepUnexpected, message(end.phrase))
    }
    switch row.outcome {
    case .crashed: return Diagnostic(.sweepCrash, message("expected an answer or an error"))
    case .hung: return Diagnostic(.sweepHang, message("expected an end within the limit"))
    default:
      return row.isUnusable && row.outcome.isSuccess
        ? Diagnostic(.sweepSwallowed, message("expected a failure")) : nil
    }
  }
}

/// An answer of an operation that a test chooses in place of the mock.
package struct ReplyOverride: Sendable {
  package var answer: Answer
  package var delay: Duration?
  package var fault: Fault?
  /// The templates that fill a `response`.
  package var template: ResponseTemplate?

  package enum Answer: Sendable {
    /// The mock's own.
    case usual
    case cell(Forcing)
    /// A response that the contract need not document, with its description.
    case response(HTTPResponse, body: [UInt8], description: String)
    /// A stream of events with a status, and its description.
    case stream(EventStreamScript, status: Int, description: String)
  }

  /// Chooses the answer to a request; `nil` leaves the choice to the mock.
  package typealias Chooser = (MockOperation, RequestView) -> ReplyOverride?

  package init(_ answer: Answer = .usual, delay: Duration? = nil, fault: Fault? = nil) {
    (self.answer, self.delay, self.fault) = (answer, delay, fault)
  }
}

extension MockOperation {
  /// The answer that a text names: a status, a meaning or a variant; with the reason where there is none.
  package func forcing(named cell: String) -> Result<Forcing, ForcingProblem> {
    guard let rule = ForcingRule("\(id)=\(cell)") else { return .failure(ForcingProblem(of: self, cell)) }
    return rule.resolve(for: self).map { .success($0) } ?? .failure(ForcingProblem(of: self, cell))
  }
}

/// An operation has no cell of a name.
package struct ForcingProblem: Error {
  package let message: String
  package let help: String

  fileprivate init(of operation: MockOperation, _ cell: String) {
    message = "`\(operation.id)` has no status, meaning or fixture `\(cell)`"
    help =
      Suggestion.phrase(
        for: cell, among: operation.cells.compactMap(\.meaning) + operation.cells.flatMap(\.names) + operation.variants)
      ?? "it has \((operation.statuses + operation.variants).joined(separator: ", "))"
  }
}

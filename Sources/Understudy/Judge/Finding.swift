package import SourceText

/// One thing that is wrong with a request, and the class of violation it makes the request.
package struct Finding: Sendable {
  package var diagnostic: Diagnostic
  /// `nil` for what is only worth knowing: the request is answered as if it were right.
  package var violation: Violation?

  init(_ violation: Violation?, _ diagnostic: Diagnostic) {
    self.diagnostic = diagnostic
    self.violation = violation
  }

  /// A finding at a place of the exchange, with the line of the contract that it breaks.
  init(
    _ violation: Violation?, _ rule: Rule, _ message: String, at pointer: String, contract: JSON? = nil,
    help: String? = nil,
    severity: Severity? = nil
  ) {
    let notes = contract.flatMap { node -> [Diagnostic.Note]? in
      node.range == nil ? nil : [Diagnostic.Note("the contract", at: Location(node))]
    }
    self.init(
      violation,
      Diagnostic(rule, message, at: Location(exchange: pointer), severity: severity, notes: notes ?? [], help: help))
  }
}

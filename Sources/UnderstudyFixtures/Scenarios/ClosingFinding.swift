/// What a client had broken when its lane closed, and no single exchange shows: a request that a state asks for is missing,
/// or a check of sockets is broken.
package struct ClosingFinding: Sendable {
  package let contract: String
  /// The id of the operation; of several that would do, the first one.
  package let operation: String
  package var finding: Diagnostic

  package init(contract: String, operation: String, finding: Diagnostic) {
    self.contract = contract
    self.operation = operation
    self.finding = finding
  }
}

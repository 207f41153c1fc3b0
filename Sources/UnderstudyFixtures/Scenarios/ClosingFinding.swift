/// A finding when a client closes its lane: a missing request that a state asks for, or a broken check of sockets.
package struct ClosingFinding: Sendable {
  package let contract: String
  /// The id of the operation; of several that would do, the first one.
  package let operation: String
  package var finding: Diagnostic

  package init(contract: String, operation: String, finding: Diagnostic) {
    (self.contract, self.operation, self.finding) = (contract, operation, finding)
  }
}

/// A request that a state of a scenario asks for, and that the client has not sent.
package struct MissingRequest: Sendable {
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

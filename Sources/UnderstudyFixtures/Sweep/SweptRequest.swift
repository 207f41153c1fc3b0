/// A request of a run with its answer, in brief.
package struct SweptRequest: Sendable, Hashable {
  /// The id of the operation, else method and path.
  package let name: String
  package let operation: Int?
  /// `nil` where a fault left the client without an answer.
  package let status: Int?
  package let requestType: String?
  package let responseType: String?
  /// What the request breaks; nothing for a redirect that was followed.
  package let violations: [Diagnostic]

  package init(
    name: String, operation: Int? = nil, status: Int? = nil, requestType: String? = nil, responseType: String? = nil,
    violations: [Diagnostic] = []
  ) {
    self.name = name
    self.operation = operation
    self.status = status
    self.requestType = requestType
    self.responseType = responseType
    self.violations = violations
  }
}

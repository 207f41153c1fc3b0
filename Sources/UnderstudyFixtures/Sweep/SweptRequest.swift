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

  // MARK: - Between processes

  /// One line of JSON.
  package var line: String {
    JSONWriter.text(
      .object(
        ("name", .string(name)), ("operation", operation.map(JSON.integer)), ("status", status.map(JSON.integer)),
        ("requestType", requestType.map(JSON.string)), ("responseType", responseType.map(JSON.string)),
        ("violations", .array(violations.map { .object(present: $0.members(.report)) }))))
  }

  /// Reads what `line` wrote.
  package init?(line: String) {
    guard let record = try? JSON(parsing: line), let name = record["name"]?.text else { return nil }
    self.name = name
    operation = record["operation"].flatMap { Int($0.text) }
    status = record["status"].flatMap { Int($0.text) }
    requestType = record["requestType"]?.text
    responseType = record["responseType"]?.text
    violations = record["violations"]?.elements.compactMap { try? DiagnosticReader.diagnostic($0) } ?? []
  }
}

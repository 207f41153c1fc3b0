/// A request of a run with its answer, in brief.
package struct SweepExchange: Sendable, Hashable {
  /// The id of the operation, else method and path.
  package let name: String
  /// The position of the operation in its mock.
  package let operation: Int?
  /// `nil` where a fault left the client without an answer.
  package let status: Int?
  package let requestType: String?
  package let responseType: String?
  /// What the request breaks.
  package let violations: [SweepViolation]

  package init(_ request: SweepRun.Request, in mock: Mock) {
    name = request.name
    operation = mock.operations.firstIndex { $0.compiled === request.reply.operation?.compiled }
    status = request.reply.fault?.isComplete != false ? request.reply.status : nil
    requestType = request.request.headerFields[.contentType]
    responseType = request.reply.response.headerFields[.contentType]
    violations = SweepViolation.all(in: request)
  }

  // MARK: - Between processes

  /// One line of JSON.
  package var line: String {
    JSONWriter.text(
      .object(
        ("name", .string(name)), ("operation", operation.map(JSON.integer)), ("status", status.map(JSON.integer)),
        ("requestType", requestType.map(JSON.string)), ("responseType", responseType.map(JSON.string)),
        ("violations", .array(violations.map { .array([.string($0.rule), .string($0.message)]) }))))
  }

  /// Reads what `line` wrote.
  package init?(line: String) {
    guard let record = try? JSON(parsing: line), let name = record["name"]?.text else { return nil }
    self.name = name
    operation = record["operation"].flatMap { Int($0.text) }
    status = record["status"].flatMap { Int($0.text) }
    requestType = record["requestType"]?.text
    responseType = record["responseType"]?.text
    violations = (record["violations"]?.elements.map { $0.elements.map(\.text) } ?? []).compactMap { pair in
      pair.count == 2 ? SweepViolation(rule: pair[0], message: pair[1]) : nil
    }
  }
}

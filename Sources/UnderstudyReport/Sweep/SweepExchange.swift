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
  /// What the request breaks; nothing for a redirect that was followed.
  package let violations: [Diagnostic]

  package init(_ request: SweepRun.Request, in mock: Mock) {
    name = request.name
    operation = mock.operations.firstIndex { $0.compiled === request.reply.operation?.compiled }
    status = request.reply.fault?.isComplete != false ? request.reply.status : nil
    requestType = request.request.headerFields[.contentType]
    responseType = request.reply.response.headerFields[.contentType]
    violations =
      request.followsRedirect
      ? [] : request.reply.diagnostics.filter { $0.owner == .client && $0.severity == .error }.map(\.detached)
  }

  /// An event of a socket in its place among the requests.
  init(event name: String) {
    self.name = name
    (operation, status, requestType, responseType, violations) = (nil, nil, nil, nil, [])
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
    violations = record["violations"]?.elements.compactMap { try? JSONReportReader.diagnostic($0) } ?? []
  }
}

import HTTPTypes
import UnderstudyMock

/// The requests to `/__admin/fixtures`: the body of an answer, and another one as a fixture.
struct FixtureRoutes {
  private let admin: AdminRequest
  private var mock: Mock { admin.mock }

  init(_ admin: AdminRequest) { self.admin = admin }

  /// The body that an operation answers with: `?operation=readChat&answer=200.empty`.
  func read() throws(LaneProblem) -> Reply {
    try admin.requireParameters(["operation", "answer"])
    let operation = try operation(admin.text("operation"))
    let answer = try AnswerName(admin.text("answer"))
    // Its own lane, so that nothing is used up.
    let reply = mock.reply(to: request(operation, answer), body: [], in: FreshLane(mock: mock))
    guard reply.status == answer.status, reply.forward == nil, reply.operation?.key == operation.key else {
      throw LaneProblem(
        .unknown, "\(operation.id) has no answer \(answer)",
        help: "it has \((operation.statuses + operation.variants).joined(separator: ", "))")
    }
    guard let text = String(validating: reply.body, as: UTF8.self) else {
      throw LaneProblem(.conflict, "the body of \(answer) is not text", help: "edit its file")
    }
    return admin.answer(
      .object([
        ("answer", .string(answer.description)),
        ("type", .string(reply.response.headerFields[.contentType] ?? "")), ("text", .string(text)),
        ("source", .string("\(reply.source)")),
      ]))
  }

  /// Validates a body, and writes it where `write` is true:
  /// `{"operation": "readChat", "answer": "200.empty", "text": "[]", "write": true}`.
  func write() throws(LaneProblem) -> Reply {
    try admin.requireParameters([])
    let draft = try FixtureDraft(admin.body)
    // The address exists; what the body names does not.
    let operation = try operation(draft.operation, or: .conflict)
    let answer = try AnswerName(draft.answer)
    var response = HTTPResponse(status: .init(code: answer.status))
    response.headerFields[.contentType] = draft.type ?? operation.mediaType(of: answer.status)
    let view = ResponseView(status: answer.status, fields: response.headerFields, body: Array(draft.text.utf8))
    var reply = Reply(.made(response, body: view.body), source: ReplySource(.about(.admin)))
    reply.operation = operation
    reply.diagnostics = operation.compiled.responseValidator.validate(view, operation.options).findings
    let findings = JSON.array(reply.diagnostics.map { .object(present: $0.members(.journal)) })
    guard draft.isWritten else { return admin.answer(.object([("findings", findings)])) }
    guard let tools = admin.host.access?.settings.tools else {
      throw LaneProblem(
        .conflict, "a mock inside a test does not write fixtures", help: "write it on a mock of `understudy serve`")
    }
    let exchange = ServedRequest(
      startedAt: Timestamp.microseconds(), microseconds: 0, request: SharedRequest(request(operation, answer)),
      body: [], reply: reply, status: answer.status)
    // The text is that of a person: nothing in it is taken for a secret.
    let settings = RedactionSettings(off: Set(Rule.redaction.map(\.id)))
    let fixture = try tools.saveFixture(
      exchange, [], answer.name, mock, settings, draft.replaces ? .replacing : .creating)
    return admin.answer(
      .object([
        ("fixture", .string(fixture.label)), ("files", .array(fixture.paths.map { .string($0) })),
        ("findings", findings),
      ]), .created)
  }

  private func operation(
    _ name: String?, or kind: LaneProblem.Kind = .unknown
  ) throws(LaneProblem) -> MockOperation {
    guard let name else {
      throw LaneProblem(.invalid, "`operation` is missing", help: "GET \(admin.root)/operations lists them")
    }
    guard let found = mock.operations.first(where: { $0.key.utf8Equals(name) || $0.id.utf8Equals(name) }) else {
      throw LaneProblem(
        kind, "no operation is called `\(VisibleText.shortened(name, to: 100))`",
        help: Suggestion.phrase(for: name, among: mock.operations.map(\.id))
          ?? "GET \(admin.root)/operations lists them")
    }
    return found
  }

  /// A request that asks for the answer; it may break the contract, which a preference precedes.
  private func request(_ operation: MockOperation, _ answer: AnswerName) -> HTTPRequest {
    let path = operation.compiled.basePath + operation.compiled.operation.path
    var request = HTTPRequest(
      method: HTTPRequest.Method(operation.compiled.operation.method) ?? .get, scheme: "http", authority: "localhost",
      path: path.replacing("{", with: "").replacing("}", with: ""))
    if let prefer = HTTPField.Name("Prefer") {
      let name = answer.name.map { ", example=\($0)" } ?? ""
      request.headerFields[prefer] = "code=\(answer.status)\(name)"
    }
    return request
  }
}

extension MockOperation {
  /// The media type of the first body that the contract has for a status; JSON where it has none.
  fileprivate func mediaType(of status: Int) -> String? {
    guard let response = compiled.operation.response(for: status) else { return "application/json" }
    guard let range = response.content.first?.range else { return nil }
    return range.contains("*") ? "application/json" : range
  }
}

/// `200.empty`
private struct AnswerName: CustomStringConvertible {
  let status: Int
  let name: String?

  init(_ text: String?) throws(LaneProblem) {
    let parts = (text ?? "").split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, first.utf8.allSatisfy({ 48...57 ~= $0 }), let status = Int(first),
      200...599 ~= status
    else {
      throw LaneProblem(
        .invalid, "`\(VisibleText.shortened(text ?? "", to: 60))` is not an answer", help: "expected 200 or 200.empty")
    }
    self.status = status
    name = parts.count > 1 ? String(parts[1]) : nil
  }

  var description: String { name.map { "\(status).\($0)" } ?? "\(status)" }
}

private struct FixtureDraft {
  let operation: String
  let answer: String
  let text: String
  let type: String?
  let isWritten: Bool
  let replaces: Bool

  private static let known = ["operation", "answer", "text", "type", "write", "replace"]
  private static let example = #"as in {"operation": "readChat", "answer": "200.empty", "text": "[]", "write": true}"#

  init(_ body: [UInt8]) throws(LaneProblem) {
    let root = try LaneProblem.json(body, help: Self.example)
    var findings = MappingReader(.configInvalid)
    findings.checkKeys(of: root, Self.known)
    if let unknown = findings.all.first {
      throw LaneProblem(.invalid, unknown.message, help: unknown.help ?? Self.example)
    }
    guard let operation = root["operation"]?.string, let answer = root["answer"]?.string,
      let text = root["text"]?.string
    else {
      throw LaneProblem(.invalid, "expected texts for `operation`, `answer` and `text`", help: Self.example)
    }
    if let wrong = ["write", "replace"].first(where: { root[$0] != nil && root[$0]?.bool == nil }) {
      throw LaneProblem(.invalid, "`\(wrong)` is true or false", help: Self.example)
    }
    if let type = root["type"], type.string == nil {
      throw LaneProblem(.invalid, "expected text for `type`, found \(type.kindName)", help: Self.example)
    }
    (self.operation, self.answer, self.text) = (operation, answer, text)
    type = root["type"]?.string
    isWritten = root["write"]?.bool == true
    replaces = root["replace"]?.bool == true
  }
}

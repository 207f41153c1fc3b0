import UnderstudyMock
public import UnderstudySchema

/// A request that the client sent, with its answer.
public struct Call: Sendable, CustomStringConvertible {
  /// The id of the operation; `nil` for a request that reaches none.
  public let operation: String?
  /// The method in capitals.
  public let method: String
  /// Path and query, as the client wrote them.
  public let target: String
  /// As received.
  public let body: [UInt8]
  /// The status of the answer.
  public let status: Int
  /// The source of the answer: `fixture readChat/200.empty (forced)`.
  public let reason: String
  /// What the request breaks.
  public private(set) var findings: [Finding] = []
  private(set) var reply: Reply
  let request: HTTPRequest
  private let captures: [(name: String, range: Range<Int>)]

  init(_ request: HTTPRequest, _ body: [UInt8], _ view: RequestView?, _ reply: Reply) {
    operation = reply.operation?.id
    method = request.method.rawValue
    target = request.path ?? ""
    self.body = body
    self.request = request
    captures = view?.captures ?? []
    self.reply = reply
    status = reply.status
    reason = "\(reply.source)"
    note(reply)
  }

  /// The request and its response, to be shown without secrets.
  var exchange: Exchange {
    Exchange(
      request, body: .coded(body), response: Exchange.Response(reply.response, body: .coded(reply.body)))
  }

  /// Takes the findings of a reply.
  mutating func note(_ reply: Reply) {
    self.reply.diagnostics = reply.diagnostics
    findings = reply.diagnostics.filter { $0.owner == .client }.map(Finding.init)
  }

  /// `GET /v1/user 401`
  public var description: String { "\(method) \(target) \(status)" }

  /// The path without the query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }

  /// The first value of a header field.
  public func header(_ name: String) -> String? { first(.header, name) }

  /// The decoded value of a parameter of the path or the query.
  public func parameter(_ name: String) -> String? { first(.path, name) ?? first(.query, name) }

  /// All values of a repeated parameter of the query.
  public func parameters(_ name: String) -> [String] { view.values(.query, name) }

  /// The value of a form field, or of a JSON body at a name or a pointer: `chat`, `/user/nick`.
  public func field(_ name: String) -> String? { first(.body, name) }

  /// All values of a repeated form field, or the elements of a JSON array.
  public func fields(_ name: String) -> [String] { view.values(.body, name) }

  /// The value of a parameter of any location as the contract types it: `call.value("ids") == [1, 2]`.
  ///
  /// The style splits it, and the schema decides between texts, numbers, lists and objects. `nil` where the contract does
  /// not declare it, and where the request has none or one that cannot be read.
  public func value(_ name: String) -> JSON? { reply.operation?.compiled.value(of: name, in: view) }

  /// The body as the contract types it, forms included: `call.bodyValue == ["lat": 37.5]`.
  ///
  /// `nil` where the operation documents none, and where the request has none or one that cannot be read.
  public var bodyValue: JSON? { reply.operation?.compiled.body(of: view) }

  /// Why the answer is late: `which is delayed by 3.0 seconds`.
  var late: String { reply.fault?.pace != nil ? "which is sent slowly" : "which is delayed by \(reply.delay)" }

  var fields: HTTPFields { request.headerFields }

  private func first(_ part: RequestPart, _ name: String) -> String? { view.values(part, name).first }

  private var view: RequestView { RequestView(request: request, target: target, captures: captures, body: body) }
}

/// What a request breaks.
public struct Finding: Sendable, Hashable, CustomStringConvertible {
  /// The id of the rule: `req.param.missing`.
  public let rule: String
  /// The problem and what was expected, in one sentence.
  public let message: String
  /// The part of the request: `/query/lastchatDate`.
  public let location: String?
  /// Advice for the next step.
  public let help: String?
  /// Whether it fails a test; the others are warnings and notes.
  public let isError: Bool

  init(_ diagnostic: Diagnostic) {
    rule = diagnostic.rule.id
    message = diagnostic.message
    location = diagnostic.location?.pointer
    help = diagnostic.help
    isError = diagnostic.severity == .error
  }

  /// `the header `idtoken` is required and missing [req.param.missing]`
  public var description: String { "\(message) [\(rule)]" }
}

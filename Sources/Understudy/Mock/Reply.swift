/// What to answer, as data: the mock decides it, a server performs it.
public struct Reply: Sendable {
  package var content: Content
  /// Wait this long before the first byte.
  public package(set) var delay: Duration
  /// What to do to the connection instead of a clean answer.
  public package(set) var fault: Fault?
  /// HEAD: the head of the answer, with its Content-Length, and no body.
  package var omitsBody: Bool
  /// The operation that was matched, where one was; two contracts may call one of theirs the same.
  package var operation: MockOperation?
  /// What answered and why, for people: `fixture readChat/200.empty`.
  public package(set) var reason: String
  /// What was wrong with the request, or with the answer.
  public package(set) var diagnostics: [Diagnostic]
  /// What could not be validated, with the reason.
  package var notValidated: [ValidationResult.NotValidated]
  /// Set: the upstream answers. `content` is for a server that has no way to it.
  package var forward: Forward?

  package init(
    _ content: Content, delay: Duration = .zero, fault: Fault? = nil, omitsBody: Bool = false,
    operation: MockOperation? = nil, reason: String, diagnostics: [Diagnostic] = [],
    notValidated: [ValidationResult.NotValidated] = []
  ) {
    self.content = content
    self.delay = delay
    self.fault = fault
    self.omitsBody = omitsBody
    self.operation = operation
    self.reason = reason
    self.diagnostics = diagnostics
    self.notValidated = notValidated
  }

  package enum Content: Sendable {
    /// Bytes that were ready before the request came.
    case prepared(PreparedResponse)
    /// An answer made for this request. Its header fields hold neither Date, Connection nor Content-Length.
    case made(HTTPResponse, body: [UInt8])
    /// An answer whose body is still to come, or that only announces one.
    case streamed(HTTPResponse, Body)
  }

  /// The head of the response.
  public var response: HTTPResponse {
    switch content {
    case .prepared(let prepared): prepared.response
    case .made(let response, _), .streamed(let response, _): response
    }
  }

  /// The status that the client sees, unless a fault keeps it from that.
  public var status: Int {
    switch content {
    case .prepared(let prepared): prepared.status
    case .made(let response, _), .streamed(let response, _): response.status.code
    }
  }

  /// The body as it would be sent; empty where it is still to come.
  public var body: [UInt8] {
    if omitsBody { return [] }
    switch content {
    case .prepared(let prepared): return prepared.body
    case .made(_, let body): return body
    case .streamed: return []
    }
  }
}

/// An answer whose bytes never change, rendered once at load.
package final class PreparedResponse: Sendable {
  /// Its place in `Responder.prepared`: a server keeps its own form of the bytes under this index.
  package let index: Int
  package let status: Int
  package let response: HTTPResponse
  package let body: [UInt8]
  /// The body goes out even with a status that allows none, and the connection ends after it: a fault on purpose.
  package let forcesBody: Bool

  package init(index: Int, response: HTTPResponse, body: [UInt8], forcesBody: Bool = false) {
    self.index = index
    self.status = response.status.code
    self.response = response
    self.body = body
    self.forcesBody = forcesBody
  }

  /// The same with another head.
  func replacing(_ response: HTTPResponse) -> Reply.Content {
    // A body that goes out whatever the status is the one thing that no other content can say.
    forcesBody
      ? .prepared(PreparedResponse(index: -1, response: response, body: body, forcesBody: true))
      : .made(response, body: body)
  }
}

/// Ways in which a connection fails a client on purpose.
public enum Fault: String, Sendable, CaseIterable {
  /// Close the connection without sending a byte.
  case close
  /// Reset it (TCP RST).
  case reset
  /// Promise the whole body, send the first half, close.
  case truncate
  /// Never answer; the connection stays open.
  case hang
  /// Send bytes that are no HTTP, then close.
  case garbage
}

/// The one door to whatever answers requests: synchronous, total, never throws.
package struct Responder: Sendable {
  /// Every response that `reply` may hand out as `.prepared`, in the order of their indices.
  package let prepared: [PreparedResponse]
  package let reply: @Sendable (HTTPRequest, [UInt8]) -> Reply
  /// What becomes of requests whose bodies are too long to be held; without it they are refused.
  package let long: Long?

  /// Answers requests by their heads.
  package struct Long: Sendable {
    /// In bytes: longer bodies are not waited for.
    package let limit: Int
    package let reply: @Sendable (HTTPRequest) -> Reply

    package init(beyond limit: Int, reply: @escaping @Sendable (HTTPRequest) -> Reply) {
      self.limit = limit
      self.reply = reply
    }
  }

  package init(
    prepared: [PreparedResponse] = [], long: Long? = nil, reply: @escaping @Sendable (HTTPRequest, [UInt8]) -> Reply
  ) {
    self.prepared = prepared
    self.long = long
    self.reply = reply
  }
}

extension Reply {
  /// Adds a field to whatever is answered.
  mutating func add(_ name: HTTPField.Name, _ value: String) {
    switch content {
    case .prepared(let prepared):
      var response = prepared.response
      response.headerFields[name] = value
      content = prepared.replacing(response)
    case .made(var response, let body):
      response.headerFields[name] = value
      content = .made(response, body: body)
    case .streamed(var response, let body):
      response.headerFields[name] = value
      content = .streamed(response, body)
    }
  }

  /// The same, telling the client itself what was wrong, in a field that users of Prism know.
  func listingViolations() -> Reply {
    var reply = self
    if let name = HTTPField.Name("sl-violations") { reply.add(name, ViolationList.header(diagnostics)) }
    return reply
  }
}

/// A request with its response, or with the reason for a missing response.
///
/// The mock, an upstream, a recording and a live run all describe an exchange by this value. Redaction, HAR, validation of
/// traffic and the recorder read it.
package struct Exchange: Sendable {
  /// The request head, with the target, query included, as its path.
  package var request: HTTPRequest
  package var requestBody: ExchangeBody
  /// The size of the request body as it was received, in bytes; `nil` if unknown.
  package var requestSize: Int?
  package var outcome: Outcome
  /// The start in microseconds since 1970; `nil` if unknown.
  package var startedAt: Int?
  package var lane: String?
  /// The origin of the response, as the mock names it; `nil` for a response that no mock has seen.
  package var source: Source?
  /// The findings about the exchange: of a recording, the client checks of the mock that made it.
  package var findings: [Diagnostic] = []
  package var notValidated: [ValidationResult.NotValidated] = []
  /// The secrets that were replaced: `request /header/Authorization`.
  package var redactedPlaces: [String] = []
  /// The messages of the socket that the request opened; `nil` for other requests.
  package var socket: Socket?
  package var position = Position()
  /// Whether this program exchanged the messages with an upstream of its own, so that every host is in scope.
  package var isOwn = false

  package enum Outcome: Sendable {
    case response(Response)
    /// The reason, in a clause, for a missing response, and the time that the client waited, if known.
    case missing(String, after: Duration? = nil)
  }

  package init(
    _ request: HTTPRequest, body: ExchangeBody = .empty, response: Response? = nil, startedAt: Int? = nil,
    lane: String? = nil, source: Source? = nil
  ) {
    self.request = request
    requestBody = body
    outcome = response.map { .response($0) } ?? .missing("no response")
    self.startedAt = startedAt
    self.lane = lane
    self.source = source
  }

  package init(_ response: Response) {
    self.init(HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"), response: response)
  }

  /// Creates an exchange whose response has a value in JSON, such as the arguments of an event.
  package init(arguments list: [UInt8]) {
    self.init(Response(status: 200, fields: [.contentType: "application/json"], body: .bytes(list)))
  }

  /// Drops bodies that are longer than a limit in bytes.
  package mutating func keepBodies(upTo limit: Int) {
    if requestBody.bytes.count > limit { requestBody = .empty }
    if let count = response?.body.bytes.count, count > limit { response?.body = .empty }
  }

  // MARK: - Request

  package var method: String { request.method.rawValue }

  package var requestFields: HTTPFields {
    get { request.headerFields }
    _modify { yield &request.headerFields }
  }

  /// The target as an absolute URL where scheme and authority are known (RFC 3986, 5.3).
  package var url: String {
    get { request.url }
    set { request.url = newValue }
  }

  package var isSafe: Bool { SafeMethods.contains(method) }

  // MARK: - Response

  package var response: Response? {
    get { if case .response(let response) = outcome { response } else { nil } }
    set { outcome = newValue.map { .response($0) } ?? .missing("no response") }
  }

  /// The status of the response; 0 without a response, as in HAR.
  package var status: Int { response?.status ?? 0 }

  /// The time from the request to the end of the response; `nil` if unknown.
  package var duration: Duration? {
    switch outcome {
    case .response(let response): response.duration
    case .missing(_, let duration): duration
    }
  }

  package struct Response: Sendable {
    package var head: HTTPResponse
    package var body: ExchangeBody
    /// The size of the body as it was sent, in bytes; `nil` if unknown.
    package var size: Int?
    /// The time from the request to the end of the response; `nil` if unknown.
    package var duration: Duration?
    /// The time before each record of a stream; empty where it is not known.
    package var pauses: [Duration]
    /// A defect of the message itself, such as an end before its announced length.
    package var defect: String?
    /// Whether the body did not end in time, or was too long.
    package var isEndless = false

    package init(
      _ head: HTTPResponse, body: ExchangeBody = .empty, duration: Duration? = nil, pauses: [Duration] = []
    ) {
      (self.head, self.body, self.duration, self.pauses) = (head, body, duration, pauses)
    }

    package init(
      status: Int, fields: HTTPFields, body: ExchangeBody = .empty, duration: Duration? = nil, pauses: [Duration] = []
    ) {
      self.init(
        HTTPResponse(status: .init(code: status), headerFields: fields), body: body, duration: duration,
        pauses: pauses)
    }

    package var status: Int { head.status.code }

    package var fields: HTTPFields {
      get { head.headerFields }
      _modify { yield &head.headerFields }
    }

    /// Removes the content codings of the body; the header fields stay.
    package mutating func decodeBody() {
      guard case .coded(let bytes) = body else { return }
      let outcome = try? ContentCoding.decode(bytes, fields.lines(named: "content-encoding"))
      if case .decoded(let plain)? = outcome {
        body = .bytes(plain)
      } else {
        body = .unknown("the body could not be decoded")
      }
    }

    /// The media type of the body; `nil` if it is not stated or unreadable.
    package var mediaType: MediaRange? { fields.first(named: "content-type").flatMap { MediaRange($0) } }
  }

  /// The origin of a response, as the mock names it.
  package struct Source: Sendable, Hashable {
    package var contract: String?
    /// The id of the operation.
    package var operation: String?
    /// The reply source: `fixture readChat/200.empty`.
    package var reply: String?
    /// The documented response that answered: `200`, `default`.
    package var cell: String?
    package var fault: String?
    /// The added delay, such as `2s`; `nil` without a delay.
    package var delay: String?

    package init(
      contract: String? = nil, operation: String? = nil, reply: String? = nil, cell: String? = nil,
      fault: String? = nil, delay: String? = nil
    ) {
      self.contract = contract
      self.operation = operation
      self.reply = reply
      self.cell = cell
      self.fault = fault
      self.delay = delay
    }
  }

  package struct Position: Sendable, Hashable {
    /// The index in `log.entries`, from 0.
    package var index: Int
    /// The first line, from 1; 0 outside a file.
    package var line: Int
    /// The first byte of that line, from 1.
    package var column: Int

    package init(index: Int = 0, line: Int = 0, column: Int = 1) {
      (self.index, self.line, self.column) = (index, line, column)
    }

    package var pointer: String { "/log/entries/\(index)" }
  }

  package struct Socket: Sendable {
    package var messages: [Message]
    package var lostMessages: Int
    /// The reason why a part could not be read; `nil` where all of it was.
    package var unreadReason: String?
    /// The end of the socket by the server; `nil` if the server did not end it, or if that is unknown.
    package var end: End?

    package init(
      messages: [Message] = [], lostMessages: Int = 0, unreadReason: String? = nil, end: End? = nil
    ) {
      self.messages = messages
      self.lostMessages = lostMessages
      self.unreadReason = unreadReason
      self.end = end
    }

    package struct Message: Sendable {
      package let isFromClient: Bool
      /// A text, or bytes in base64.
      package let data: String
      package var isBinary = false
      /// Microseconds since 1970; `nil` if unknown.
      package var time: Int?

      package init(isFromClient: Bool, data: String, isBinary: Bool = false, time: Int? = nil) {
        self.isFromClient = isFromClient
        self.data = data
        self.isBinary = isBinary
        self.time = time
      }
    }

    package struct End: Sendable {
      /// Microseconds since 1970.
      package let time: Int
      /// The code of the close frame; `nil` without a close frame.
      package let code: Int?
      package let reason: String

      package init(time: Int, code: Int?, reason: String) {
        (self.time, self.code, self.reason) = (time, code, reason)
      }
    }
  }
}

extension HTTPRequest {
  /// The target as an absolute URL where scheme and authority are known (RFC 3986, 5.3).
  package var url: String {
    get {
      (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + (path ?? "")
    }
    set {
      let reference = URIReference(newValue)
      (scheme, authority) = (reference.scheme, reference.authority)
      path = reference.path + (reference.query.map { "?" + $0 } ?? "")
    }
  }
}

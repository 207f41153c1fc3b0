package import UnderstudySockets

/// One exchange of a recording (HAR 1.2, `entries`).
package struct HAREntry: Sendable {
  /// The position in `log.entries`, from 0.
  package var index: Int
  /// The first line, from 1.
  package var line: Int
  /// The first byte of that line, from 1.
  package var column: Int
  /// Empty if absent.
  package var startedDateTime: String
  /// As sent: `GET`.
  package var method: String
  /// With the query.
  package var url: String
  package var requestFields: HTTPFields
  package var requestBody: RecordedBody
  package var answer: Answer
  /// The data that `HARWriter` adds.
  package var note: JSON?
  /// Whether it opened a WebSocket, or another socket.
  package var isSocket = false
  package var socketMessages: [SocketMessage] = []
  /// The number of messages that were not held.
  package var lostMessages = 0
  /// Why a part of a socket could not be read; `nil` where all of it was.
  package var unreadReason: String?
  /// How the server ended the socket; `nil` if it did not, or if it is unknown.
  package var socketEnd: SocketEnd?

  package init(
    index: Int, line: Int, column: Int, startedDateTime: String, method: String, url: String,
    requestFields: HTTPFields, requestBody: RecordedBody, answer: Answer, note: JSON?
  ) {
    self.index = index
    self.line = line
    self.column = column
    self.startedDateTime = startedDateTime
    self.method = method
    self.url = url
    self.requestFields = requestFields
    self.requestBody = requestBody
    self.answer = answer
    self.note = note
  }

  /// A message of a WebSocket.
  package struct SocketMessage: Sendable {
    package let isFromClient: Bool
    /// A text, or bytes in base64.
    let data: String
    var isBinary = false
    /// Microseconds since 1970; `nil` if unknown.
    package var time: Int?

    package init(isFromClient: Bool, data: String, isBinary: Bool = false, time: Int? = nil) {
      self.isFromClient = isFromClient
      self.data = data
      self.isBinary = isBinary
      self.time = time
    }

    /// `nil` for bytes that are not base64.
    package var content: WebSocketMessage? {
      isBinary ? Base64.decode(Array(data.utf8)).map { .binary($0) } : .text(data)
    }
  }

  /// The end of a socket by the server.
  package struct SocketEnd: Sendable {
    /// Microseconds since 1970.
    package let time: Int
    /// The code of the close frame; `nil` without a close frame.
    package let code: Int?
    package let reason: String

    package init(time: Int, code: Int?, reason: String) {
      self.time = time
      self.code = code
      self.reason = reason
    }
  }

  package struct Answer: Sendable {
    /// 0 if there was no answer: browsers write that for cancelled requests.
    package var status: Int
    package var fields: HTTPFields
    package var body: RecordedBody
    /// From the request to the end of the answer; `nil` if unknown.
    package var duration: Duration?
    /// The time before each record of a stream; empty where it is not known.
    package var pauses: [Duration] = []

    package init(
      status: Int, fields: HTTPFields, body: RecordedBody, duration: Duration? = nil, pauses: [Duration] = []
    ) {
      self.status = status
      self.fields = fields
      self.body = body
      self.duration = duration
      self.pauses = pauses
    }

    /// Of the body; `nil` if it is not stated or unreadable.
    package var mediaType: MediaRange? { fields.first(named: "content-type").flatMap { MediaRange($0) } }
  }

  /// Why an element of `entries` is not an exchange.
  package struct Problem: Error, Hashable, Sendable {
    package var message: String
    /// Whether the text is not valid JSON, so that the file is damaged.
    package var isDamage: Bool
  }

  package var pointer: String { "/log/entries/\(index)" }

  package var isSafe: Bool { SafeMethods.contains(method) }
}

extension HAREntry {
  /// Reads an entry. Only method, URL and status are required.
  package init(_ root: JSON, index: Int, line: Int, column: Int = 1) throws(Problem) {
    guard let request = root["request"], request.isObject else { throw Self.lacks("request", root["request"]) }
    guard let response = root["response"], response.isObject else { throw Self.lacks("response", root["response"]) }
    guard let method = request["method"]?.string else { throw Self.lacks("request.method", request["method"]) }
    guard let url = request["url"]?.string else { throw Self.lacks("request.url", request["url"]) }
    guard let status = response["status"]?.int else { throw Self.lacks("response.status", response["status"]) }
    guard status < 1000 else { throw Problem(message: "`response.status` has more than three digits", isDamage: false) }
    self.index = index
    self.line = line
    self.column = column
    self.method = method
    self.url = url
    startedDateTime = root["startedDateTime"]?.string ?? ""
    note = root["_understudy"]
    isSocket = root["_webSocketMessages"] != nil || root["_resourceType"]?.isString("websocket") == true
    socketMessages = (root["_webSocketMessages"]?.array ?? []).compactMap { message in
      guard let type = message["type"]?.string, let data = message["data"]?.string else { return nil }
      let opcode = message["opcode"]?.int ?? 1
      guard opcode == 1 || opcode == 2 else { return nil }
      let seconds = message["time"].flatMap { Double($0.text) }.flatMap { 0...Self.lastSecond ~= $0 ? $0 : nil }
      return SocketMessage(
        isFromClient: type == "send", data: data, isBinary: opcode == 2, time: seconds.map { Int($0 * 1_000_000) })
    }
    requestFields = Self.fields(request["headers"])
    let cookies = Self.pairs(request["cookies"])
    if requestFields.first(named: "cookie") == nil, !cookies.isEmpty {
      requestFields[.cookie] = cookies.joined(separator: "; ")
    }
    requestBody = HARRequestBody.read(request, &requestFields)
    var fields = Self.fields(response["headers"])
    if fields.first(named: "set-cookie") == nil {
      for cookie in Self.pairs(response["cookies"]) { fields.append(HTTPField(name: .setCookie, value: cookie)) }
    }
    let body = HARResponseBody.read(response, fields, method: method)
    answer = Answer(status: max(0, status), fields: fields, body: body, duration: Self.duration(root["time"]))
  }

  /// The year 9999, in seconds since 1970.
  private static let lastSecond: Double = 253_402_300_799

  private static func lacks(_ name: String, _ value: JSON?) -> Problem {
    Problem(message: value.map { "`\(name)` is \($0.kindName)" } ?? "`\(name)` is missing", isDamage: false)
  }

  /// The fields without the pseudo-fields of HTTP/2 (`:authority`). Some browsers join the lines of a field by line
  /// breaks.
  private static func fields(_ list: JSON?) -> HTTPFields {
    var fields = HTTPFields()
    for element in list?.elements ?? JSON.array([]).elements {
      guard let text = element["name"]?.string, text.utf8.first != UInt8(ascii: ":"), let name = HTTPField.Name(text),
        let value = element["value"]?.string
      else { continue }
      for line in value.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
        fields.append(HTTPField(name: name, value: String(decoding: line, as: UTF8.self)))
      }
    }
    return fields
  }

  /// The names and values of a list of cookies, which browsers leave out of the headers.
  private static func pairs(_ list: JSON?) -> [String] {
    (list?.elements ?? JSON.array([]).elements).compactMap { cookie in
      guard let name = cookie["name"]?.string, let value = cookie["value"]?.string else { return nil }
      return "\(name)=\(value)"
    }
  }

  /// Milliseconds, perhaps with a fraction; -1 means unknown.
  private static func duration(_ time: JSON?) -> Duration? {
    guard let time, time.kind == .number, let value = Double(time.text), value >= 0, value < 1e12 else { return nil }
    return .microseconds(Int(value * 1000))
  }
}

extension HAREntry {
  /// The most notes of a breach that are read.
  private static let noteLimit = 10

  /// What the client broke between its requests, as the checks of a mock have found it.
  var breaches: [Diagnostic] {
    (note?["breaches"]?.elements ?? JSON.array([]).elements).compactMap { node in
      guard let rule = node["rule"]?.string.flatMap(Rule.named), rule.isAboutSequences,
        let message = node["message"]?.string
      else { return nil }
      let notes = (node["notes"]?.elements ?? JSON.array([]).elements).compactMap(\.string).prefix(Self.noteLimit)
      return Diagnostic(rule, message, notes: notes.map { Diagnostic.Note($0) }, help: node["help"]?.string)
    }
  }
}

extension HAREntry {
  /// A command that sends the request without its secrets.
  ///
  /// - Parameters:
  ///   - redactor: One of its own for each command, since a command stands alone. It learns the secrets of the request.
  ///   - operation: That of the request; its schemas show more secrets than names alone.
  package func curl(_ redactor: inout Redactor, of operation: Operation?) -> String {
    let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: url, headerFields: requestFields)
    let shown = redactor.redact(ExchangeContent(request, body: requestBody.bytes, operation: operation))
    var fields = HTTPFields()
    for field in shown.request.headerFields where !Self.isOwn(field.name.rawName) { fields.append(field) }
    return CurlLine(
      method: method, url: shown.request.path ?? url, fields: fields, body: curlBody(shown.requestBody)
    ).text()
  }

  private func curlBody(_ bytes: [UInt8]) -> CurlLine.Body {
    guard requestBody.isPresent else { return .none }
    guard requestBody.reason == nil else { return .file }
    return bytes.count <= CurlLine.bodyLimit ? .bytes(bytes) : .file
  }

  /// Fields that curl writes itself, or that make the answer unreadable.
  private static func isOwn(_ name: String) -> Bool {
    ["host", "content-length", "connection", "accept-encoding", "transfer-encoding", "expect"].contains(
      FieldSyntax.lowercased(name.utf8))
  }
}

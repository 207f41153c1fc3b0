package import UnderstudySockets

/// Reads the elements of `entries` of a recording (HAR 1.2).
package enum HAREntry {
  /// Why an element of `entries` is not an exchange.
  package struct Problem: Error, Hashable, Sendable {
    package var message: String
    /// Whether the text is not valid JSON, so that the file is damaged.
    package var isDamage: Bool
  }

  /// Reads an entry. Only method, URL and status are required.
  package static func read(
    _ root: JSON, index: Int, line: Int, column: Int = 1
  ) throws(Problem) -> Exchange {
    guard let request = root["request"], request.isObject else { throw lacks("request", root["request"]) }
    guard let response = root["response"], response.isObject else { throw lacks("response", root["response"]) }
    guard let name = request["method"]?.string else { throw lacks("request.method", request["method"]) }
    guard let url = request["url"]?.string else { throw lacks("request.url", request["url"]) }
    guard let status = response["status"]?.int else { throw lacks("response.status", response["status"]) }
    guard status < 1000 else { throw Problem(message: "`response.status` has more than three digits", isDamage: false) }
    guard let method = HTTPRequest.Method(name) else {
      throw Problem(message: "the method is not a valid token", isDamage: false)
    }
    var head = HTTPRequest(
      method: method, scheme: nil, authority: nil, path: nil, headerFields: fields(request["headers"]))
    head.url = url
    let cookies = pairs(request["cookies"])
    if head.headerFields.first(named: "cookie") == nil, !cookies.isEmpty {
      head.headerFields[.cookie] = cookies.joined(separator: "; ")
    }
    var exchange = Exchange(
      head, startedAt: root["startedDateTime"]?.string.flatMap { Timestamp.microseconds($0.utf8) })
    exchange.position = Exchange.Position(index: index, line: line, column: column)
    exchange.requestBody = HARRequestBody.read(request, &exchange.requestFields)
    let duration = duration(root["time"])
    if status > 0 {
      var fields = fields(response["headers"])
      if fields.first(named: "set-cookie") == nil {
        for cookie in pairs(response["cookies"]) { fields.append(HTTPField(name: .setCookie, value: cookie)) }
      }
      let body = HARResponseBody.read(response, fields, method: name)
      exchange.response = Exchange.Response(status: status, fields: fields, body: body, duration: duration)
    } else {
      exchange.outcome = .missing(response["comment"]?.string ?? "status \(status)", after: duration)
    }
    if root["_webSocketMessages"] != nil || root["_resourceType"]?.isString("websocket") == true {
      exchange.socket = Exchange.Socket(messages: messages(root["_webSocketMessages"]))
    }
    if let note = root["_understudy"] { read(note, into: &exchange) }
    return exchange
  }

  private static func messages(_ list: JSON?) -> [Exchange.Socket.Message] {
    (list?.array ?? []).compactMap { message in
      guard let type = message["type"]?.string, let data = message["data"]?.string else { return nil }
      let opcode = message["opcode"]?.int ?? 1
      guard opcode == 1 || opcode == 2 else { return nil }
      let seconds = message["time"].flatMap { Double($0.text) }.flatMap { 0...lastSecond ~= $0 ? $0 : nil }
      return Exchange.Socket.Message(
        isFromClient: type == "send", data: data, isBinary: opcode == 2, time: seconds.map { Int($0 * 1_000_000) })
    }
  }

  private static let noteLimit = 10

  /// Reads the data that `HARWriter` adds.
  private static func read(_ note: JSON, into exchange: inout Exchange) {
    func list(_ name: String, of node: JSON) -> some Sequence<JSON> { node[name]?.elements ?? JSON.array([]).elements }
    exchange.lane = note["lane"]?.string
    exchange.source = Exchange.Source(
      contract: note["contract"]?.string, operation: note["operation"]?.string, reply: note["reply"]?.string,
      cell: note["cell"]?.string, fault: note["fault"]?.string, delay: note["delay"]?.string)
    exchange.redactedPlaces = list("redacted", of: note).compactMap(\.string)
    exchange.findings = list("breaches", of: note).compactMap { node in
      guard let rule = node["rule"]?.string.flatMap(Rule.named), rule.isAboutSequences,
        let message = node["message"]?.string
      else { return nil }
      let notes = list("notes", of: node).compactMap(\.string).prefix(noteLimit)
      return Diagnostic(rule, message, notes: notes.map { Diagnostic.Note($0) }, help: node["help"]?.string)
    }
  }

  /// The year 9999, in seconds since 1970.
  private static let lastSecond: Double = 253_402_300_799

  private static func lacks(_ name: String, _ value: JSON?) -> Problem {
    Problem(message: value.map { "`\(name)` is \($0.kindName)" } ?? "`\(name)` is missing", isDamage: false)
  }

  /// The fields without the pseudo-fields of HTTP/2 (`:authority`). Some browsers join a field's lines by line breaks.
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

extension Exchange.Socket.Message {
  /// `nil` for bytes that are not base64.
  package var content: WebSocketMessage? {
    isBinary ? Base64.decode(Array(data.utf8)).map { .binary($0) } : .text(data)
  }
}

extension Redacted<Exchange> {
  package var curl: Redacted<String> {
    map { exchange in
      var fields = HTTPFields()
      for field in exchange.requestFields where !Self.isOwn(field.name.rawName) { fields.append(field) }
      return CurlLine(
        method: exchange.method, url: exchange.url, fields: fields, body: Self.curlBody(exchange.requestBody)
      ).text()
    }
  }

  private static func curlBody(_ body: ExchangeBody) -> CurlLine.Body {
    guard body.isPresent else { return .none }
    guard body.reason == nil else { return .file }
    return body.bytes.count <= CurlLine.bodyLimit ? .bytes(body.bytes) : .file
  }

  /// Whether curl writes the field itself, or the field makes the response unreadable.
  private static func isOwn(_ name: String) -> Bool {
    ["host", "content-length", "connection", "accept-encoding", "transfer-encoding", "expect"].contains(
      FieldSyntax.lowercased(name.utf8))
  }
}

/// Writes one exchange as an entry of a HAR 1.2 file.
struct HAREntryWriter {
  private let exchange: ServedExchange
  /// The exchange without its secrets.
  private let content: ExchangeContent
  private let redacted: [RedactionReport.RedactedPlace]
  /// What the client broke between its requests, without secrets.
  private let breaches: [JSON]
  private let lane: String?
  private let response: RecordedResponse
  /// The messages of a socket; `nil` for a request of another kind.
  private let frames: [JSON]?

  /// What is recorded of the response's body.
  private enum RecordedResponse {
    case none
    /// Passed on in pieces.
    case streamed
    case undecodable(Int)
    case body(wireCount: Int)
  }

  init(_ exchange: ServedExchange, _ request: HTTPRequest, _ redactor: inout Redactor) {
    self.exchange = exchange
    var content = ExchangeContent(
      exchange.reply.lane == nil ? request : request.withoutLane, body: exchange.body ?? [], isResponseDecoded: true,
      operation: exchange.reply.operation?.compiled.operation)
    if exchange.status == nil {
      response = .none
    } else {
      let (head, body) = exchange.reply.recorded
      content.response = head
      let plain = body.flatMap { try? ContentCoding.decode($0, head.headerFields.lines(named: "content-encoding")) }
      if case .decoded(let plain)? = plain { content.responseBody = plain }
      response =
        switch plain {
        case .decoded?: .body(wireCount: body?.count ?? 0)
        case .unknown?, nil: body.map { .undecodable($0.count) } ?? .streamed
        }
    }
    redacted = redactor.redact(&content)
    redactor.learnMessages(of: exchange)
    lane = exchange.reply.lane.map { redactor.hidingKnown(in: $0) }
    self.content = content
    frames = exchange.transcript.map { transcript in
      transcript.messages.flatMap { SocketMessageText($0, of: transcript.identity, &redactor).frames }
    }
    breaches = exchange.reply.diagnostics.filter(\.rule.isAboutSequences).map { finding in
      .object(present: finding.redacted { redactor.redact(message: $0) }.members(.brief(notes: "notes")))
    }
  }

  var entry: JSON {
    let milliseconds = Double(exchange.duration / .microseconds(1)) / 1000
    let time = JSON.make { $0.append(number: Array("\(milliseconds)".utf8)) }
    let start = Timestamp.text(
      seconds: exchange.startedAt / 1_000_000, milliseconds: exchange.startedAt / 1000 % 1000)
    return .object(
      ("_resourceType", frames == nil ? nil : "websocket"), ("startedDateTime", .string(start)), ("time", time),
      ("request", requestValue), ("response", responseValue), ("cache", .object([])),
      ("timings", ["send": 0, "wait": time, "receive": 0]), ("_webSocketMessages", frames.map { .array($0) }),
      ("_understudy", note))
  }

  // MARK: - Request

  private var requestValue: JSON {
    let request = content.request
    let target = request.path ?? "/"
    let slash = target.utf8.first == UInt8(ascii: "/") ? "" : "/"
    let scheme = request.scheme ?? "http"
    let url =
      "\(exchange.status == 101 ? scheme == "https" ? "wss" : "ws" : scheme)://\(request.authority ?? "localhost")\(slash)\(target)"
    let type = request.headerFields.first(named: "content-type") ?? ""
    let length = request.headerFields.first(named: "content-length").flatMap { Int($0) } ?? 1
    // A plain `nil` would be a JSON null.
    let data = content.requestBody.isEmpty ? nil : postData(content.requestBody, type)
    let comment: JSON? =
      switch exchange.body {
      case nil: "the body was too long to be held"
      case let body? where !body.isEmpty && content.requestBody.isEmpty:
        "the body has a content coding that cannot be read, so it may hold secrets"
      default: nil
      }
    return .object(
      ("method", .string(request.method.rawValue)), ("url", .string(url)), ("httpVersion", "HTTP/1.1"),
      ("cookies", cookies(request.headerFields.lines(named: "cookie"))), ("headers", headers(request.headerFields)),
      ("queryString", query(target)), ("headersSize", -1), ("bodySize", .integer(exchange.body?.count ?? length)),
      ("postData", data), ("comment", comment))
  }

  private func postData(_ body: [UInt8], _ type: String) -> JSON {
    if let text = Self.text(body, MediaRange(type)) { return ["mimeType": .string(type), "text": .string(text)] }
    return [
      "mimeType": .string(type), "text": .string(Base64.encode(body)), "encoding": "base64",
      "comment": "HAR 1.2 holds only text in UTF-8: the body is in base64, as bodies of responses are",
    ]
  }

  // MARK: - Response

  private var responseValue: JSON {
    guard let status = exchange.status, let head = content.response else {
      return [
        "status": 0, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
        "content": ["size": 0, "mimeType": "x-unknown"], "redirectURL": "", "headersSize": -1, "bodySize": -1,
        "comment": .string(exchange.reply.fault.map { "fault: \($0)" } ?? "the client got no answer"),
      ]
    }
    let fields = head.headerFields
    let size: Int
    switch response {
    case .none, .streamed: size = -1
    case .undecodable(let count), .body(let count): size = count
    }
    return [
      "status": .integer(status), "statusText": .string(head.status.reasonPhrase), "httpVersion": "HTTP/1.1",
      "cookies": [], "headers": headers(fields), "content": contentValue(fields),
      "redirectURL": .string(fields.first(named: "location") ?? ""), "headersSize": -1, "bodySize": .integer(size),
    ]
  }

  private func contentValue(_ fields: HTTPFields) -> JSON {
    let type = fields.first(named: "content-type") ?? ""
    switch response {
    case .none, .streamed:
      return ["size": -1, "mimeType": .string(type), "comment": "the body was passed on in pieces"]
    case .undecodable(let count):
      return ["size": .integer(count), "mimeType": .string(type), "comment": "the body could not be decoded"]
    case .body:
      let shown = content.responseBody
      let text = Self.text(shown, MediaRange(type))
      return .object(
        ("size", .integer(shown.count)), ("mimeType", .string(type)), ("text", .string(text ?? Base64.encode(shown))),
        ("encoding", text == nil ? "base64" : nil))
    }
  }

  // MARK: - Parts

  /// A body as text; `nil` unless it is UTF-8.
  private static func text(_ body: [UInt8], _ type: MediaRange?) -> String? {
    guard ["utf-8", "utf8", "us-ascii"].contains(type?["charset"] ?? "utf-8") else { return nil }
    return String(validating: body, as: UTF8.self)
  }

  private func headers(_ fields: HTTPFields) -> JSON {
    .array(fields.map { ["name": .string($0.name.rawName), "value": .string($0.value)] })
  }

  private func cookies(_ lines: [String]) -> JSON {
    .array(
      lines.flatMap { $0.split(separator: ";") }.map { pair in
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        // A cookie without an equals sign has a value and no name (RFC 6265bis, 5.6).
        return [
          "name": .string(parts.count > 1 ? String(parts[0]) : ""), "value": .string(String(parts[parts.count - 1])),
        ]
      })
  }

  private func query(_ target: String) -> JSON {
    let query = Query(of: target)
    return .array(
      query.pairs.map { pair in
        func shown(_ text: String?, _ range: Range<Int>) -> JSON {
          .string(text ?? String(decoding: query.bytes[range], as: UTF8.self))
        }
        return [
          "name": shown(query.name(of: pair), pair.name), "value": shown(query.value(of: pair), pair.value),
        ]
      })
  }

  /// The mock's own data on the exchange.
  private var note: JSON {
    let operation = exchange.reply.operation?.compiled
    let cell = exchange.status.flatMap { operation?.operation.response(for: $0)?.status.description }
    let places = redacted.map { JSON.string("\($0.side.rawValue) \($0.pointer)") }
    return .object(
      ("lane", lane.map { .string($0) }), ("contract", operation.map { .string($0.api.name) }),
      ("operation", operation.map { .string($0.id) }),
      ("cell", cell.map(JSON.string)), ("reply", .string("\(exchange.reply.source)")),
      ("fault", exchange.reply.fault.map { .string($0.description) }),
      ("delay", exchange.reply.delay > .zero ? .string(exchange.reply.delay.faultText) : nil),
      ("findings", .array(exchange.reply.diagnostics.map { .string($0.rule.id) })),
      ("breaches", breaches.isEmpty ? nil : .array(breaches)),
      ("redacted", places.isEmpty ? nil : .array(places)))
  }
}

extension Redactor {
  /// Learns the secrets of an exchange, to find them elsewhere.
  mutating func learn(_ exchange: ServedExchange) {
    if let content = exchange.content { _ = redact(content) }
  }

  /// The findings of an exchange without its secrets, which a server may have sent back.
  package mutating func findings(of exchange: ServedExchange) -> [Diagnostic] {
    let findings = exchange.reply.diagnostics
    if !findings.isEmpty { learn(exchange) }
    return findings.map { $0.redacted { redact(message: $0) } }
  }

  /// What could not be validated of an exchange, without its secrets.
  package mutating func hide(
    _ items: [ValidationResult.NotValidated], of exchange: ServedExchange
  ) -> [ValidationResult.NotValidated] {
    if !items.isEmpty { learn(exchange) }
    return items.map { $0.redacted { redact(message: $0) } }
  }
}

extension ServedExchange {
  /// What was sent and received, as far as it was held; `nil` without a request.
  package var content: ExchangeContent? {
    guard let request else { return nil }
    var content = ExchangeContent(request, body: body ?? [], operation: reply.operation?.compiled.operation)
    if status != nil {
      let (head, body) = reply.recorded
      content.response = head
      content.responseBody = body ?? []
    }
    return content
  }
}

extension Reply {
  /// The answer as it was sent, without a body if that was passed on in pieces.
  package var recorded: (HTTPResponse, body: [UInt8]?) {
    switch content {
    case .prepared(let prepared): (prepared.response, body)
    case .made(let response, _): (response, body)
    case .streamed(let response, _): (response, omitsBody ? [] : nil)
    }
  }
}

extension HTTPRequest {
  /// The same without the prefix that names a lane, as the contract knows it.
  fileprivate var withoutLane: HTTPRequest {
    guard let path, path.hasPrefix("/~") else { return self }
    var request = self
    let rest = path.dropFirst().drop { $0 != "/" && $0 != "?" }
    request.path = rest.first == "/" ? String(rest) : "/" + rest
    return request
  }
}

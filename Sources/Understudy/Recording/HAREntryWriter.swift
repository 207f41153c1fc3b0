/// Writes one exchange as an entry of a HAR 1.2 file.
struct HAREntryWriter {
  let exchange: ServedExchange
  let request: HTTPRequest
  let redaction: Redaction

  var entry: JSON {
    let milliseconds = Double(exchange.duration / .microseconds(1)) / 1000
    let time = JSON.make { $0.append(number: Array("\(milliseconds)".utf8)) }
    let start = Timestamp.text(
      seconds: exchange.startedAt / 1_000_000, milliseconds: exchange.startedAt / 1000 % 1000)
    return [
      "startedDateTime": .string(start), "time": time, "request": requestValue, "response": response,
      "cache": .object([]), "timings": ["send": 0, "wait": time, "receive": 0], "_understudy": note,
    ]
  }

  // MARK: - Request

  private var requestValue: JSON {
    let target = request.path ?? "/"
    let slash = target.utf8.first == UInt8(ascii: "/") ? "" : "/"
    let url = "\(request.scheme ?? "http")://\(request.authority ?? "localhost")\(slash)\(target)"
    let type = request.headerFields.first(named: "content-type")
    let length = request.headerFields.first(named: "content-length").flatMap { Int($0) } ?? 1
    // A plain `nil` would be a JSON null.
    let data = exchange.body.flatMap { body in
      body.isEmpty ? nil as JSON? : postData(redaction.body(body, type.flatMap { MediaRange($0) }), type ?? "")
    }
    let comment: JSON? = exchange.body == nil ? "the body was too long to be held" : nil
    return .object(
      ("method", .string(request.method.rawValue)), ("url", .string(redaction.url(url))),
      ("httpVersion", "HTTP/1.1"), ("cookies", cookies(request.headerFields.lines(named: "cookie"))),
      ("headers", headers(request.headerFields)), ("queryString", query(target)), ("headersSize", -1),
      ("bodySize", .integer(exchange.body?.count ?? length)), ("postData", data), ("comment", comment))
  }

  private func postData(_ body: [UInt8], _ type: String) -> JSON {
    if let text = Self.text(body, MediaRange(type)) { return ["mimeType": .string(type), "text": .string(text)] }
    return [
      "mimeType": .string(type), "text": "", "_base64": .string(Base64.encode(body)),
      "comment": "HAR 1.2 holds only text in UTF-8: the body is in `_base64`",
    ]
  }

  // MARK: - Response

  private var response: JSON {
    guard let status = exchange.status else {
      return [
        "status": 0, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
        "content": ["size": 0, "mimeType": "x-unknown"], "redirectURL": "", "headersSize": -1, "bodySize": -1,
        "comment": .string(exchange.reply.fault.map { "fault: \($0.rawValue)" } ?? "the client got no answer"),
      ]
    }
    let (head, body) = exchange.reply.recorded
    let fields = head.headerFields
    return [
      "status": .integer(status), "statusText": .string(head.status.reasonPhrase), "httpVersion": "HTTP/1.1",
      "cookies": [], "headers": headers(fields), "content": content(body, fields),
      "redirectURL": .string(fields.first(named: "location").map { redaction.value("location", $0) } ?? ""),
      "headersSize": -1, "bodySize": .integer(body?.count ?? -1),
    ]
  }

  private func content(_ body: [UInt8]?, _ fields: HTTPFields) -> JSON {
    let type = fields.first(named: "content-type") ?? ""
    guard let body else {
      return ["size": -1, "mimeType": .string(type), "comment": "the body was passed on in pieces"]
    }
    guard case .decoded(let plain)? = try? ContentCoding.decode(body, fields.lines(named: "content-encoding")) else {
      return [
        "size": .integer(body.count), "mimeType": .string(type), "comment": "the body could not be decoded",
      ]
    }
    let shown = redaction.body(plain, MediaRange(type))
    let text = Self.text(shown, MediaRange(type))
    return .object(
      ("size", .integer(shown.count)), ("mimeType", .string(type)), ("text", .string(text ?? Base64.encode(shown))),
      ("encoding", text == nil ? "base64" : nil as JSON?))
  }

  // MARK: - Parts

  /// A body as text; `nil` unless it is UTF-8.
  private static func text(_ body: [UInt8], _ type: MediaRange?) -> String? {
    guard ["utf-8", "utf8", "us-ascii"].contains(type?["charset"] ?? "utf-8") else { return nil }
    return String(validating: body, as: UTF8.self)
  }

  private func headers(_ fields: HTTPFields) -> JSON {
    .array(
      fields.map { field in
        let name = field.name.rawName
        return ["name": .string(name), "value": .string(redaction.value(name, field.value))]
      })
  }

  private func cookies(_ lines: [String]) -> JSON {
    let pairs = lines.map { redaction.value("cookie", $0) }.flatMap { $0.split(separator: ";") }
    return .array(
      pairs.map { pair in
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return ["name": .string(String(parts[0])), "value": .string(parts.count > 1 ? String(parts[1]) : "")]
      })
  }

  private func query(_ target: String) -> JSON {
    let query = Query(of: redaction.url(target))
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
    return .object(
      ("contract", operation.map { .string($0.api.name) }), ("operation", operation.map { .string($0.id) }),
      ("cell", cell.map(JSON.string)), ("reply", .string(exchange.reply.reason)),
      ("findings", .array(exchange.reply.diagnostics.map { .string($0.rule.id) })))
  }
}

extension Reply {
  /// The answer as it was sent, without a body if that was passed on in pieces.
  fileprivate var recorded: (HTTPResponse, body: [UInt8]?) {
    switch content {
    case .prepared(let prepared): (prepared.response, body)
    case .made(let response, _): (response, body)
    case .streamed(let response, _): (response, omitsBody ? [] : nil)
    }
  }
}

/// Writes one exchange as an entry of a HAR 1.2 file.
struct HAREntryWriter {
  private let exchange: Exchange
  /// The frames of a socket; `nil` for a request of another kind.
  private let frames: [JSON]?

  private init(_ exchange: Exchange, frames: [JSON]?) {
    self.exchange = exchange
    self.frames = frames
  }

  /// The entry of an exchange, whose secrets a redactor removes; `nil` without a request.
  static func entry(_ served: ServedRequest, _ redactor: inout Redactor) -> Redacted<JSON>? {
    guard var exchange = served.exchange else { return nil }
    if served.reply.lane != nil { exchange.request = exchange.request.withoutLane }
    exchange.response?.decodeBody()
    let clean = redactor.redact(exchange, of: served.operation)
    redactor.learnMessages(of: served)
    let lane = exchange.lane.map { redactor.hidingKnown(in: $0).value }
    let frames = served.transcript.map { transcript in
      transcript.messages.flatMap { SocketMessageText($0, of: transcript.identity, &redactor).frames }
    }
    return clean.map { exchange in
      var exchange = exchange
      exchange.lane = lane
      return HAREntryWriter(exchange, frames: frames).entry
    }
  }

  private var entry: JSON {
    let milliseconds = Double((exchange.duration ?? .zero) / .microseconds(1)) / 1000
    let time = JSON.make { $0.append(number: Array("\(milliseconds)".utf8)) }
    return .object(
      ("_resourceType", frames == nil ? nil : "websocket"),
      ("startedDateTime", .string(Timestamp.text(microseconds: exchange.startedAt ?? 0))), ("time", time),
      ("request", requestValue), ("response", responseValue), ("cache", .object([])),
      ("timings", ["send": 0, "wait": time, "receive": 0]), ("_webSocketMessages", frames.map { .array($0) }),
      ("_understudy", note))
  }

  private var requestValue: JSON {
    let request = exchange.request
    let target = request.path ?? "/"
    let slash = target.utf8.first == UInt8(ascii: "/") ? "" : "/"
    let scheme = request.scheme ?? "http"
    let url =
      "\(exchange.status == 101 ? scheme == "https" ? "wss" : "ws" : scheme)://\(request.authority ?? "localhost")\(slash)\(target)"
    let type = request.headerFields.first(named: "content-type") ?? ""
    let length = request.headerFields.first(named: "content-length").flatMap { Int($0) } ?? 1
    // A plain `nil` would be a JSON null.
    let body = exchange.requestBody
    let data = body.bytes.isEmpty ? nil : postData(body.bytes, type)
    let comment = body.reason.map(JSON.string)
    return .object(
      ("method", .string(request.method.rawValue)), ("url", .string(url)), ("httpVersion", "HTTP/1.1"),
      ("cookies", cookies(request.headerFields.lines(named: "cookie"))), ("headers", headers(request.headerFields)),
      ("queryString", query(target)), ("headersSize", -1), ("bodySize", .integer(exchange.requestSize ?? length)),
      ("postData", data), ("comment", comment))
  }

  private func postData(_ body: [UInt8], _ type: String) -> JSON {
    if let text = Self.text(body, MediaRange(type)) { return ["mimeType": .string(type), "text": .string(text)] }
    return [
      "mimeType": .string(type), "text": .string(Base64.encode(body)), "encoding": "base64",
      "comment": "HAR 1.2 holds only text in UTF-8: the body is in base64, as bodies of responses are",
    ]
  }

  private var responseValue: JSON {
    let response: Exchange.Response
    switch exchange.outcome {
    case .response(let found): response = found
    case .missing(let reason, _):
      return [
        "status": 0, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
        "content": ["size": 0, "mimeType": "x-unknown"], "redirectURL": "", "headersSize": -1, "bodySize": -1,
        "comment": .string(reason),
      ]
    }
    let fields = response.fields
    return [
      "status": .integer(response.status), "statusText": .string(response.head.status.reasonPhrase),
      "httpVersion": "HTTP/1.1", "cookies": [], "headers": headers(fields), "content": content(of: response),
      "redirectURL": .string(fields.first(named: "location") ?? ""), "headersSize": -1,
      "bodySize": .integer(response.size ?? -1),
    ]
  }

  private func content(of response: Exchange.Response) -> JSON {
    let type = response.fields.first(named: "content-type") ?? ""
    if let reason = response.body.reason {
      return ["size": .integer(response.size ?? -1), "mimeType": .string(type), "comment": .string(reason)]
    }
    let shown = response.body.bytes
    let text = Self.text(shown, MediaRange(type))
    return .object(
      ("size", .integer(shown.count)), ("mimeType", .string(type)), ("text", .string(text ?? Base64.encode(shown))),
      ("encoding", text == nil ? "base64" : nil))
  }

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

  private var note: JSON {
    let source = exchange.source ?? Exchange.Source()
    let breaches = exchange.findings.filter(\.rule.isAboutSequences).map { finding in
      JSON.object(present: finding.members(.brief(notes: "notes")))
    }
    func list(_ texts: [String]) -> JSON? { texts.isEmpty ? nil : .array(texts.map(JSON.string)) }
    return .object(
      ("lane", exchange.lane.map(JSON.string)), ("contract", source.contract.map(JSON.string)),
      ("operation", source.operation.map(JSON.string)), ("cell", source.cell.map(JSON.string)),
      ("reply", source.reply.map(JSON.string)), ("fault", source.fault.map(JSON.string)),
      ("delay", source.delay.map(JSON.string)),
      ("findings", .array(exchange.findings.map { .string($0.rule.id) })),
      ("breaches", breaches.isEmpty ? nil : .array(breaches)), ("redacted", list(exchange.redactedPlaces)))
  }
}

extension HTTPRequest {
  /// The request without the prefix that names a lane, as the contract knows it.
  fileprivate var withoutLane: HTTPRequest {
    guard let path, path.hasPrefix("/~") else { return self }
    var request = self
    let rest = path.dropFirst().drop { $0 != "/" && $0 != "?" }
    request.path = rest.first == "/" ? String(rest) : "/" + rest
    return request
  }
}

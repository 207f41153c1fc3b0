import JSONSchema

/// Writes one exchange as an entry of a HAR 1.2 file.
struct HAREntryWriter {
  let exchange: RecordedExchange
  let redaction: Redaction

  /// The entry, with what the mock itself knows of the exchange.
  var entry: JSON {
    let milliseconds = Double(exchange.duration / .microseconds(1)) / 1000
    let time = JSON.make { $0.append(number: Array("\(milliseconds)".utf8)) }
    let start = Timestamp.text(
      seconds: exchange.startedAt / 1_000_000, milliseconds: exchange.startedAt / 1000 % 1000)
    return [
      "startedDateTime": .string(start), "time": time, "request": request, "response": response, "cache": .object([]),
      "timings": ["send": 0, "wait": time, "receive": 0], "_understudy": note,
    ]
  }

  // MARK: - Request

  private var request: JSON {
    let request = exchange.request
    let target = request.path ?? "/"
    let slash = target.utf8.first == UInt8(ascii: "/") ? "" : "/"
    let url = "\(request.scheme ?? "http")://\(request.authority ?? "localhost")\(slash)\(target)"
    let type = request.headerFields.first(named: "content-type")
    var members: [(String, JSON)] = [
      ("method", .string(request.method.rawValue)), ("url", .string(redaction.url(url))),
      ("httpVersion", "HTTP/1.1"), ("cookies", cookies(request.headerFields.lines(named: "cookie"))),
      ("headers", headers(request.headerFields)), ("queryString", query(target)), ("headersSize", -1),
      ("bodySize", JSON(integerLiteral: exchange.body?.count ?? -1)),
    ]
    if let body = exchange.body, !body.isEmpty {
      members.append(("postData", postData(redaction.body(body, type.flatMap { MediaRange($0) }), type ?? "")))
    } else if exchange.body == nil {
      members.append(("comment", "the body was too long to be held"))
      members[7].1 = JSON(integerLiteral: request.headerFields.first(named: "content-length").flatMap { Int($0) } ?? 1)
    }
    return .object(members)
  }

  private func postData(_ body: [UInt8], _ type: String) -> JSON {
    let range = MediaRange(type)
    if let text = Self.text(body, range) {
      return .object([("mimeType", .string(type)), ("text", .string(text))])
    }
    return .object([
      ("mimeType", .string(type)), ("text", ""),
      ("_base64", .string(Base64.encode(body))),
      ("comment", "the body is no UTF-8, for which HAR 1.2 has no place: it is in `_base64`"),
    ])
  }

  // MARK: - Response

  private var response: JSON {
    guard let status = exchange.status else {
      return .object([
        ("status", 0), ("statusText", ""), ("httpVersion", "HTTP/1.1"), ("cookies", .array([])),
        ("headers", .array([])), ("content", .object([("size", 0), ("mimeType", "x-unknown")])), ("redirectURL", ""),
        ("headersSize", -1), ("bodySize", -1),
        ("comment", .string(exchange.reply.fault.map { "fault: \($0.rawValue)" } ?? "the client saw no answer")),
      ])
    }
    let (head, body) = exchange.reply.recorded
    let fields = head.headerFields
    return .object([
      ("status", JSON(integerLiteral: status)), ("statusText", .string(head.status.reasonPhrase)),
      ("httpVersion", "HTTP/1.1"), ("cookies", .array([])), ("headers", headers(fields)),
      ("content", content(body, fields)),
      ("redirectURL", .string(fields.first(named: "location").map { redaction.value("location", $0) } ?? "")),
      ("headersSize", -1), ("bodySize", JSON(integerLiteral: body?.count ?? -1)),
    ])
  }

  private func content(_ body: [UInt8]?, _ fields: HTTPFields) -> JSON {
    let type = fields.first(named: "content-type") ?? ""
    guard let body else {
      return .object([("size", -1), ("mimeType", .string(type)), ("comment", "the body was passed on as it came")])
    }
    guard case .decoded(let plain)? = try? ContentCoding.decode(body, fields.lines(named: "content-encoding")) else {
      return .object([
        ("size", JSON(integerLiteral: body.count)), ("mimeType", .string(type)),
        ("comment", "the body's coding could not be undone"),
      ])
    }
    let shown = redaction.body(plain, MediaRange(type))
    var members: [(String, JSON)] = [("size", JSON(integerLiteral: shown.count)), ("mimeType", .string(type))]
    if let text = Self.text(shown, MediaRange(type)) {
      members.append(("text", .string(text)))
    } else {
      members.append(("text", .string(Base64.encode(shown))))
      members.append(("encoding", "base64"))
    }
    return .object(members)
  }

  // MARK: - Parts

  /// A body as text; `nil` where it is none, or in a charset that a reader would write it in again.
  private static func text(_ body: [UInt8], _ type: MediaRange?) -> String? {
    guard ["utf-8", "utf8", "us-ascii"].contains(type?["charset"] ?? "utf-8") else { return nil }
    return String(validating: body, as: UTF8.self)
  }

  private func headers(_ fields: HTTPFields) -> JSON {
    .array(
      fields.map { field in
        let name = field.name.rawName
        return .object([("name", .string(name)), ("value", .string(redaction.value(name, field.value)))])
      })
  }

  private func cookies(_ lines: [String]) -> JSON {
    let pairs = lines.map { redaction.value("cookie", $0) }.flatMap { $0.split(separator: ";") }
    return .array(
      pairs.map { pair in
        let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return .object([
          ("name", .string(String(parts.first ?? ""))), ("value", .string(parts.count > 1 ? String(parts[1]) : "")),
        ])
      })
  }

  private func query(_ target: String) -> JSON {
    let query = Query(of: redaction.url(target))
    return .array(
      query.pairs.map { pair in
        func shown(_ text: String?, _ range: Range<Int>) -> JSON {
          .string(text ?? String(decoding: query.bytes[range], as: UTF8.self))
        }
        return .object([
          ("name", shown(query.name(of: pair), pair.name)), ("value", shown(query.value(of: pair), pair.value)),
        ])
      })
  }

  /// What the mock itself knows of the exchange.
  private var note: JSON {
    var members: [(String, JSON)] = []
    if let contract = exchange.contract { members.append(("contract", .string(contract))) }
    if let operation = exchange.reply.operation?.id { members.append(("operation", .string(operation))) }
    if let cell = exchange.cell { members.append(("cell", .string(cell))) }
    members.append(("reply", .string(exchange.reply.reason)))
    members.append(("findings", .array(exchange.reply.diagnostics.map { .string($0.rule.id) })))
    return .object(members)
  }
}

extension Reply {
  /// The answer as it went out; no body where it was passed on without being held.
  fileprivate var recorded: (HTTPResponse, body: [UInt8]?) {
    switch content {
    case .prepared(let prepared): (prepared.response, body)
    case .made(let response, _): (response, body)
    case .streamed(let response, _): (response, omitsBody ? [] : nil)
    }
  }
}

/// The answers of one status, as they are learnt from exchanges.
struct ResponseDraft: Sendable {
  /// In the order of their first appearance.
  private(set) var types: [String] = []
  private var bodies: [String: BodyDraft] = [:]
  private var examples: [String: JSON] = [:]
  private var headers = HeaderDraft()

  private static let exampleLimit = 4096

  /// RFC 9110, 15.
  private static let reasons = [
    200: "OK", 201: "Created", 202: "Accepted", 203: "Non-Authoritative Information", 204: "No Content",
    205: "Reset Content", 206: "Partial Content", 301: "Moved Permanently", 302: "Found", 303: "See Other",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 409: "Conflict", 410: "Gone",
    412: "Precondition Failed", 413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Content",
    429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
    503: "Service Unavailable", 504: "Gateway Timeout",
  ]

  mutating func add(_ answer: Exchange.Response, method: String) {
    headers.add(answer.fields)
    guard method != "HEAD", !answer.body.bytes.isEmpty, let text = answer.fields.contentType,
      let type = MediaRange(text)
    else { return }
    if bodies[type.essence] == nil { types.append(type.essence) }
    bodies[type.essence, default: BodyDraft()].add(answer.body.bytes, type)
    if type.syntax == .json, examples[type.essence] == nil, answer.body.bytes.count <= Self.exampleLimit {
      examples[type.essence] = try? JSONParser.parse(answer.body.bytes).root
    }
  }

  mutating func merge(_ other: ResponseDraft) {
    headers.merge(other.headers)
    for type in other.types {
      if bodies[type] == nil { types.append(type) }
      if let theirs = other.bodies[type] { bodies[type, default: BodyDraft()].merge(theirs) }
      examples[type] = examples[type] ?? other.examples[type]
    }
  }

  /// The media types, and the names of the properties: what the answers of one template share.
  var features: [String] {
    types.flatMap { type in [type] + (bodies[type]?.schema.propertyNames ?? []).map { "\(type) \($0)" } }
  }

  /// - Parameter isSwagger: Whether it is for Swagger 2.0, whose schema has no media type.
  func json(_ status: Int, isSwagger: Bool = false) -> JSON {
    let description = JSON.string(Self.reasons[status] ?? "Status \(status)")
    if isSwagger {
      return .object(
        ("description", description), ("headers", headers.json(isSwagger: true)),
        ("schema", types.first.flatMap { bodies[$0]?.schema.json() }))
    }
    let content = types.map { type in
      (type, JSON.object(("schema", bodies[type]?.schema.json() ?? .object([])), ("example", examples[type])))
    }
    return .object(
      ("description", description), ("headers", headers.json(isSwagger: false)),
      ("content", content.isEmpty ? nil : .object(content)))
  }
}

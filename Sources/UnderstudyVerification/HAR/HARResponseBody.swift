enum HARResponseBody {
  /// `content.text` is the body as the client decoded it.
  static func read(_ response: JSON, _ fields: HTTPFields, method: String) -> ExchangeBody {
    let status = response["status"]?.int ?? 0
    // A browser may record the body in its cache.
    if status == 304 { return .empty }
    let content = response["content"]
    let size = content?["size"]?.int
    guard let text = content?["text"]?.string, !text.isEmpty || size ?? 0 <= 0 else {
      return hasNone(size, response, fields, method) ? .empty : .unknown("the answer's body was not recorded")
    }
    if text.isEmpty { return .empty }
    let body: ExchangeBody
    switch content?["encoding"]?.string {
    case nil, "": body = ExchangeBody(text: text, fields.first(named: "content-type").flatMap { MediaRange($0) })
    case "base64": body = ExchangeBody(base64: text)
    default: return .unknown("the answer's body has an unknown encoding")
    }
    // Some tools truncate long bodies. Three bytes may be a byte order mark.
    if let size, size > 0, case .bytes(let bytes) = body, size - bytes.count > 3, size - text.utf8.count > 3 {
      return .unknown("the recording holds only a part of the answer's body")
    }
    return body
  }

  /// Whether a body without text is empty, rather than not recorded.
  private static func hasNone(_ size: Int?, _ response: JSON, _ fields: HTTPFields, _ method: String) -> Bool {
    if method == "HEAD" || [204, 205].contains(response["status"]?.int) { return true }
    if let size { return size == 0 }
    return response["bodySize"]?.int == 0 || fields.first(named: "content-length") == "0"
  }
}

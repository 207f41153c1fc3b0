/// Evaluates the runtime expressions in the URL of a callback (OAS 3.1, 4.8.20.4): `{$request.body#/url}?id={$statusCode}`.
struct CallbackURL {
  let request: RequestView
  let reply: Reply

  /// The first expression without a value.
  struct Missing: Error {
    let expression: String
  }

  func text(_ template: String) throws(Missing) -> String {
    if template.utf8.first == UInt8(ascii: "$") { return try value(template[...]) }
    var text = ""
    var rest = template[...]
    while let open = rest.firstRange(of: "{$") {
      text += rest[..<open.lowerBound]
      guard let close = rest[open.upperBound...].firstIndex(of: "}") else { break }
      text += try value(rest[rest.index(after: open.lowerBound)..<close])
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }

  /// The reason that a URL of a contract has no value in any exchange; `nil` if it may have one.
  static func problem(of template: String) -> String? {
    if !template.contains("$"), URIReference(template).scheme == nil {
      return "`\(VisibleText.shortened(template, to: 80))` is neither a URL nor a runtime expression"
    }
    return nil
  }

  private func value(_ expression: Substring) throws(Missing) -> String {
    guard let value = evaluated(expression), !value.isEmpty else { throw Missing(expression: String(expression)) }
    return value
  }

  private func evaluated(_ expression: Substring) -> String? {
    switch expression {
    case "$url":
      return "\(request.request.scheme ?? "http")://\(request.request.authority ?? "localhost")\(request.target)"
    case "$method": return request.request.method.rawValue
    case "$statusCode": return String(reply.status)
    default: break
    }
    let parts = expression.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "$request" || parts[0] == "$response" else { return nil }
    let isRequest = parts[0] == "$request"
    let source = parts[1]
    if source == "body" { return body(isRequest)?.plainText }
    if source.hasPrefix("body#") {
      guard let pointer = JSONPointer(String(source.dropFirst(5))) else { return nil }
      if let root = body(isRequest) { return root[pointer]?.plainText }
      // A form has no pointers, but its fields have names.
      return isRequest ? request.values(.body, String(source.dropFirst("body#/".count))).first : nil
    }
    let named = source.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard named.count == 2 else { return nil }
    let name = String(named[1])
    switch (named[0], isRequest) {
    case ("header", true): return request.values(.header, name).first
    case ("header", false): return reply.response.headerFields.lines(named: name).first
    case ("query", true): return request.values(.query, name).first
    case ("path", true): return request.values(.path, name).first
    default: return nil
    }
  }

  private func body(_ ofRequest: Bool) -> JSON? {
    ofRequest ? request.content.root : MessageBody(reply.body).root
  }
}

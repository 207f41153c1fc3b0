/// A runtime expression (OAS 3.1, 4.8.20.4): `$request.body#/url`.
enum RuntimeExpression {
  /// Why a text is not a valid runtime expression; `nil` if it is one.
  static func problem(_ text: Substring) -> String? {
    switch text {
    case "$url", "$method", "$statusCode": return nil
    default: break
    }
    let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] == "$request" || parts[0] == "$response" else {
      return "expected `$url`, `$method`, `$statusCode`, `$request.` or `$response.`"
    }
    let source = parts[1]
    if source == "body" && parts.count == 2 { return nil }
    if source.utf8.starts(with: "body#".utf8) {
      let pointer = text[text.utf8.index(after: text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.startIndex)...]
      return JSONPointer(String(pointer)) == nil ? "`\(pointer)` is not a JSON pointer" : nil
    }
    guard ["header", "query", "path"].contains(source) else {
      return "expected `header.`, `query.`, `path.` or `body` after `\(parts[0]).`"
    }
    return parts.count == 3 && !parts[2].isEmpty ? nil : "the name after `\(source)` is missing"
  }

  /// Why a value, or an expression in its braces, is not a valid runtime expression.
  static func problem(in value: String) -> String? {
    if value.utf8.first == UInt8(ascii: "$") { return problem(value[...]) }
    var rest = value[...].utf8
    while let open = rest.firstIndex(of: UInt8(ascii: "{")), let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
    {
      let inner = Substring(rest[rest.index(after: open)..<close])
      if inner.utf8.first == UInt8(ascii: "$"), let problem = problem(inner) { return problem }
      rest = rest[rest.index(after: close)...]
    }
    return nil
  }
}

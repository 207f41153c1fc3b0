/// Evaluates runtime expressions on an exchange (OAS 3.1, 4.8.20.4).
struct LinkValue {
  let call: LiveCall
  let answer: Exchange.Response
  let body: JSON?

  init(_ call: LiveCall, _ answer: Exchange.Response) {
    self.call = call
    self.answer = answer
    let codings = answer.fields.lines(named: "Content-Encoding")
    body =
      if case .decoded(let bytes)? = try? ContentCoding.decode(answer.body.bytes, codings) {
        (try? JSONParser.parse(bytes).root)
          ?? SurrogateHalves.replaced(in: bytes).flatMap { try? JSONParser.parse($0).root }
      } else {
        nil
      }
  }

  /// The value of a link's parameter or body; `nil` where an expression has no value.
  func value(of node: JSON) -> JSON? {
    guard let text = node.string else { return node }
    if text.utf8.first == UInt8(ascii: "$") { return expression(text[...]) }
    guard text.contains("{$") else { return node }
    var result = ""
    var rest = text[...]
    while let open = rest.firstRange(of: "{$") {
      result += rest[..<open.lowerBound]
      guard let close = rest[open.upperBound...].firstIndex(of: "}"),
        let value = expression(rest[rest.index(after: open.lowerBound)..<close])
      else { return nil }
      result += value.plainText
      rest = rest[rest.index(after: close)...]
    }
    return .string(result + rest)
  }

  private func expression(_ text: Substring) -> JSON? {
    switch text {
    case "$url": return .string(call.wire.url)
    case "$method": return .string(call.wire.request.method.rawValue)
    case "$statusCode": return JSON(integerLiteral: answer.status)
    default: break
    }
    let isRequest = text.utf8.starts(with: "$request.".utf8)
    guard isRequest || text.utf8.starts(with: "$response.".utf8) else { return nil }
    let source = text[text.index(after: text.firstIndex(of: ".") ?? text.startIndex)...]
    if source == "body" { return isRequest ? requestBody : body }
    if source.utf8.starts(with: "body#".utf8) {
      return JSONPointer(String(source.dropFirst(5))).flatMap { (isRequest ? requestBody : body)?[$0] }
    }
    guard let dot = source.firstIndex(of: ".") else { return nil }
    let name = String(source[source.index(after: dot)...])
    switch source[..<dot] {
    case "header":
      let fields = isRequest ? call.wire.request.headerFields : answer.fields
      return fields.first(named: name).map { .string($0) }
    case "query" where isRequest: return argument(name, .query)
    case "path" where isRequest: return argument(name, .path)
    default: return nil
    }
  }

  private func argument(_ name: String, _ location: Parameter.Location) -> JSON? {
    call.draft.arguments.first {
      $0.parameter.location == location && $0.parameter.name.utf8.elementsEqual(name.utf8)
    }?.value
  }

  private var requestBody: JSON? {
    if case .value(let value, _)? = call.draft.body { value } else { nil }
  }

  /// The member of the answer that identifies the created resource: the one with the parameter's name, or `id`.
  func identity(for parameter: String) -> JSON? {
    let isID = FieldSyntax.lowercased(parameter.utf8).hasSuffix("id")
    for root in [body, body?["data"]] {
      guard let value = root?[parameter] ?? (isID ? root?["id"] : nil) else { continue }
      if value.isString || value.kind == .number { return value }
    }
    return nil
  }
}

struct ExchangeRedactor {
  let pass: RedactionPass
  /// The schemas of the elements of the response's body, if it is the list of the arguments of an event.
  var argumentSchemas: [JSON] = []

  func redact(_ exchange: Exchange) -> Exchange {
    var exchange = exchange
    (pass.side, pass.status) = (.request, nil)
    request(&exchange.request)
    exchange.requestBody = body(exchange.requestBody, exchange.request.headerFields)
    guard var response = exchange.response else { return exchange }
    (pass.side, pass.status) = (.response, response.status)
    response.fields = fields(response.fields)
    if !argumentSchemas.isEmpty, var list = JSONRedactor(response.body.bytes, in: pass) {
      let schemas = argumentSchemas.compactMap { pass.contracts.first?.schema(ofArgument: $0) }
      if let bytes = pass.at(["body"], { list.redact(elements: schemas) }) { response.body = .bytes(bytes) }
    } else {
      response.body = body(response.body, response.fields)
    }
    exchange.response = response
    return exchange
  }

  private func request(_ request: inout HTTPRequest) {
    if let target = request.path, let redacted = pass.urls.redact(Array(target.utf8)[...]) {
      request.path = String(decoding: redacted, as: UTF8.self)
    }
    if let authority = request.authority, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) {
      // It is left out, but an answer may repeat it.
      let user = authority.utf8[..<at]
      let password = user.firstIndex(of: UInt8(ascii: ":")).map { user[user.index(after: $0)...] } ?? user
      let text = String(decoding: password, as: UTF8.self)
      _ = pass.at(["url"]) { pass.secret(Array((PercentEncoding.decode(text) ?? text).utf8)[...], .redactUserInfo) }
      request.authority = String(authority[authority.utf8.index(after: at)...])
    }
    request.headerFields = fields(request.headerFields)
  }

  /// The body in the content codings that it had. A body that cannot be decoded may hold secrets, so it is dropped.
  private func body(_ body: ExchangeBody, _ fields: HTTPFields) -> ExchangeBody {
    let bytes = body.bytes
    guard !bytes.isEmpty else { return body }
    var codings: [String] = []
    if case .coded = body { codings = fields.lines(named: "content-encoding") }
    return self.bytes(bytes, codings, fields).map { body.replacing(with: $0) }
      ?? .unknown("the body has a content coding that cannot be read, so it may hold secrets")
  }

  /// `nil` for bytes that cannot be decoded.
  private func bytes(_ bytes: [UInt8], _ codings: [String], _ fields: HTTPFields) -> [UInt8]? {
    let type = fields.contentType.flatMap { MediaRange($0) }
    let schemas = pass.operation.flatMap { operation in
      pass.contracts.lazy.map { $0.schemas(of: operation, status: pass.status, type) }.first { !$0.isEmpty }
    }
    func redacted(_ plain: [UInt8]) -> [UInt8]? {
      guard let schemas else { return pass.bodies.redact(plain, type, schema: nil) }
      return schemas.reduce(nil) { pass.bodies.redact($0 ?? plain, type, schema: $1) ?? $0 }
    }
    guard ContentCoding.isCoded(codings) else { return redacted(bytes) ?? bytes }
    guard case .decoded(let plain)? = try? ContentCoding.decode(bytes, codings) else {
      guard EncodedText.isPrintable(bytes) else { return nil }
      return redacted(bytes) ?? bytes
    }
    guard let clean = redacted(plain) else { return bytes }
    return ContentCoding.encode(clean, codings)
  }

  private func fields(_ fields: HTTPFields) -> HTTPFields {
    var result = HTTPFields()
    for field in fields {
      let name = field.name.rawName
      var copy = field
      let value = pass.at(["header", name]) { header(name, Array(field.value.utf8)[...]) }
      if let value { copy.value = String(decoding: value, as: UTF8.self) }
      result.append(copy)
    }
    return result
  }

  /// The value of a field without secrets; `nil` if it has none.
  private func header(_ name: String, _ value: ArraySlice<UInt8>) -> [UInt8]? {
    let lower = FieldSyntax.lowercased(name.utf8)
    guard !pass.isKept else { return nil }
    if pass.settings.isSecret(pass.place) == true { return pass.secret(value, .redactPlace) }
    switch lower {
    case "authorization", "proxy-authorization": return pass.credentials.credential(value, .redactSecurity)
    case "cookie" where !pass.contracts.contains { $0.isScheme(lower, .header) }: return pass.credentials.cookies(value)
    case "set-cookie", "set-cookie2": return pass.credentials.setCookie(value)
    case "referer", "location", "content-location", "origin": return pass.urls.redact(value)
    case "sec-websocket-protocol": return protocols(value)
    default: break
    }
    if let rule = pass.rule(forValue: value, of: name, .header) { return pass.credentials.credential(value, rule) }
    let strength = SecretNames.strength(of: name, as: .header)
    return pass.texts.redact(value, allowsEntropy: strength != .identifier)
  }

  /// Subprotocols (RFC 6455, 4.1), by which browsers send tokens: `token.abc`, or `bearer, abc`.
  private func protocols(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    var isAfterName = false
    return value.replacingParts(separatedBy: UInt8(ascii: ",")) { part in
      let item = FieldSyntax.trimmed(part)
      let prefix = Self.tokenPrefixes.first { FieldSyntax.lowercased(item).utf8.starts(with: $0.utf8) }
      let token = prefix.map { item.dropFirst($0.utf8.count) } ?? item
      let isToken = prefix != nil || isAfterName || Entropy.looksGenerated(item)
      let name = FieldSyntax.lowercased(item)
      isAfterName = ["bearer", "access_token", "token", "authorization", "jwt", "auth"].contains(name)
      let hidden = isToken ? pass.secret(token, .redactHeader) : pass.texts.redact(item)
      return hidden.map { Array(part[..<(isToken ? token.startIndex : item.startIndex)]) + $0 }
    }
  }

  private static let tokenPrefixes = [
    "base64url.bearer.authorization.k8s.io.", "v1.token.", "access_token.", "authorization.", "bearer.", "token.",
    "auth.", "jwt.",
  ]
}

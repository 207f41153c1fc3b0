/// Finds secrets in credentials and cookies, whose parts have names of their own.
struct CredentialRedactor {
  let pass: RedactionPass

  /// The value of a secret field, which may be written as a header or a cookie is.
  func field(_ value: ArraySlice<UInt8>, named name: String, _ rule: Rule) -> [UInt8]? {
    if rule == .redactPlace || rule == .redactSchema { return pass.secret(value, rule) }
    switch SecretNames.words(of: name).joined() {
    case "cookie" where value.contains(UInt8(ascii: "=")): return cookies(value)
    case "setcookie" where value.contains(UInt8(ascii: "=")): return setCookie(value)
    default: return credential(value, rule)
    }
  }

  /// A credential, perhaps after the name of its scheme, which stays (RFC 9110, 11.4).
  func credential(_ value: ArraySlice<UInt8>, _ rule: Rule) -> [UInt8]? {
    guard let blank = value.firstIndex(of: UInt8(ascii: " ")), value[..<blank].count <= 24,
      FieldSyntax.isToken(value[..<blank]), let start = value[blank...].firstIndex(where: { !FieldSyntax.isBlank($0) })
    else { return pass.secret(value, rule) }
    let rest = value[start...]
    let scheme = FieldSyntax.lowercased(value[..<blank])
    let isScheme = Self.schemes.contains(scheme)
    guard isScheme || rule == .redactSecurity && !rest.contains(UInt8(ascii: " ")) else {
      return pass.secret(value, rule)
    }
    let hidden: [UInt8]?
    if scheme == "basic" {
      hidden = basic(rest, rule)
    } else if pass.known.isTyped, rest.contains(UInt8(ascii: "=")), rest.contains(UInt8(ascii: ",")) {
      hidden = parameters(rest, rule)
    } else {
      hidden = pass.secret(rest, rule)
    }
    return hidden.map { Array(value[..<start]) + $0 }
  }

  private static let schemes: Set<String> = [
    "basic", "bearer", "digest", "dpop", "token", "apikey", "negotiate", "ntlm", "hoba", "mutual", "oauth", "gnap",
    "hawk",
    "aws4-hmac-sha256", "jwt", "key", "sharedkey", "signature", "scram-sha-256", "vapid", "privatetoken", "session",
  ]

  /// `name=value, name="value"`: hides the values except names, places and algorithms.
  private func parameters(_ list: ArraySlice<UInt8>, _ rule: Rule) -> [UInt8]? {
    list.replacingParts(separatedBy: UInt8(ascii: ",")) { part in
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = FieldSyntax.lowercased(FieldSyntax.trimmed(part[..<equals]))
      guard !Self.plainParameters.contains(name) else { return nil }
      let value = QuotedValue(part[(equals + 1)...])
      return pass.secret(value.content, rule).map { Array(part[...equals]) + value.quoted($0) }
    }
  }

  private static let plainParameters: Set<String> = [
    "username", "realm", "uri", "qop", "nc", "algorithm", "signedheaders", "headers", "created", "expires", "version",
    "oauth_signature_method", "oauth_version", "oauth_timestamp", "userhash", "charset",
  ]

  /// `user:password` in base64; `nil` if it stays.
  func basic(_ value: ArraySlice<UInt8>, _ rule: Rule) -> [UInt8]? {
    guard let plain = EncodedText.decode(value), let colon = plain.firstIndex(of: UInt8(ascii: ":")) else {
      return pass.secret(value, rule)
    }
    let (user, password) = (plain[..<colon], plain[(colon + 1)...])
    // Some services take a token as the user, and no password.
    let isToken = password.isEmpty || password.elementsEqual("x-oauth-basic".utf8)
    let isHidden = isToken || user.count >= RedactionPass.shortest
    let hidden = (isHidden ? pass.secret(user, rule, isToken ? .everywhere : .nowhere) : nil) ?? Array(user)
    let rest = isToken ? Array(password) : pass.secret(password, rule) ?? Array(password)
    // A marker stands for the whole, and the password is known now.
    guard pass.known.isTyped else { return pass.secret(value, rule) }
    let text = hidden + [UInt8(ascii: ":")] + rest
    return text.elementsEqual(plain) ? nil : EncodedText.encode(text, like: value)
  }

  func cookies(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    line.replacingParts(separatedBy: UInt8(ascii: ";"), cookie)
  }

  func setCookie(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    let end = line.firstIndex(of: UInt8(ascii: ";")) ?? line.endIndex
    let pair = cookie(line[..<end])
    // A path may hold a token.
    let attributes = line[end...].replacingParts(separatedBy: UInt8(ascii: ";")) { pass.texts.redact($0) }
    guard pair != nil || attributes != nil else { return nil }
    return (pair ?? Array(line[..<end])) + (attributes ?? Array(line[end...]))
  }

  /// A pair, or the value of a cookie without a name (RFC 6265bis, 5.6).
  private func cookie(_ pair: ArraySlice<UInt8>) -> [UInt8]? {
    let equals = pair.firstIndex(of: UInt8(ascii: "="))
    let name = String(decoding: FieldSyntax.trimmed(pair[..<(equals ?? pair.startIndex)]), as: UTF8.self)
    let rest = pair[(equals.map { $0 + 1 } ?? pair.startIndex)...]
    let value = QuotedValue(FieldSyntax.trimmed(rest))
    let start = equals.map { Array(pair[...$0]) } ?? Array(pair.prefix(while: FieldSyntax.isBlank))
    return pass.at(["cookie", name]) {
      guard !pass.isKept else { return nil }
      let rule = pass.rule(forValue: value.content, of: name, .cookie)
      // A cookie of another name may be a setting, so its value is not searched for unless it looks unusual.
      let plain = PercentEncoding.decodeBytes(value.content) ?? Array(value.content)
      let hidden = pass.secret(plain[...], rule ?? .redactCookie, rule == nil ? .ifUnusual : .everywhere)
      // A placeholder needs no quotes, which servers write or not by what is in the value.
      if let hidden { return start + hidden }
      return pass.texts.redact(value.content).map { start + value.quoted($0) }
    }
  }
}

private struct QuotedValue {
  let content: ArraySlice<UInt8>
  private let isQuoted: Bool

  init(_ text: ArraySlice<UInt8>) {
    let quote = UInt8(ascii: "\"")
    isQuoted = text.count > 1 && text.first == quote && text.last == quote
    content = isQuoted ? text.dropFirst().dropLast() : text
  }

  /// Another content, in the quotes of this one.
  func quoted(_ other: [UInt8]) -> [UInt8] {
    let quote = isQuoted ? [UInt8(ascii: "\"")] : []
    return quote + other + quote
  }
}

extension RedactionPass {
  // MARK: - Fields

  mutating func fields(_ fields: HTTPFields) -> HTTPFields {
    var result = HTTPFields()
    for field in fields {
      let name = field.name.rawName
      place = ["header", name]
      var copy = field
      if let value = header(name, Array(field.value.utf8)[...]) { copy.value = String(decoding: value, as: UTF8.self) }
      result.append(copy)
    }
    place = []
    return result
  }

  /// The value of a field without secrets; `nil` if it has none.
  private mutating func header(_ name: String, _ value: ArraySlice<UInt8>) -> [UInt8]? {
    let lower = FieldSyntax.lowercased(name.utf8)
    guard !isKept else { return nil }
    if settings.isSecret(place) == true { return secret(value, .redactPlace) }
    switch lower {
    case "authorization", "proxy-authorization": return credential(value, .redactSecurity)
    case "cookie" where !contracts.contains { $0.isScheme(lower, .header) }: return cookies(value)
    case "set-cookie", "set-cookie2": return setCookie(value)
    case "referer", "location", "content-location", "origin": return url(value)
    case "sec-websocket-protocol": return protocols(value)
    default: break
    }
    if let rule = rule(forValue: value, of: name, .header) { return credential(value, rule) }
    let strength = SecretNames.strength(of: name, as: .header)
    return text(value, allowsEntropy: strength != .identifier)
  }

  /// A credential, perhaps after the name of its scheme, which stays (RFC 9110, 11.4).
  mutating func credential(_ value: ArraySlice<UInt8>, _ rule: Rule) -> [UInt8]? {
    guard let blank = value.firstIndex(of: UInt8(ascii: " ")), value[..<blank].count <= 24,
      FieldSyntax.isToken(value[..<blank]), let start = value[blank...].firstIndex(where: { !FieldSyntax.isBlank($0) })
    else { return secret(value, rule) }
    let rest = value[start...]
    let scheme = FieldSyntax.lowercased(value[..<blank])
    let isScheme = Self.schemes.contains(scheme)
    guard isScheme || rule == .redactSecurity && !rest.contains(UInt8(ascii: " ")) else { return secret(value, rule) }
    let hidden: [UInt8]?
    if scheme == "basic" {
      hidden = basic(rest, rule)
    } else if known.isTyped, rest.contains(UInt8(ascii: "=")), rest.contains(UInt8(ascii: ",")) {
      hidden = parameters(rest, rule)
    } else {
      hidden = secret(rest, rule)
    }
    return hidden.map { Array(value[..<start]) + $0 }
  }

  private static let schemes: Set<String> = [
    "basic", "bearer", "digest", "dpop", "token", "apikey", "negotiate", "ntlm", "hoba", "mutual", "oauth", "gnap",
    "hawk",
    "aws4-hmac-sha256", "jwt", "key", "sharedkey", "signature", "scram-sha-256", "vapid", "privatetoken", "session",
  ]

  /// `name=value, name="value"`: the values that are no names of users, places or algorithms.
  private mutating func parameters(_ list: ArraySlice<UInt8>, _ rule: Rule) -> [UInt8]? {
    var isChanged = false
    let parts = list.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { part -> [UInt8] in
      guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { return Array(part) }
      let name = FieldSyntax.lowercased(FieldSyntax.trimmed(part[..<equals]))
      guard !Self.plainParameters.contains(name) else { return Array(part) }
      var value = part[(equals + 1)...]
      let isQuoted = value.first == UInt8(ascii: "\"") && value.count > 1 && value.last == UInt8(ascii: "\"")
      if isQuoted { value = value.dropFirst().dropLast() }
      guard let hidden = secret(value, rule) else { return Array(part) }
      isChanged = true
      let quote = isQuoted ? [UInt8(ascii: "\"")] : []
      return Array(part[...equals]) + quote + hidden + quote
    }
    return isChanged ? Array(parts.joined(separator: [UInt8(ascii: ",")])) : nil
  }

  private static let plainParameters: Set<String> = [
    "username", "realm", "uri", "qop", "nc", "algorithm", "signedheaders", "headers", "created", "expires", "version",
    "oauth_signature_method", "oauth_version", "oauth_timestamp", "userhash", "charset",
  ]

  // MARK: - Cookies

  mutating func cookies(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    var isChanged = false
    let pairs = line.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { pair -> [UInt8] in
      guard let hidden = cookie(pair) else { return Array(pair) }
      isChanged = true
      return hidden
    }
    return isChanged ? Array(pairs.joined(separator: [UInt8(ascii: ";")])) : nil
  }

  mutating func setCookie(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    let end = line.firstIndex(of: UInt8(ascii: ";")) ?? line.endIndex
    return cookie(line[..<end]).map { $0 + line[end...] }
  }

  private mutating func cookie(_ pair: ArraySlice<UInt8>) -> [UInt8]? {
    guard let equals = pair.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let name = String(decoding: FieldSyntax.trimmed(pair[..<equals]), as: UTF8.self)
    let outer = place
    place = ["cookie", name]
    defer { place = outer }
    var value = FieldSyntax.trimmed(pair[(equals + 1)...])
    let isQuoted = value.count > 1 && value.first == UInt8(ascii: "\"") && value.last == UInt8(ascii: "\"")
    if isQuoted { value = value.dropFirst().dropLast() }
    guard !isKept else { return nil }
    let rule = rule(forValue: value, of: name, .cookie)
    // A cookie of another name may be a setting, so its value is not searched for unless it looks unusual.
    let plain = PercentEncoding.decodeBytes(value) ?? Array(value)
    guard let hidden = secret(plain[...], rule ?? .redactCookie, rule == nil ? .ifUnusual : .everywhere) ?? text(value)
    else { return nil }
    let quote = isQuoted ? [UInt8(ascii: "\"")] : []
    return Array(pair[...equals]) + quote + hidden + quote
  }

  /// Subprotocols (RFC 6455, 4.1), by which browsers send tokens: `token.abc`, or `bearer, abc`.
  private mutating func protocols(_ value: ArraySlice<UInt8>) -> [UInt8]? {
    var isChanged = false
    var isAfterName = false
    let parts = value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { part -> [UInt8] in
      let item = FieldSyntax.trimmed(part)
      let prefix = Self.tokenPrefixes.first { FieldSyntax.lowercased(item).utf8.starts(with: $0.utf8) }
      let token = prefix.map { item.dropFirst($0.utf8.count) } ?? item
      let isToken = prefix != nil || isAfterName || Entropy.looksGenerated(item)
      let name = FieldSyntax.lowercased(item)
      isAfterName = ["bearer", "access_token", "token", "authorization", "jwt", "auth"].contains(name)
      guard let hidden = isToken ? secret(token, .redactHeader) : text(item) else { return Array(part) }
      isChanged = true
      return Array(part[..<(isToken ? token.startIndex : item.startIndex)]) + hidden
    }
    return isChanged ? Array(parts.joined(separator: [UInt8(ascii: ",")])) : nil
  }

  private static let tokenPrefixes = [
    "base64url.bearer.authorization.k8s.io.", "v1.token.", "access_token.", "authorization.", "bearer.", "token.",
    "auth.", "jwt.",
  ]

  // MARK: - URLs

  /// A URL or request target without secrets; `nil` if it has none.
  mutating func url(_ url: ArraySlice<UInt8>) -> [UInt8]? {
    let outer = place
    defer { place = outer }
    let fragmentStart = url.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
    let queryStart = url[..<fragmentStart].firstIndex(of: UInt8(ascii: "?")) ?? fragmentStart
    var result = Array(url[..<queryStart])
    var isChanged = false
    place = ["path"]
    if let path = path(url[..<queryStart]) { (result, isChanged) = (path, true) }
    for part in [url[queryStart..<fragmentStart], url[fragmentStart...]] where !part.isEmpty {
      let pairs = pairs(part.dropFirst(), as: .query)
      isChanged = isChanged || pairs != nil
      result += part.prefix(1)
      result += pairs ?? Array(part.dropFirst())
    }
    return isChanged ? result : nil
  }

  /// Everything before the query: the password of a user, tokens among the segments, matrix parameters.
  private mutating func path(_ path: ArraySlice<UInt8>) -> [UInt8]? {
    var start = path.startIndex
    if let colon = path.firstRange(of: "://".utf8) {
      start = path[colon.upperBound...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
    }
    let authority = text(path[..<start], allowsEntropy: false)
    let known = pathParameters(Array(path[start...]))
    var isChanged = authority != nil || known != nil
    let segments = (known ?? Array(path[start...])).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let redacted = segments.map { segment -> [UInt8] in
      guard let text = text(segment, allowsEntropy: false, depth: Self.depthLimit - 1) else { return Array(segment) }
      isChanged = true
      return text
    }
    guard isChanged else { return nil }
    return (authority ?? Array(path[..<start])) + Array(redacted.joined(separator: [UInt8(ascii: "/")]))
  }

  /// The values of secret expressions of the operation's path: `/reset/{token}`.
  private mutating func pathParameters(_ bytes: [UInt8]) -> [UInt8]? {
    guard side == .request, let template = operation.map({ PathTemplate($0.path) }) else { return nil }
    var segments = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
    var isChanged = false
    // Base paths come first, so the template fits from the end.
    for (segment, position) in zip(template.segments.reversed(), segments.indices.reversed()) {
      guard segment.count == 1, case .expression(let bytes)? = segment.first else { continue }
      let name = String(decoding: bytes, as: UTF8.self)
      place = ["path", name]
      let value = PercentEncoding.decodeBytes(segments[position][...]) ?? segments[position]
      guard let rule = rule(forValue: value[...], of: name, .query), rule != .redactPlace,
        let hidden = secret(value[...], rule)
      else { continue }
      segments[position] = Self.encoded(hidden)
      isChanged = true
    }
    return isChanged ? Array(segments.joined(separator: [UInt8(ascii: "/")])) : nil
  }

  /// The pairs of a query, a fragment or a form; `nil` if they have no secret.
  mutating func pairs(_ bytes: ArraySlice<UInt8>, as position: SecretNames.Position) -> [UInt8]? {
    var isChanged = false
    let pairs = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { pair -> [UInt8] in
      guard let hidden = self.pair(pair, position) else { return Array(pair) }
      isChanged = true
      return hidden
    }
    return isChanged ? Array(pairs.joined(separator: [UInt8(ascii: "&")])) : nil
  }

  private mutating func pair(_ pair: ArraySlice<UInt8>, _ position: SecretNames.Position) -> [UInt8]? {
    let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.startIndex
    let raw = pair[equals...].first == UInt8(ascii: "=") ? pair[(equals + 1)...] : pair
    let name = Self.plain(pair[..<equals]).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let value = Self.plain(raw) ?? Array(raw)
    place.append(contentsOf: position == .query ? [] : [name])
    let outer = place
    if position == .query { place = ["query", name] }
    defer {
      place = outer
      if position != .query { place.removeLast() }
    }
    guard !isKept else { return nil }
    let hidden: [UInt8]?
    if let rule = rule(forValue: value[...], of: name, position) {
      hidden = field(value[...], named: name, rule)
    } else {
      hidden = text(value[...], allowsEntropy: strength(of: name, position) != .identifier)
    }
    return hidden.map { Array(pair[..<raw.startIndex]) + Self.encoded($0) }
  }

  /// A name or value without its encoding; `nil` if it is not encoded properly.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    PercentEncoding.decodeBytes(bytes, plusIsSpace: true)
  }
}

struct URLRedactor {
  let pass: RedactionPass

  /// A URL or request target without secrets; `nil` if it has none.
  func redact(_ url: ArraySlice<UInt8>) -> [UInt8]? {
    let fragmentStart = url.firstIndex(of: UInt8(ascii: "#")) ?? url.endIndex
    let queryStart = url[..<fragmentStart].firstIndex(of: UInt8(ascii: "?")) ?? fragmentStart
    let path = pass.at(["path"]) { self.path(url[..<queryStart]) }
    var result = path ?? Array(url[..<queryStart])
    var isChanged = path != nil
    for part in [url[queryStart..<fragmentStart], url[fragmentStart...]] where !part.isEmpty {
      let pairs = pairs(part.dropFirst(), as: .query)
      isChanged = isChanged || pairs != nil
      result += part.prefix(1)
      result += pairs ?? Array(part.dropFirst())
    }
    return isChanged ? result : nil
  }

  /// Everything before the query: the password of a user, tokens among the segments, matrix parameters.
  private func path(_ path: ArraySlice<UInt8>) -> [UInt8]? {
    var start = path.startIndex
    if let colon = path.firstRange(of: "://".utf8) {
      start = path[colon.upperBound...].firstIndex(of: UInt8(ascii: "/")) ?? path.endIndex
    }
    let authority = pass.texts.redact(path[..<start], allowsEntropy: false)
    let known = pathParameters(Array(path[start...]))
    let segments = known ?? Array(path[start...])
    let redacted = segments[...].replacingParts(separatedBy: UInt8(ascii: "/")) { segment in
      pass.texts.redact(segment, allowsEntropy: false, depth: TextRedactor.depthLimit - 1)
    }
    guard authority != nil || known != nil || redacted != nil else { return nil }
    return (authority ?? Array(path[..<start])) + (redacted ?? segments)
  }

  /// The segments of a path without the values of secret expressions of the operation's path, `/reset/{token}`, and without
  /// the tokens of services and links; `nil` if it has none.
  private func pathParameters(_ bytes: [UInt8]) -> [UInt8]? {
    var edits = TextEdits(bytes)
    let secrets = SecretPath.secrets(in: bytes[...])
    for secret in secrets { edits.replace(secret, with: hidden(bytes[secret], .redactQuery)) }
    guard pass.side == .request, let template = pass.operation?.template else {
      return edits.result
    }
    let segments = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    // Base paths come first, so the template fits from the end.
    for (parts, segment) in zip(template.segments.reversed(), segments.reversed()) {
      guard let (name, value) = Self.expression(in: parts, segment), !secrets.contains(where: value.overlaps) else {
        continue
      }
      let plain = PercentEncoding.decodeBytes(bytes[value]) ?? Array(bytes[value])
      let replaced = pass.at(["path", name]) { () -> [UInt8]? in
        guard let rule = pass.rule(forValue: plain[...], of: name, .path), rule != .redactPlace else { return nil }
        return hidden(bytes[value], rule)
      }
      edits.replace(value, with: replaced)
    }
    return edits.result
  }

  private func hidden(_ encoded: ArraySlice<UInt8>, _ rule: Rule) -> [UInt8]? {
    let plain = PercentEncoding.decodeBytes(encoded) ?? Array(encoded)
    return pass.secret(plain[...], rule).map(EncodedText.percentEncoded)
  }

  /// The name and the range of the value of a segment with one expression: `{token}`, `bot{token}`.
  private static func expression(
    in parts: [PathTemplate.Part], _ segment: ArraySlice<UInt8>
  ) -> (name: String, value: Range<Int>)? {
    var name: String?
    var (start, end) = (segment.startIndex, segment.endIndex)
    for part in parts {
      switch part {
      case .expression(let bytes):
        guard name == nil else { return nil }
        name = String(decoding: bytes, as: UTF8.self)
      case .literal(let text) where name == nil: start += text.count
      case .literal(let text): end -= text.count
      }
    }
    return start < end ? name.map { ($0, start..<end) } : nil
  }

  /// The pairs of a query, a fragment or a form with a schema; `nil` if they have no secret.
  func pairs(
    _ bytes: ArraySlice<UInt8>, as position: SecretNames.Position, schema: ResolvedSchema? = nil
  ) -> [UInt8]? {
    bytes.replacingParts(separatedBy: UInt8(ascii: "&")) { pair($0, position, schema) }
  }

  private func pair(
    _ pair: ArraySlice<UInt8>, _ position: SecretNames.Position, _ schema: ResolvedSchema?
  ) -> [UInt8]? {
    let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.startIndex
    let raw = pair[equals...].first == UInt8(ascii: "=") ? pair[(equals + 1)...] : pair
    let name = Self.plain(pair[..<equals]).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let value = Self.plain(raw) ?? Array(raw)
    // A client may send a secret as a name by mistake.
    let parent = position == .query ? ["query"] : pass.place
    let shown = name.isEmpty || pass.isKept ? nil : shownName(name, schema)
    let place = shown.map { String(decoding: $0, as: UTF8.self) } ?? name
    let hidden = pass.at(parent + [place]) { () -> [UInt8]? in
      guard !pass.isKept else { return nil }
      let isMarked = ContractSecrets.isSecret(name, in: schema, value[...])
      guard let rule = pass.rule(forValue: value[...], of: name, position, isMarked: isMarked) else {
        let strength = pass.strength(of: name, position)
        return pass.texts.redact(
          value[...], allowsEntropy: strength != .identifier,
          schema: schema.map { ContractSecrets.member(name, of: $0) })
      }
      return pass.credentials.field(value[...], named: name, rule)
    }
    guard hidden != nil || shown != nil else { return nil }
    let start = shown.map { EncodedText.percentEncoded($0) + [UInt8(ascii: "=")] } ?? Array(pair[..<raw.startIndex])
    return start + (hidden.map(EncodedText.percentEncoded) ?? Array(raw))
  }

  /// A name without secrets; `nil` if it has none.
  private func shownName(_ name: String, _ schema: ResolvedSchema?) -> [UInt8]? {
    var tokens = ContractSecrets.tokens(of: name)
    let secrets =
      schema.map { ContractSecrets.secretNames(in: tokens, of: $0) }
      ?? pass.contracts.flatMap { $0.secretNames(in: tokens, .query) }
    for position in secrets {
      guard let hidden = pass.secret(Array(tokens[position].utf8)[...], .redactSchema) else { continue }
      tokens[position] = String(decoding: hidden, as: UTF8.self)
    }
    guard secrets.isEmpty else { return Array((tokens[0] + tokens.dropFirst().map { "[\($0)]" }.joined()).utf8) }
    return pass.texts.redact(Array(name.utf8)[...], allowsEntropy: false)
  }

  /// A name or value without its encoding; `nil` if it is not encoded properly.
  private static func plain(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    PercentEncoding.decodeBytes(bytes, plusIsSpace: true)
  }
}

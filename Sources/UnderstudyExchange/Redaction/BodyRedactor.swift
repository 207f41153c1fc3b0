/// Finds secrets in bodies, by their media types and by what they look like.
struct BodyRedactor {
  let pass: RedactionPass

  /// A body without content codings and without secrets; `nil` if it has none.
  func redact(_ bytes: [UInt8], _ type: MediaRange?, schema: ResolvedSchema?) -> [UInt8]? {
    guard !bytes.isEmpty else { return nil }
    pass.offset = 0
    defer { pass.offset = 0 }
    return pass.at(["body"]) { content(bytes, type, schema) }
  }

  private func content(_ bytes: [UInt8], _ type: MediaRange?, _ schema: ResolvedSchema?) -> [UInt8]? {
    guard !pass.isKept else { return nil }
    if pass.settings.isSecret(pass.place) == true { return pass.secret(bytes[...], .redactPlace) }
    switch type?.syntax {
    case .multipart?: return multipart(bytes, type, schema) ?? pass.texts.redact(bytes[...])
    case .form?: return pass.urls.pairs(bytes[...], as: .member, schema: schema)
    case .jsonSequence?, .eventStream?: return lines(bytes)
    default: return unknown(bytes, type, schema: schema)
    }
  }

  /// A body by what it looks like: types are often missing or wrong.
  private func unknown(_ bytes: [UInt8], _ type: MediaRange?, schema: ResolvedSchema?) -> [UInt8]? {
    if let charset = type?["charset"], charset.hasPrefix("utf-16") { return recoded(bytes, charset, schema) }
    if let first = bytes.first(where: { $0 > 0x20 }), "{[\"".utf8.contains(first) || 48...57 ~= first,
      var json = JSONRedactor(bytes, in: pass)
    {
      return json.redact(schema: schema)
    }
    if type?.syntax == nil || type?.syntax == .binary {
      if Self.looksLikeForm(bytes) { return pass.urls.pairs(bytes[...], as: .member, schema: schema) }
      guard String(validating: bytes, as: UTF8.self) != nil else { return binary(bytes) }
    }
    pass.members = schema.map(ContractSecrets.members) ?? [:]
    defer { pass.members = [:] }
    return pass.texts.redact(bytes[...])
  }

  /// Text in UTF-16, which no search reads, as UTF-8 and back.
  private func recoded(_ bytes: [UInt8], _ charset: String, _ schema: ResolvedSchema?) -> [UInt8]? {
    guard case .text(let text) = Charset.decode(bytes, as: charset) else { return binary(bytes) }
    return unknown(Array(text.utf8), nil, schema: schema).map {
      Charset.encode(String(decoding: $0, as: UTF8.self), as: charset)
    }
  }

  /// Only secrets that are known are searched for in a file.
  private func binary(_ bytes: [UInt8]) -> [UInt8]? {
    guard pass.settings.applies(.redactEcho) else { return nil }
    var edits = TextEdits(bytes)
    for (range, placeholder) in pass.known.occurrences(in: bytes[...]) { edits.replace(range, with: placeholder) }
    return edits.result
  }

  /// `name=value&...` without white space.
  private static func looksLikeForm(_ bytes: [UInt8]) -> Bool {
    guard let equals = bytes.prefix(256).firstIndex(of: UInt8(ascii: "=")), equals > 0 else { return false }
    return bytes[..<equals].allSatisfy { Entropy.isAlphanumeric($0) || "_-.[]%+".utf8.contains($0) }
      && bytes.allSatisfy { $0 > 0x20 }
  }

  /// A JSON text or an event's field a line.
  private func lines(_ bytes: [UInt8]) -> [UInt8]? {
    var edits = TextEdits(bytes)
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D || $0 == 0x1E } ?? bytes.count
      var content = start
      if bytes[start..<end].starts(with: "data:".utf8) { content += 5 }
      if content < end {
        let line = Array(bytes[content..<end])
        if var json = JSONRedactor(line, in: pass) {
          edits.replace(content..<end, with: json.redact())
        } else {
          pass.offset = content
          edits.replace(content..<end, with: pass.texts.redact(line[...]))
        }
      }
      start = end + 1
    }
    return edits.result
  }

  /// Multipart bodies in multipart bodies, and so on.
  private static let nestingLimit = 8

  /// `nil` if it has no secret, or is not a valid multipart body.
  private func multipart(_ bytes: [UInt8], _ type: MediaRange?, _ schema: ResolvedSchema?) -> [UInt8]? {
    guard let boundary = type?["boundary"], let message = try? MultipartMessage(bytes, boundary: boundary) else {
      return nil
    }
    var edits = TextEdits(bytes)
    for part in message.parts {
      let name = part.name ?? ""
      pass.place.append(name)
      defer { pass.place.removeLast() }
      guard !pass.isKept else { continue }
      pass.offset = part.range.lowerBound
      let value = bytes[part.range]
      let isMarked = ContractSecrets.isSecret(name, in: schema, value)
      if part.filename == nil, let rule = pass.rule(forValue: value, of: name, .member, isMarked: isMarked) {
        edits.replace(part.range, with: pass.credentials.field(value, named: name, rule))
      } else if part.contentType?.syntax == .multipart, pass.place.count < Self.nestingLimit {
        edits.replace(part.range, with: multipart(Array(value), part.contentType, nil))
      } else {
        edits.replace(part.range, with: unknown(Array(value), part.contentType, schema: schema?.property(name)))
      }
    }
    return edits.result
  }
}

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
    case .multipart?: return multipart(bytes, type, schema) ?? unknown(bytes, type, schema: schema)
    case .form?: return pass.urls.pairs(bytes[...], as: .member, schema: schema)
    case .jsonSequence?, .eventStream?:
      if isSecret(bytes[...], schema) { return pass.secret(bytes[...], .redactSchema) }
      return lines(bytes, areOfEvents: type?.syntax == .eventStream, schema)
    default: return unknown(bytes, type, schema: schema)
    }
  }

  /// A body by what it looks like: types are often missing or wrong.
  private func unknown(_ bytes: [UInt8], _ type: MediaRange?, schema: ResolvedSchema?) -> [UInt8]? {
    if let charset = type?["charset"], charset.hasPrefix("utf-16") { return recoded(bytes, charset, schema) }
    let isJSON = type?.syntax == .json
    if let first = bytes.first(where: { $0 > 0x20 }), isJSON || "{[\"".utf8.contains(first) || 48...57 ~= first,
      var json = JSONRedactor(bytes, in: pass)
    {
      return json.redact(schema: isJSON ? schema : schema.map(ContractSecrets.content))
    }
    if let schema, bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) {
      return recoded(bytes, "utf-16", schema)
    }
    if let schema, XMLRedactor.mayRead(bytes) {
      var xml = XMLRedactor(bytes, in: pass)
      if xml.redact(schema) {
        let clean = xml.result
        return pass.texts.redact((clean ?? bytes)[...]) ?? clean
      }
    }
    if isSecret(bytes[...], schema) { return pass.secret(bytes[...], .redactSchema) }
    if type?.syntax == nil || type?.syntax == .binary {
      if Self.looksLikeForm(bytes) { return pass.urls.pairs(bytes[...], as: .member, schema: schema) }
      guard String(validating: bytes, as: UTF8.self) != nil else { return binary(bytes) }
    }
    pass.members = schema.map(ContractSecrets.members) ?? [:]
    defer { pass.members = [:] }
    return pass.texts.redact(bytes[...])
  }

  /// Whether a schema marks a whole text as a secret that it does not list.
  private func isSecret(_ text: ArraySlice<UInt8>, _ schema: ResolvedSchema?) -> Bool {
    schema.map { pass.isMarked($0) && !ContractSecrets.lists($0, text) } ?? false
  }

  /// Text in UTF-16, which no search reads, as UTF-8 and back.
  private func recoded(_ bytes: [UInt8], _ charset: String, _ schema: ResolvedSchema?) -> [UInt8]? {
    guard case .text(let text) = Charset.decode(bytes, as: charset) else {
      return isSecret(bytes[...], schema) ? pass.secret(bytes[...], .redactSchema) : binary(bytes)
    }
    return unknown(Array(text.utf8), nil, schema: schema).map {
      Charset.encode(String(decoding: $0, as: UTF8.self), as: charset)
    }
  }

  /// Searches a file for known secrets alone.
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

  /// A JSON text or an event's field a line, by the schema of the array of texts or events, or of each of them.
  private func lines(_ bytes: [UInt8], areOfEvents: Bool, _ schema: ResolvedSchema?) -> [UInt8]? {
    pass.members = schema.map(ContractSecrets.members) ?? [:]
    defer { pass.members = [:] }
    var edits = TextEdits(bytes)
    var (start, position) = (0, 0)
    // The lines of the data of an event, and their schema.
    var data: (lines: [Range<Int>], schema: ResolvedSchema?) = ([], nil)
    while start < bytes.count {
      let end = bytes[start...].firstIndex { $0 == 0x0A || $0 == 0x0D || $0 == 0x1E } ?? bytes.count
      let item = schema.map { $0.describesArray ? ContractSecrets.element(position, of: $0) : $0 }
      let (range, own) = areOfEvents ? field(start..<end, in: bytes, of: item) : (start..<end, item)
      if areOfEvents, bytes[start..<end].starts(with: "data:".utf8) {
        data.lines.append(range)
        data.schema = own
      } else if !range.isEmpty {
        edits.replace(range, with: line(bytes[range], own))
      }
      if !areOfEvents, start < end { position += 1 }
      let next = end + (bytes[end...].starts(with: [0x0D, 0x0A]) ? 2 : 1)
      // An empty line ends an event.
      if start == end || next >= bytes.count {
        hide(data.lines, in: bytes, of: data.schema, &edits)
        data.lines = []
      }
      start = next
    }
    return edits.result
  }

  /// Hides the secrets in the data of an event, whose lines are one value.
  private func hide(
    _ lines: [Range<Int>], in bytes: [UInt8], of schema: ResolvedSchema?, _ edits: inout TextEdits
  ) {
    let data = Array(lines.map { bytes[$0] }.joined(separator: [0x0A]))
    guard !data.isEmpty, let shown = line(data[...], schema) else { return }
    let parts = shown.split(separator: 0x0A, omittingEmptySubsequences: false)
    // A secret of several lines is replaced by one.
    for (number, range) in lines.enumerated() {
      let part = parts.count == lines.count ? Array(parts[number]) : number == 0 ? shown.filter { $0 != 0x0A } : []
      edits.replace(range, with: part)
    }
  }

  private func line(_ slice: ArraySlice<UInt8>, _ schema: ResolvedSchema?) -> [UInt8]? {
    if var json = JSONRedactor(Array(slice), in: pass) { return json.redact(schema: schema) }
    pass.offset = slice.startIndex
    return isSecret(slice, schema) ? pass.secret(slice, .redactSchema) : pass.texts.redact(slice)
  }

  /// The part of an event's line that is examined, with its schema: the value of a field, or else the line.
  private func field(
    _ line: Range<Int>, in bytes: [UInt8], of event: ResolvedSchema?
  ) -> (value: Range<Int>, schema: ResolvedSchema?) {
    guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else { return (line, event) }
    let name = String(decoding: bytes[line.lowerBound..<colon], as: UTF8.self)
    let isWhole = event.map(pass.isMarked) ?? false
    let own = isWhole ? event : event?.property(name).map(ContractSecrets.content)
    guard name == "data" || own.map(pass.isMarked) ?? false else { return (line, nil) }
    var start = colon + 1
    if start < line.upperBound, bytes[start] == 0x20 { start += 1 }
    // Some contracts describe the data alone.
    return (start..<line.upperBound, own ?? event)
  }

  /// Multipart bodies in multipart bodies, and so on.
  private static let nestingLimit = 8

  /// `nil` if it has no secret, or is not a valid multipart body.
  private func multipart(_ bytes: [UInt8], _ type: MediaRange?, _ schema: ResolvedSchema?) -> [UInt8]? {
    guard let boundary = type?["boundary"], let message = try? MultipartMessage(bytes, boundary: boundary) else {
      return nil
    }
    var edits = TextEdits(bytes)
    var end = 0
    for (position, part) in message.parts.enumerated() {
      let name = part.name ?? ""
      let head = end..<part.range.lowerBound
      end = part.range.upperBound
      let shown = schema.flatMap { hide(name, in: head, of: $0, &edits) } ?? part.name
      pass.place.append(shown ?? String(position))
      defer { pass.place.removeLast() }
      guard !pass.isKept else { continue }
      pass.offset = part.range.lowerBound
      let value = bytes[part.range]
      let own = schema.map { Self.schema(ofPart: part.name, at: position, value, in: $0) }
      let isMarked = ContractSecrets.isSecret(name, in: schema, value) || isSecret(value, own)
      if part.filename == nil || isMarked, let rule = pass.rule(forValue: value, of: name, .member, isMarked: isMarked)
      {
        edits.replace(part.range, with: pass.credentials.field(value, named: name, rule))
      } else if part.contentType?.syntax == .multipart, pass.place.count < Self.nestingLimit {
        edits.replace(part.range, with: multipart(Array(value), part.contentType, own))
      } else {
        edits.replace(part.range, with: unknown(Array(value), part.contentType, schema: own))
      }
    }
    return edits.result
  }

  /// Hides the secret names in the name of a part; returns the name without them, or `nil` if it has none.
  private func hide(_ name: String, in head: Range<Int>, of schema: ResolvedSchema, _ edits: inout TextEdits) -> String?
  {
    var shown = name
    let tokens = ContractSecrets.tokens(of: name)
    for position in ContractSecrets.secretNames(in: tokens, of: schema) {
      let secret = Array(tokens[position].utf8)
      guard let hidden = pass.secret(secret[...], .redactSchema) else { continue }
      for range in edits.ranges(of: secret, in: head) { edits.replace(range, with: hidden) }
      shown = shown.replacing(tokens[position], with: String(decoding: hidden, as: UTF8.self))
    }
    return shown.utf8Equals(name) ? nil : shown
  }

  private static func schema(
    ofPart name: String?, at position: Int, _ value: ArraySlice<UInt8>, in body: ResolvedSchema
  ) -> ResolvedSchema {
    guard let name, !body.describesArray || body.property(name) != nil else {
      return ContractSecrets.element(position, of: body)
    }
    let member = ContractSecrets.member(name, of: body)
    // Each element of an array has a part, or all of them are in one part of JSON.
    return member.types == .array && value.first != UInt8(ascii: "[") ? member.element : member
  }
}

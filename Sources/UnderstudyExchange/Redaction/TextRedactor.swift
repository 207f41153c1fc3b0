/// Finds secrets in text: by their shape, by the names before them, and because they are known.
struct TextRedactor {
  let pass: RedactionPass

  /// Texts in texts, as JSON in a string or base64 of a form, are looked into up to this depth.
  static let depthLimit = 3

  /// A text without the secrets in it, by the schema of the string or of its JSON; `nil` if it has none.
  func redact(
    _ slice: ArraySlice<UInt8>, allowsEntropy: Bool = true, depth: Int = 0, schema: ResolvedSchema? = nil
  ) -> [UInt8]? {
    guard slice.count >= 6, !pass.isKept else { return nil }
    let bytes = Array(slice)
    if depth < Self.depthLimit, var nested = nestedJSON(bytes, depth) {
      let offset = pass.offset
      defer { pass.offset = offset }
      return nested.redact(schema: schema.map(ContractSecrets.content))
    }
    let (contracts, members) = (pass.contracts, pass.members)
    let scan = TextScan(
      bytes, pass.settings,
      .init(
        allowsEntropy: allowsEntropy, keepsSentences: pass.keepsSentences,
        isSecretMember: { name, value in
          contracts.contains { $0.isSecret(member: name) }
            || members[name].map { schema in value.map { !ContractSecrets.lists(schema, $0) } ?? true } ?? false
        },
        isSecretQuery: { name, value in
          contracts.contains { $0.isScheme(name, .query) || $0.isSecret(name, .query, value) }
        }))
    var edits = TextEdits(bytes)
    for span in scan.spans { edits.replace(span.range, with: replacement(of: span, in: bytes)) }
    if pass.settings.applies(.redactEcho) { replaceEchoes(in: bytes, &edits) }
    if depth < Self.depthLimit {
      redactEncoded(in: bytes, allowsEntropy, depth, &edits)
      var covered = edits.coverage
      for run in scan.runs where !covered.overlaps(run) {
        if let plain = EncodedText.decode(bytes[run]), EncodedText.isPrintable(plain),
          let redacted = redact(plain[...], allowsEntropy: allowsEntropy, depth: depth + 1)
        {
          edits.replace(run, with: EncodedText.encode(redacted, like: bytes[run]))
        } else if let redacted = redacted(gzip: bytes[run], allowsEntropy, depth) {
          edits.replace(run, with: redacted)
        } else if let plain = EncodedText.decode(hexadecimal: bytes[run]),
          let redacted = redact(plain[...], allowsEntropy: allowsEntropy, depth: depth + 1)
        {
          edits.replace(run, with: EncodedText.encode(hexadecimal: redacted))
        }
      }
    }
    return edits.result
  }

  /// Text in gzip and base64; `nil` if it is something else, or has no secret.
  private func redacted(gzip run: ArraySlice<UInt8>, _ allowsEntropy: Bool, _ depth: Int) -> [UInt8]? {
    // The base64 of gzip's first three bytes.
    guard run.starts(with: "H4sI".utf8), let packed = EncodedText.decode(run) else { return nil }
    let inflated: [UInt8]?
    do throws(ContentCoding.Failure) {
      inflated = try Inflate.gzip(packed, limit: Self.inflatedLimit)
    } catch {
      // What a longer one holds is unknown.
      if case .limit = error { return pass.secret(run, .redactEntropy, .nowhere) }
      inflated = nil
    }
    guard let plain = inflated, EncodedText.isPrintable(plain),
      let redacted = redact(plain[...], allowsEntropy: allowsEntropy, depth: depth + 1),
      let result = Deflate.encode(redacted, isGzip: true)
    else { return nil }
    return EncodedText.encode(result, like: run)
  }

  private static let inflatedLimit = 1 << 20

  /// Secrets in percent-encoded texts, such as a URL in the query of another: `https%3A%2F%2Fh%2Fx%3Ftoken%3D...`.
  private func redactEncoded(in bytes: [UInt8], _ allowsEntropy: Bool, _ depth: Int, _ edits: inout TextEdits) {
    func belongs(_ byte: UInt8) -> Bool { TextScan.isWord(byte) || ".~%".utf8.contains(byte) }
    var covered = edits.coverage
    var position = 0
    while let percent = bytes[position...].firstIndex(of: UInt8(ascii: "%")) {
      let start = bytes[position..<percent].lastIndex { !belongs($0) }.map { $0 + 1 } ?? position
      let end = bytes[percent...].firstIndex { !belongs($0) } ?? bytes.count
      position = end
      guard !covered.overlaps(start..<end) else { continue }
      // A percent sign without digits stands for itself.
      let plain = UnescapedText(Array(bytes[start..<end]), without: .percent).bytes
      // Without an equals sign or a colon no name stands before a value, unless they are encoded once more.
      guard plain.count < end - start, plain.contains(where: "=:%".utf8.contains), EncodedText.isPrintable(plain),
        let redacted = redact(plain[...], allowsEntropy: allowsEntropy, depth: depth + 1)
      else { continue }
      edits.replace(start..<end, with: EncodedText.percentEncoded(redacted))
    }
  }

  private func nestedJSON(_ bytes: [UInt8], _ depth: Int) -> JSONRedactor? {
    guard bytes.count >= 8, let first = bytes.first(where: { $0 > 0x20 }),
      first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return nil }
    return JSONRedactor(bytes, in: pass, depth: depth + 1)
  }

  private func replacement(of span: TextScan.Span, in bytes: [UInt8]) -> [UInt8]? {
    let offset = pass.offset
    pass.offset += span.range.lowerBound
    defer { pass.offset = offset }
    let value = bytes[span.range]
    switch span.form {
    // A text that only looks generated may be an id, which is not secret in its own place.
    case .plain: return pass.secret(value, span.rule, span.rule == .redactEntropy ? .nowhere : .everywhere)
    case .basic: return pass.credentials.basic(value, span.rule)
    case .markup: return pass.secret(UnescapedText(Array(value), without: .markup).bytes[...], span.rule)
    case .percentEncoded:
      guard let plain = PercentEncoding.decodeBytes(value) else { return pass.secret(value, span.rule) }
      return pass.secret(plain[...], span.rule).map(EncodedText.percentEncoded)
    }
  }

  /// Known secrets, plain, percent-encoded once or (for a URL in a query) twice, and as markup writes them.
  private func replaceEchoes(in bytes: [UInt8], _ edits: inout TextEdits) {
    guard !pass.known.isEmpty else { return }
    let quotes = pass.isMessage ? QuotedParts(bytes) : nil
    for (range, placeholder) in pass.known.occurrences(in: bytes[...]) {
      // A word outside of quotes is one of the message itself.
      if let quotes, !quotes.contain(range), bytes[range].allSatisfy(QuotedParts.isWord) { continue }
      pass.noteEcho(bytes[range])
      edits.replace(range, with: placeholder)
    }
    if bytes.contains(UInt8(ascii: ";")) { replaceEscapedEchoes(in: bytes, .markup, levels: 1, &edits) }
    replaceEscapedEchoes(in: bytes, .percent, levels: 2, &edits)
  }

  private func replaceEscapedEchoes(
    in bytes: [UInt8], _ escape: UnescapedText.Escape, levels: Int, _ edits: inout TextEdits
  ) {
    let mark = UInt8(ascii: escape == .percent ? "%" : "&")
    var plain = bytes
    var positions = plain.contains(mark) ? Array(0...bytes.count) : []
    for level in 1...levels {
      guard plain.contains(mark) else { return }
      let text = UnescapedText(plain, without: escape)
      plain = text.bytes
      positions = text.positions.map { positions[$0] }
      for (range, placeholder) in pass.known.occurrences(in: plain[...]) {
        // One that is not encoded at this level was found before.
        guard text.positions[range.upperBound] - text.positions[range.lowerBound] != range.count else { continue }
        pass.noteEcho(plain[range])
        let encoded =
          escape == .percent
          ? (0..<level).reduce(placeholder) { text, _ in EncodedText.percentEncoded(text) } : placeholder
        edits.replace(positions[range.lowerBound]..<positions[range.upperBound], with: encoded)
      }
    }
  }
}

/// Finds secrets in a text by their shape and by the names before them. Every search is linear in the text.
struct TextScan {
  struct Span: Sendable {
    var range: Range<Int>
    var rule: Rule
    var form = Form.plain
  }

  /// How the secret is written.
  enum Form: Sendable {
    case plain, percentEncoded
    /// `user:password` in base64
    case basic
  }

  struct Options: Sendable {
    /// Whether texts that look generated are secrets.
    var allowsEntropy = true
    /// Whether a sentence behind a name is no secret, as in the errors of a form.
    var keepsSentences = false
    /// Whether the contract names a member as a secret.
    var isSecretMember: @Sendable (String) -> Bool = { _ in false }
  }

  let bytes: [UInt8]
  let settings: RedactionSettings
  let options: Options
  private(set) var spans: [Span] = []
  /// Runs that may be base64 of something.
  private(set) var runs: [Range<Int>] = []

  init(_ bytes: [UInt8], _ settings: RedactionSettings, _ options: Options) {
    self.bytes = bytes
    self.settings = settings
    self.options = options
    scanBlocks()
    scanWords()
    if bytes.contains(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) {
      scanAssignments()
      scanUsers()
    }
    if bytes.contains(UInt8(ascii: " ")) { scanSchemes() }
    if bytes.contains(UInt8(ascii: "<")) { scanMarkup() }
  }

  mutating func add(_ range: Range<Int>, _ rule: Rule, _ form: Form = .plain) {
    guard !range.isEmpty, settings.applies(rule), !Placeholder.isPlaceholder(bytes[range]) else { return }
    spans.append(Span(range: range, rule: rule, form: form))
  }

  // MARK: - Shapes

  private mutating func scanBlocks() {
    var position = 0
    while position + 30 < bytes.count, let start = bytes[position...].firstIndex(of: UInt8(ascii: "-")) {
      guard let block = PrivateKeyBlock(bytes[start...]) else {
        // The rest of a line of dashes is no start either, unless it is the last five.
        position = start + 1
        continue
      }
      add(start..<block.end, .redactPrivateKey)
      position = block.end
    }
  }

  private mutating func scanWords() {
    var (position, runEnd) = (0, 0)
    while position < bytes.count {
      let byte = bytes[position]
      guard Self.isWord(byte) || byte == UInt8(ascii: "$") else {
        position += 1
        continue
      }
      if byte == UInt8(ascii: "e"), let end = JSONWebToken.end(in: bytes, from: position) {
        add(position..<end, .redactJWT)
        position = end
        continue
      }
      if let key = KeyPrefix.key(in: bytes, at: position) {
        add(position..<key.end, .redactPrefix)
        position = key.end
        continue
      }
      if position >= runEnd {
        runEnd = endOfRun(from: position)
        if runEnd - position >= 8 { scanRun(position..<runEnd) }
      }
      position = max(position + 1, bytes[position...].firstIndex { !Self.isWord($0) } ?? bytes.count)
    }
  }

  static func isWord(_ byte: UInt8) -> Bool {
    Entropy.isAlphanumeric(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }

  private func endOfRun(from start: Int) -> Int {
    var end =
      bytes[start...].firstIndex { !Self.isWord($0) && $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "/") }
      ?? bytes.count
    var padding = 0
    while end < bytes.count, bytes[end] == UInt8(ascii: "="), padding < 2 {
      end += 1
      padding += 1
    }
    // `NAME=` is an assignment, not padding.
    let isPadded = padding > 0 && (end - start).isMultiple(of: 4) && (end == bytes.count || !Self.isWord(bytes[end]))
    return isPadded || padding == 0 ? end : end - padding
  }

  private mutating func scanRun(_ range: Range<Int>) {
    runs.append(range)
    guard options.allowsEntropy, range.count >= Entropy.minimumLength, !EncodedText.isFile(bytes, range) else { return }
    let run = bytes[range]
    let isOne = run.last == UInt8(ascii: "=") || run.contains(UInt8(ascii: "+")) || !run.contains(UInt8(ascii: "/"))
    if isOne {
      if hasLongPiece(range) { add(range, .redactEntropy) }
    } else {
      // The parts of a path.
      for part in run.split(separator: UInt8(ascii: "/")) where hasLongPiece(part.startIndex..<part.endIndex) {
        add(part.startIndex..<part.endIndex, .redactEntropy)
      }
    }
  }

  /// Whether a run looks generated, and is not a list of words joined by `-` or `_`.
  private func hasLongPiece(_ range: Range<Int>) -> Bool {
    let pieces = bytes[range].split { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    guard let longest = pieces.max(by: { $0.count < $1.count }), longest.count >= 16 else { return false }
    let counts = Entropy.Counts(longest)
    return counts.changes * 5 >= (longest.count - 1) * 2 && Entropy.looksGenerated(bytes[range])
  }

  /// `Bearer ...` and `Basic ...` in a text.
  private mutating func scanSchemes() {
    for position in bytes.indices where bytes[position] == UInt8(ascii: " ") {
      let isBearer = isBehind("bearer", position)
      guard isBearer || isBehind("basic", position) else { continue }
      let start = position + 1
      let end = bytes[start...].firstIndex { !Entropy.isOpaque($0) } ?? bytes.count
      let value = bytes[start..<end]
      if isBearer {
        let counts = Entropy.Counts(value)
        guard value.count >= 6, counts.digits > 0 || value.count >= 20 else { continue }
        add(start..<end, .redactAuthorization)
      } else if value.count >= 4, Base64.decode(Array(value))?.contains(UInt8(ascii: ":")) == true {
        add(start..<end, .redactAuthorization, .basic)
      }
    }
  }

  private func isBehind(_ word: String, _ position: Int) -> Bool {
    let start = position - word.utf8.count
    guard start >= 0, FieldSyntax.equalIgnoringCase(bytes[start..<position], word.utf8) else { return false }
    return start == 0 || !Entropy.isAlphanumeric(bytes[start - 1])
  }

  /// `scheme://user:password@host`
  private mutating func scanUsers() {
    var position = 0
    while let colon = bytes[position...].firstIndex(of: UInt8(ascii: ":")) {
      position = colon + 1
      guard bytes[position...].starts(with: "//".utf8) else { continue }
      let start = position + 2
      let end = bytes[start...].firstIndex { "/?#\"'<>\\ )\n\r\t".utf8.contains($0) } ?? bytes.count
      position = start
      guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { continue }
      let user = bytes[start..<at]
      let secret = user.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 == at ? start..<$0 : $0 + 1..<at } ?? start..<at
      add(secret, .redactUserInfo, .percentEncoded)
    }
  }
}

/// Text that is base64 of something else.
enum EncodedText {
  /// Whether a run is base64 of a file or of text, a digest with its algorithm, or the content of a data URL.
  static func isFile(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    let run = bytes[range]
    if run.starts(with: "sha256-".utf8) || run.starts(with: "sha384-".utf8) || run.starts(with: "sha512-".utf8) {
      return true
    }
    if bytes[..<range.lowerBound].suffix(7).elementsEqual("base64,".utf8) { return true }
    guard let decoded = decode(run.prefix(64)) else { return false }
    return isPrintable(decoded) || signatures.contains { decoded.starts(with: $0) }
  }

  private static let signatures: [[UInt8]] = [
    [0x89, 0x50, 0x4E, 0x47], Array("GIF8".utf8), [0xFF, 0xD8, 0xFF], Array("%PDF".utf8), [0x50, 0x4B, 3, 4],
    [0x1F, 0x8B],
    Array("RIFF".utf8), Array("OggS".utf8), Array("ID3".utf8), Array("wOFF".utf8), Array("wOF2".utf8), [0, 0, 1, 0],
    // DER: certificates and public keys
    [0x30, 0x82], [0x30, 0x59], [0x30, 0x81],
  ]

  /// The bytes of base64 or base64url, padded or not.
  static func decode(_ run: ArraySlice<UInt8>) -> [UInt8]? {
    let text = run.prefix { $0 != UInt8(ascii: "=") }
    if text.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) { return Base64.decode(url: text) }
    let missing = (4 - text.count % 4) % 4
    return missing == 3 ? nil : Base64.decode(Array(text) + [UInt8](repeating: UInt8(ascii: "="), count: missing))
  }

  /// The same text in the alphabet, and with the padding, of another.
  static func encode(_ plain: [UInt8], like run: ArraySlice<UInt8>) -> [UInt8] {
    if run.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) {
      return Array(Base64.encode(url: plain).utf8)
    }
    let text = Base64.encode(plain).utf8
    return run.last == UInt8(ascii: "=") || run.count.isMultiple(of: 4)
      ? Array(text) : Array(text.prefix { $0 != UInt8(ascii: "=") })
  }

  /// Whether bytes are text that a person may have written.
  static func isPrintable(_ bytes: [UInt8]) -> Bool {
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 || $0 == 10 || $0 == 13 }) else { return false }
    return bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) != nil
  }
}

/// Finds secrets in a text by their shape, and by the names before them. Every search is linear in the text.
struct TextScan {
  struct Span: Sendable {
    var range: Range<Int>
    var rule: Rule
    var form = Form.plain
  }

  enum Form: Sendable {
    case plain, percentEncoded
    /// With the entities of HTML and XML.
    case markup
    /// `user:password` in base64
    case basic
  }

  struct Options: Sendable {
    /// Whether texts that look generated are secrets.
    var allowsEntropy = true
    /// Whether a sentence behind a name is kept, as in the errors of a form.
    var keepsSentences = false
    /// Whether the contract names a member as a secret, whose value it does not list.
    var isSecretMember: @Sendable (_ name: String, _ value: ArraySlice<UInt8>?) -> Bool = { _, _ in false }
    /// Whether the contract names a parameter of a query as a secret, whose value it does not list.
    var isSecretQuery: @Sendable (_ name: String, _ value: ArraySlice<UInt8>?) -> Bool = { _, _ in false }
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
      add(AssignmentScan(bytes, options).spans)
      scanUsers()
    }
    if bytes.contains(UInt8(ascii: " ")) { scanSchemes() }
    if bytes.contains(UInt8(ascii: "<")) { add(MarkupScan(bytes, isSecretMember: options.isSecretMember).spans) }
  }

  private mutating func add(_ spans: [Span]) { for span in spans { add(span.range, span.rule, span.form) } }

  private mutating func add(_ range: Range<Int>, _ rule: Rule, _ form: Form = .plain) {
    guard !range.isEmpty, settings.applies(rule), !Placeholder.isPlaceholder(bytes[range]) else { return }
    spans.append(Span(range: range, rule: rule, form: form))
  }

  // MARK: - Shapes

  private mutating func scanBlocks() {
    var position = 0
    while position + 30 < bytes.count, let start = bytes[position...].firstIndex(of: UInt8(ascii: "-")) {
      guard let block = PrivateKeyBlock(bytes[start...]) else {
        // The rest of a line of dashes cannot start a block either, unless it is the last five.
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

  static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

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
    guard !isIdentified(range.lowerBound) else { return }
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

  /// Returns whether the name of a header without credentials precedes a position: `ETag: W/"..."`.
  private func isIdentified(_ start: Int) -> Bool {
    let before = bytes[..<start].suffix(Self.headerLimit)
    guard let colon = before.lastIndex(of: UInt8(ascii: ":")),
      before[(colon + 1)...].allSatisfy({ " \\\"'W/".utf8.contains($0) })
    else { return false }
    let name = before[..<colon].reversed().drop(while: Self.isQuote).prefix(while: Self.isWord)
    return SecretNames.isKept(header: String(decoding: Array(name.reversed()), as: UTF8.self))
  }

  /// The maximum number of bytes from the start of a header's name to its value.
  private static let headerLimit = 40

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

  /// Finds the tokens in the path of `https://host/reset-password/c6h3kz-0a1b2c3d`, and returns its end.
  private mutating func scanPath(_ start: Int) -> Int {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "/") else { return start }
    let rest = bytes[start...].prefix(SecretPath.lengthLimit)
    let path = rest.prefix { !"?#\"'<>\\ )\n\r\t".utf8.contains($0) }
    for secret in SecretPath.secrets(in: path) { add(secret, .redactQuery, .percentEncoded) }
    return path.endIndex
  }

  /// `scheme://user:password@host`
  private mutating func scanUsers() {
    var (position, endOfPath) = (0, 0)
    while let colon = bytes[position...].firstIndex(of: UInt8(ascii: ":")) {
      position = colon + 1
      guard bytes[position...].starts(with: "//".utf8) else { continue }
      let start = position + 2
      let end = bytes[start...].firstIndex { "/?#\"'<>\\ )\n\r\t".utf8.contains($0) } ?? bytes.count
      position = start
      if let path = WebhookAddress.secret(in: bytes, at: start) { add(path, .redactPrefix) }
      // The segments of an address in the path of another are read once.
      if end >= endOfPath { endOfPath = scanPath(end) }
      guard let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")) else { continue }
      let user = bytes[start..<at]
      let secret = user.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 == at ? start..<$0 : $0 + 1..<at } ?? start..<at
      add(secret, .redactUserInfo, .percentEncoded)
    }
  }
}

/// One pass over an exchange: finds its secrets and replaces them.
///
/// An exchange takes two passes, because a secret may be echoed before the place that shows that it is one.
struct RedactionPass {
  let contracts: [ContractSecrets]
  let settings: RedactionSettings
  let operation: Operation?
  var known: KnownSecrets
  var side = RedactionReport.Side.request
  /// The status of the response; `nil` in the request.
  var status: Int?
  /// The place of the value that is looked at.
  var place: [String] = []
  /// The offset of that value in the body, for the scanner.
  var offset = 0
  private(set) var found: [Found] = []
  private var strengths: [String: SecretNames.Strength] = [:]

  /// A secret that was found.
  struct Found: Sendable {
    var place: RedactionReport.Place
    var offset: Int
    /// Its first bytes.
    var start: [UInt8]
    var count: Int
  }

  /// Texts in texts, as JSON in a string or base64 of a form, are looked into up to this depth.
  static let depthLimit = 3
  /// The bytes of the shortest secret that neither a contract nor a user declares.
  private static let shortest = 3

  init(contracts: [ContractSecrets], settings: RedactionSettings, operation: Operation?, known: KnownSecrets) {
    self.contracts = contracts
    self.settings = settings
    self.operation = operation
    self.known = known
  }

  // MARK: - Values

  /// A secret's placeholder; `nil` if it stays.
  mutating func secret(
    _ value: ArraySlice<UInt8>, _ rule: Rule, _ search: KnownSecrets.Search = .everywhere, isNumber: Bool = false
  ) -> [UInt8]? {
    let isDeclared = [.redactPlace, .redactSecurity, .redactSchema].contains(rule)
    guard settings.applies(rule), !value.isEmpty, value.count >= Self.shortest || isDeclared,
      !Placeholder.isPlaceholder(value)
    else { return nil }
    note(rule, value)
    return isNumber ? known.number(for: value) : known.placeholder(for: value, search)
  }

  private mutating func note(_ rule: Rule, _ value: ArraySlice<UInt8>) {
    let place = RedactionReport.Place(rule: rule.id, side: side, pointer: JSONPointer(place).description)
    found.append(Found(place: place, offset: offset, start: Array(value.prefix(320)), count: value.count))
  }

  /// Why the value of a field is a secret as a whole; `nil` if it is a text like others.
  mutating func rule(
    forValue value: ArraySlice<UInt8>, of name: String, _ position: SecretNames.Position,
    isMarked: Bool = false
  ) -> Rule? {
    if let isSecret = settings.isSecret(place) { return isSecret ? .redactPlace : nil }
    if let location = position.location {
      if contracts.contains(where: { $0.isScheme(name, location) }) { return .redactSecurity }
      if contracts.contains(where: { $0.isSecret(name, location) }) { return .redactSchema }
    } else if isMarked || contracts.contains(where: { $0.isSecret(member: name) }) {
      return .redactSchema
    }
    let rule = position.rule
    guard settings.applies(rule) else { return nil }
    switch strength(of: name, position) {
    case .strong: return isSentence(value, position) ? nil : rule
    case .weak:
      if position == .query {
        let isDocumented = contracts.contains { $0.documentsQuery(name) }
        let isCode = SecretNames.words(of: name).last == "code"
        let looksGenerated =
          isCode ? Entropy.looksLikeGrant(value) : Entropy.looksGenerated(weaklyNamed: value)
        return looksGenerated && (!isDocumented || Entropy.looksGenerated(value)) ? rule : nil
      }
      return Entropy.looksGenerated(weaklyNamed: value) ? rule : nil
    case .none, .identifier: return nil
    }
  }

  /// Whether a text is kept, echoes of secrets included, because the configuration says so.
  var isKept: Bool { settings.isSecret(place) == false }

  /// The errors of a form are sentences: `{"password": "is too short"}`.
  private func isSentence(_ value: ArraySlice<UInt8>, _ position: SecretNames.Position) -> Bool {
    position == .member && keepsSentences && value.contains(UInt8(ascii: " "))
  }

  private var keepsSentences: Bool { (status ?? 0) >= 400 }

  mutating func strength(of name: String, _ position: SecretNames.Position) -> SecretNames.Strength {
    guard position == .member else { return SecretNames.strength(of: name, as: position) }
    if let known = strengths[name] { return known }
    let strength = SecretNames.strength(of: name, as: position)
    if strengths.count < 10_000 { strengths[name] = strength }
    return strength
  }

  // MARK: - Texts

  /// A text without the secrets in it; `nil` if it has none.
  mutating func text(_ slice: ArraySlice<UInt8>, allowsEntropy: Bool = true, depth: Int = 0) -> [UInt8]? {
    guard slice.count >= 6, !isKept else { return nil }
    let bytes = Array(slice)
    if depth < Self.depthLimit, let nested = nestedJSON(bytes, depth) { return nested.isChanged ? nested.bytes : nil }
    let contracts = contracts
    let scan = TextScan(
      bytes, settings,
      .init(
        allowsEntropy: allowsEntropy, keepsSentences: keepsSentences,
        isSecretMember: { name in contracts.contains { $0.isSecret(member: name) } }))
    var edits = TextEdits(bytes)
    for span in scan.spans { edits.replace(span.range, with: replacement(of: span, in: bytes)) }
    if isEchoOn { replaceEchoes(in: bytes, &edits) }
    if depth < Self.depthLimit {
      var covered = edits.coverage
      for run in scan.runs where !covered.overlaps(run) {
        if let plain = EncodedText.decode(bytes[run]), EncodedText.isPrintable(plain),
          let redacted = text(plain[...], allowsEntropy: allowsEntropy, depth: depth + 1)
        {
          edits.replace(run, with: EncodedText.encode(redacted, like: bytes[run]))
        }
      }
    }
    return edits.result
  }

  private var isEchoOn: Bool { settings.applies(.redactEcho) }

  private mutating func echo(_ value: ArraySlice<UInt8>, _ placeholder: [UInt8]) -> [UInt8] {
    note(.redactEcho, value)
    return placeholder
  }

  private mutating func replacement(of span: TextScan.Span, in bytes: [UInt8]) -> [UInt8]? {
    let offset = offset
    self.offset += span.range.lowerBound
    defer { self.offset = offset }
    let value = bytes[span.range]
    switch span.form {
    // What only looks generated may be an id, which is no secret in its own place.
    case .plain: return secret(value, span.rule, span.rule == .redactEntropy ? .nowhere : .everywhere)
    case .basic: return basic(value, span.rule)
    case .percentEncoded:
      guard let plain = PercentEncoding.decodeBytes(value) else { return secret(value, span.rule) }
      return secret(plain[...], span.rule).map(Self.encoded)
    }
  }

  /// Known secrets, plain and percent-encoded.
  private mutating func replaceEchoes(in bytes: [UInt8], _ edits: inout TextEdits) {
    guard !known.isEmpty else { return }
    for (range, placeholder) in known.occurrences(in: bytes[...]) {
      edits.replace(range, with: echo(bytes[range], placeholder))
    }
    guard bytes.contains(UInt8(ascii: "%")) else { return }
    let (plain, positions) = Self.decoded(bytes)
    for (range, placeholder) in known.occurrences(in: plain[...]) {
      let raw = positions[range.lowerBound]..<positions[range.upperBound]
      if raw.count != range.count { edits.replace(raw, with: Self.encoded(echo(plain[range], placeholder))) }
    }
  }

  /// A text without its percent-encoding, and where each byte, and the end, is in it.
  private static func decoded(_ bytes: [UInt8]) -> (plain: [UInt8], positions: [Int]) {
    var plain: [UInt8] = []
    var positions: [Int] = []
    var position = 0
    while position < bytes.count {
      positions.append(position)
      if bytes[position] == UInt8(ascii: "%"), position + 2 < bytes.count,
        let high = PercentEncoding.hexValue(bytes[position + 1]),
        let low = PercentEncoding.hexValue(bytes[position + 2])
      {
        plain.append(high << 4 | low)
        position += 3
      } else {
        plain.append(bytes[position])
        position += 1
      }
    }
    return (plain, positions + [position])
  }

  static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    bytes.allSatisfy { $0 < 0x80 }
      ? Array(PercentEncoding.encode(String(decoding: bytes, as: UTF8.self)).utf8) : bytes
  }

  /// `user:password` in base64; `nil` if it stays.
  mutating func basic(_ value: ArraySlice<UInt8>, _ rule: Rule) -> [UInt8]? {
    guard known.isTyped, let plain = EncodedText.decode(value), let colon = plain.firstIndex(of: UInt8(ascii: ":"))
    else {
      return secret(value, rule)
    }
    let (user, password) = (plain[..<colon], plain[(colon + 1)...])
    // Some services take a token as the user, and no password.
    let isToken = password.isEmpty || password.elementsEqual("x-oauth-basic".utf8)
    let isHidden = isToken || user.count >= Self.shortest
    let hidden = (isHidden ? secret(user, rule, isToken ? .everywhere : .nowhere) : nil) ?? Array(user)
    let rest = isToken ? Array(password) : secret(password, rule) ?? Array(password)
    let text = hidden + [UInt8(ascii: ":")] + rest
    return text.elementsEqual(plain) ? nil : EncodedText.encode(text, like: value)
  }
}

extension SecretNames.Position {
  /// The location of a parameter; `nil` for a member of a body.
  var location: Parameter.Location? {
    switch self {
    case .header: .header
    case .query: .query
    case .cookie: .cookie
    case .member: nil
    }
  }

  var rule: Rule {
    switch self {
    case .header: .redactHeader
    case .query: .redactQuery
    case .cookie: .redactCookie
    case .member: .redactMember
    }
  }
}

/// Replacements in a text, of which the first that covers a byte counts.
struct TextEdits {
  private let bytes: [UInt8]
  private var edits: [(range: Range<Int>, text: [UInt8])] = []

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func replace(_ range: Range<Int>, with text: [UInt8]?) {
    if let text { edits.append((range, text)) }
  }

  /// The replaced ranges, to be asked from left to right.
  struct Coverage {
    fileprivate let ranges: [Range<Int>]
    fileprivate var next = 0

    mutating func overlaps(_ range: Range<Int>) -> Bool {
      while next < ranges.count, ranges[next].upperBound <= range.lowerBound { next += 1 }
      return next < ranges.count && ranges[next].lowerBound < range.upperBound
    }
  }

  var coverage: Coverage { Coverage(ranges: edits.map(\.range).sorted { $0.lowerBound < $1.lowerBound }) }

  /// The text with its replacements; `nil` if there are none.
  var result: [UInt8]? {
    guard !edits.isEmpty else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    // Of those that start together the longest.
    for (range, text) in edits.sorted(by: {
      ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count)
    })
    where range.lowerBound >= position {
      result += bytes[position..<range.lowerBound]
      result += text
      position = range.upperBound
    }
    return result + bytes[position...]
  }
}

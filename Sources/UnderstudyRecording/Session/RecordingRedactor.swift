/// Removes the secrets of a recording: of every exchange before anything of it is kept, and again at the end, when all
/// secrets are known.
package struct RecordingRedactor: Sendable {
  private var redactor: Redactor
  /// The hashes of requests whose secrets are known.
  private var known: Set<Int> = []

  private static let knownLimit = 10_000

  package init(_ contracts: [ContractSecrets], _ settings: RedactionSettings = RedactionSettings()) {
    redactor = Redactor(contracts, settings: settings)
  }

  var report: RedactionReport { redactor.report }

  /// What stands in the place of secrets.
  var placeholders: Set<[UInt8]> { redactor.placeholders }

  /// The exchange without its secrets.
  package mutating func redact(_ entry: HAREntry, of operation: Operation?) -> HAREntry {
    var content = Self.content(entry, operation)
    content.response = HTTPResponse(
      status: .init(integerLiteral: min(max(entry.answer.status, 100), 999)), headerFields: entry.answer.fields)
    content.responseBody = entry.answer.body.bytes
    content = redactor.redact(content)
    var entry = entry
    entry.url = Self.url(content.request) ?? entry.url
    entry.requestFields = content.request.headerFields
    entry.requestBody = Self.replacing(entry.requestBody, content.requestBody)
    entry.answer.fields = content.response?.headerFields ?? HTTPFields()
    entry.answer.body = Self.replacing(entry.answer.body, content.responseBody)
    return entry
  }

  /// Learns the secrets of a request whose answer is known already, or not recorded: another answer may hold them.
  mutating func learn(_ entry: HAREntry, of operation: Operation?) {
    var hasher = Hasher()
    hasher.combine(entry.url)
    for field in entry.requestFields { hasher.combine(field.value) }
    entry.requestBody.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    guard known.count < Self.knownLimit, known.insert(hasher.finalize()).inserted else { return }
    _ = redactor.redact(Self.content(entry, operation))
  }

  /// The same for a request that got no answer.
  package mutating func learn(_ request: ExchangeContent) { _ = redactor.redact(request) }

  /// A kept answer without the secrets that were found since.
  mutating func redact(_ answer: RecordedAnswer, of operation: Operation) -> RecordedAnswer {
    var answer = answer
    var fields = HTTPFields(answer.headers)
    if let type = answer.contentType { fields[.contentType] = type }
    var content = ExchangeContent(
      HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
      response: HTTPResponse(status: .init(integerLiteral: answer.status), headerFields: fields),
      responseBody: answer.body, isResponseDecoded: true, operation: operation)
    content = redactor.redact(content)
    if content.responseBody != answer.body {
      let isJSON = answer.contentType.flatMap { MediaRange($0) }?.syntax == .json
      answer.body = isJSON ? RecordedAnswer.pretty(content.responseBody) : content.responseBody
    }
    answer.template = answer.template.map { Array(text(String(decoding: $0, as: UTF8.self)).utf8) }
    answer.headers = (content.response?.headerFields ?? [:]).filter { $0.name != .contentType }.map {
      ($0.name.rawName, $0.value)
    }
    answer.violations = answer.violations.map { $0.redacted { text($0) } }
    return answer
  }

  /// A message of a socket without secrets.
  ///
  /// - Parameter message: JSON.
  mutating func redact(message: [UInt8]) -> [UInt8] {
    let content = ExchangeContent(
      HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"),
      response: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), responseBody: message,
      isResponseDecoded: true)
    return redactor.redact(content).responseBody
  }

  /// A text without secrets.
  mutating func text(_ text: String) -> String { redactor.redact(text: text) }

  /// A text without the secrets that were found so far: an answer may repeat a secret that only a later request shows to be
  /// one.
  func hidingKnown(in text: String) -> String { redactor.hidingKnown(in: text) }

  /// A file of an earlier recording without the secrets that were found in this one; `nil` if it has none.
  func hidingKnown(in bytes: [UInt8], ofFile path: String) -> [UInt8]? {
    redactor.hidingKnown(in: bytes, FixtureScan.mediaType(ofFile: path))
  }

  /// Whether a condition shows a secret: a path may have one.
  mutating func hasSecret(_ matcher: RequestMatcher) -> Bool {
    matcher.conditions.contains { condition in
      let texts: [String] =
        switch condition.test {
        case .equals(let text): [text]
        case .oneOf(let texts): texts
        default: []
        }
      return texts.contains { !self.text($0).utf8Equals($0) }
    }
  }

  /// Whether a value of a request may be a secret, by its place: `/query/token`.
  static func isSecret(_ pointer: String) -> Bool {
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.count > 1 else { return false }
    let position: SecretNames.Position = tokens[0] == "query" ? .query : .member
    return tokens.dropFirst().contains { [.strong, .weak].contains(SecretNames.strength(of: $0, as: position)) }
  }

  // MARK: - Parts

  private static func content(_ entry: HAREntry, _ operation: Operation?) -> ExchangeContent {
    let reference = URIReference(entry.url)
    let request = HTTPRequest(
      method: HTTPRequest.Method(entry.method) ?? .get, scheme: reference.scheme, authority: reference.authority,
      path: (reference.path.isEmpty ? "/" : reference.path) + (reference.query.map { "?" + $0 } ?? ""),
      headerFields: entry.requestFields)
    return ExchangeContent(request, body: entry.requestBody.bytes, isResponseDecoded: true, operation: operation)
  }

  private static func url(_ request: HTTPRequest) -> String? {
    guard let scheme = request.scheme, let authority = request.authority else { return nil }
    return "\(scheme)://\(authority)\(request.path ?? "/")"
  }

  private static func replacing(_ body: RecordedBody, _ bytes: [UInt8]) -> RecordedBody {
    switch body {
    case .bytes: .bytes(bytes)
    case .rebuilt: .rebuilt(bytes)
    case .unknown: body
    }
  }
}

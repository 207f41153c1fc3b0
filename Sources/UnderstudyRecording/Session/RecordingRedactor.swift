/// Removes the secrets of a recording from every exchange before it is stored, and finally when all are known.
package struct RecordingRedactor: Sendable {
  private var redactor: Redactor
  /// The hashes of requests whose secrets are known.
  private var known: Set<Int> = []

  private static let knownLimit = 10_000

  package init(_ contracts: [ContractSecrets], _ settings: RedactionSettings = RedactionSettings()) {
    redactor = Redactor(contracts, settings: settings)
  }

  var report: RedactionReport { redactor.report }

  var placeholders: Set<[UInt8]> { redactor.placeholders }

  package mutating func redact(_ exchange: Exchange, of operation: Operation?) -> Redacted<Exchange> {
    redactor.redact(exchange, of: operation)
  }

  /// Learns the secrets of a request whose response is known already, or not recorded: another response may hold them.
  package mutating func learn(requestOf exchange: Exchange, _ operation: Operation?) {
    var hasher = Hasher()
    hasher.combine(exchange.url)
    for field in exchange.requestFields { hasher.combine(field.value) }
    exchange.requestBody.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    guard known.count < Self.knownLimit, known.insert(hasher.finalize()).inserted else { return }
    redactor.learn(Exchange(exchange.request, body: exchange.requestBody), of: operation)
  }

  package mutating func learn(_ exchange: Exchange, of operation: Operation?) {
    redactor.learn(exchange, of: operation)
  }

  /// A kept answer without the secrets that were found since.
  mutating func redact(_ answer: RecordedAnswer, of operation: Operation) -> RecordedAnswer {
    var answer = answer
    var fields = HTTPFields(answer.headers)
    if let type = answer.contentType { fields[.contentType] = type }
    let response = Exchange.Response(status: answer.status, fields: fields, body: .bytes(answer.body))
    let clean = redactor.redact(Exchange(response), of: operation).value.response ?? response
    if clean.body.bytes != answer.body {
      let isJSON = response.mediaType?.syntax == .json
      answer.body = isJSON ? RecordedAnswer.pretty(clean.body.bytes) : clean.body.bytes
    }
    answer.template = answer.template.map { Array(text(String(decoding: $0, as: UTF8.self)).utf8) }
    answer.headers = clean.fields.filter { $0.name != .contentType }.map {
      ($0.name.rawName, $0.value)
    }
    answer.violations = answer.violations.map { finding in finding.redacted { text($0) } }
    return answer
  }

  /// A message of a socket, in JSON, without secrets.
  mutating func redact(message: [UInt8]) -> [UInt8] { redactor.redact(arguments: message, []).value }

  mutating func text(_ text: String) -> String { redactor.redact(text: text).value }

  /// A string without known secrets: a response may repeat a secret that only a later request shows to be one.
  func hidingKnown(in text: String) -> Redacted<String> { redactor.hidingKnown(in: text) }

  /// A file of an earlier recording without the secrets that were found in this one; `nil` if it has none.
  func hidingKnown(in bytes: [UInt8], ofFile path: String) -> [UInt8]? {
    redactor.hidingKnown(in: bytes, FixtureScan.mediaType(ofFile: path))
  }

  /// Whether a condition shows a secret: a path may have one.
  mutating func hasSecret(_ matcher: RequestMatcher) -> Bool {
    matcher.conditions.contains { condition in condition.test.texts.contains { !self.text($0).utf8Equals($0) } }
  }

  /// Whether a value of a request may be a secret, by its place: `/query/token`.
  static func isSecret(_ pointer: String) -> Bool {
    guard let tokens = JSONPointer(pointer)?.tokens, tokens.count > 1 else { return false }
    let position: SecretNames.Position = tokens[0] == "query" ? .query : .member
    return tokens.dropFirst().contains { [.strong, .weak].contains(SecretNames.strength(of: $0, as: position)) }
  }
}

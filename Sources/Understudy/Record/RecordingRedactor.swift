/// Removes the secrets of a recording before anything is kept.
struct RecordingRedactor: Sendable {
  private let redaction: Redaction

  init(_ contracts: [API]) { redaction = Redaction(contracts) }

  /// Whether a place of an exchange holds a secret: `/query/token`.
  func isSecret(_ pointer: String) -> Bool { redaction.isSecret(pointer) }

  /// The exchange without its secrets.
  mutating func redact(_ entry: HAREntry) -> HAREntry {
    var entry = entry
    entry.url = redaction.url(entry.url)
    entry.requestFields = fields(entry.requestFields)
    entry.requestBody = body(entry.requestBody, entry.requestFields)
    entry.answer.fields = fields(entry.answer.fields)
    entry.answer.body = body(entry.answer.body, entry.answer.fields)
    return entry
  }

  private func fields(_ fields: HTTPFields) -> HTTPFields {
    HTTPFields(fields.map { HTTPField(name: $0.name, value: redaction.value($0.name.rawName, $0.value)) })
  }

  private func body(_ body: RecordedBody, _ fields: HTTPFields) -> RecordedBody {
    guard case .bytes(let bytes) = body else { return body }
    return .bytes(redaction.body(bytes, fields.first(named: "content-type").flatMap { MediaRange($0) }))
  }
}

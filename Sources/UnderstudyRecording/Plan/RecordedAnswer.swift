/// The answer of a server in the form of a fixture: decoded, readable, without what changes in every run.
package struct RecordedAnswer: Sendable {
  package var status: Int
  /// The `Content-Type` with its parameters; `nil` if the server sent none.
  var contentType: String?
  /// Those that a fixture keeps.
  var headers: [(name: String, value: String)]
  var body: [UInt8]
  /// The body with placeholders for what it repeats from the request or the clock.
  var template: [UInt8]?
  /// The time before each record of a stream; empty for a body that is sent at once.
  var pauses: [Duration] = []
  /// What the answer breaks in the contract, one finding for each rule.
  var violations: [Diagnostic] = []
  /// The time of the exchange: `2026-11-21T09:41:00Z`; empty if unknown.
  var recordedAt: String

  /// `nil` for an exchange without a response.
  package init?(_ clean: Redacted<Exchange>, of operation: CompiledOperation) {
    let exchange = clean.value
    guard let response = exchange.response else { return nil }
    status = response.status
    let type = response.fields.first(named: "content-type")
    (body, contentType) = Self.readable(operation.operation.method == "HEAD" ? [] : response.body.bytes, type)
    let records = StreamRecords(self.body, type.flatMap { MediaRange($0) })
    if records?.count == response.pauses.count { pauses = response.pauses }
    headers = RecordedHeaders(of: operation, status: status, requestURL: exchange.url).kept(of: response.fields)
    recordedAt = exchange.startedAt.map { Timestamp.text(microseconds: $0).prefix(19) + "Z" } ?? ""
  }

  /// JSON with a member a line, in its order and with its numbers as written; text in UTF-8; anything else as it is.
  private static func readable(_ body: [UInt8], _ type: String?) -> ([UInt8], String?) {
    guard !body.isEmpty, let type, let media = MediaRange(type) else { return (body, type) }
    switch media.syntax {
    case .json:
      return (pretty(body), type)
    case .text, .xml:
      guard let charset = media["charset"], !["utf-8", "utf8"].contains(charset),
        media.syntax == .text, case .text(let text) = Charset.decode(body, as: charset)
      else { return (body, type) }
      return (Array(text.utf8), "\(media.essence); charset=utf-8")
    default: return (body, type)
    }
  }

  /// JSON with a member a line; anything else as it is.
  static func pretty(_ body: [UInt8]) -> [UInt8] {
    (try? JSONParser.parse(body).root).map { JSONWriter.bytes($0, .pretty) + [0x0A] } ?? body
  }

  var lacksType: Bool { contentType == nil && !body.isEmpty }

  /// Whether the body, which is no template, has what a template takes for a tag.
  var hasTag: Bool { template == nil && TemplateTag.first(in: body) != nil }

  /// Of its file: `json`.
  var fileExtension: String {
    let own = FileExtension.forMediaType(contentType ?? "application/octet-stream")
    // A plain `.yaml` would be a description.
    return ["yaml", "yml"].contains(own) ? "bin" : own
  }

  /// The media type that only a description can state; `nil` where extension and contract lead to the same.
  func statedType(in operation: CompiledOperation) -> String? {
    guard let contentType, !body.isEmpty else { return contentType }
    let documented = operation.operation.response(for: status)?.content ?? []
    let derived = FileExtension.mediaType(fileExtension, documented: documented)
    guard let own = MediaRange(contentType), let other = MediaRange(derived), own.essence == other.essence else {
      return contentType
    }
    // A charset is a part of the field that a client reads, as is a boundary.
    return own.hasParameters(of: other) ? nil : contentType
  }

  /// The same as a fixture, to be validated.
  func fixture(of operation: CompiledOperation, violates: [String]) -> Fixture {
    Fixture(
      operationId: operation.id, status: .code(status), name: nil, source: SourceFile(path: "", bytes: []),
      summary: nil, headers: headers, omittedHeaders: lacksType ? ["content-type"] : [],
      contentType: statedType(in: operation),
      body: .bytes(body, fileExtension: fileExtension), when: nil, violates: violates)
  }

  /// The violations by the fixture: the server's, as far as a file can have them, and what `verify` finds in the file.
  package mutating func findViolations(
    _ findings: [Diagnostic], of operation: CompiledOperation, _ options: ValidationOptions
  ) {
    let errors = findings.filter { $0.severity == .error && $0.owner == .provider }
    let meant = fixture(of: operation, violates: errors.map(\.rule.id).unique())
    var seen: Set<String> = []
    violations = FixtureValidator(operation, options).broken(by: meant).compactMap { finding in
      guard finding.severity != .info, seen.insert(finding.rule.id).inserted else { return nil }
      return errors.first { $0.rule == finding.rule } ?? finding
    }.sorted { $0.rule.id < $1.rule.id }
  }

  /// Whether another response has the same fields, apart from times, versions and sessions.
  func hasFields(of other: RecordedAnswer) -> Bool {
    MediaRange.areEqual(contentType, other.contentType) && Self.stable(headers) == Self.stable(other.headers)
  }

  /// The fields that distinguish responses, without ids and times in their values.
  static func stable(_ headers: [(name: String, value: String)]) -> [StableField] {
    headers.map { header in
      let name = FieldSyntax.lowercased(header.name.utf8)
      if passing.contains(name) { return StableField(name: name, value: []) }
      // The value of a cookie is a secret.
      let value = name == "set-cookie" ? header.value.prefix { $0 != "=" } : header.value[...]
      return StableField(name: name, value: VolatileText.maskedValues(Array(value.utf8), masksPlaceholders: true))
    }
  }

  struct StableField: Hashable {
    /// The field name in lower case.
    let name: String
    let value: [UInt8]
  }

  /// Fields with times and versions, which one fixture has for several responses.
  private static let passing: Set<String> = ["age", "expires", "etag", "last-modified"]
}

extension MediaRange {
  /// Whether two values of `Content-Type` are equal, apart from the boundary, which a server generates for each response.
  static func areEqual(_ first: String?, _ second: String?) -> Bool {
    guard let first, let second, var own = MediaRange(first), var other = MediaRange(second) else {
      return first == second
    }
    own.parameters.removeAll { $0.name == "boundary" }
    other.parameters.removeAll { $0.name == "boundary" }
    return own.essence == other.essence && own.hasParameters(of: other)
  }

  func hasParameters(of other: MediaRange) -> Bool {
    parameters.count == other.parameters.count && parameters.allSatisfy { other[$0.name] == $0.value }
  }
}

extension Exchange.Response {
  /// A hash of the type, the fields that a fixture keeps and a body, valid within this process.
  func hash(with body: [UInt8], _ headers: [(name: String, value: String)]) -> Int {
    var hasher = Hasher()
    hasher.combine(fields.first(named: "content-type"))
    hasher.combine(RecordedAnswer.stable(headers))
    body.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }
}

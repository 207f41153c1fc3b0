/// A problem of a client, as a lane keeps it.
package struct LaneFinding: Sendable, Hashable {
  /// The notes are the requests that prove it, the last one included: `request 3: GET /v1/user -> 401`.
  package let diagnostic: Diagnostic
  /// The id of the operation of the last request.
  package let operation: String?
  package internal(set) var count = 1

  package var isAboutSockets: Bool { diagnostic.rule.isAboutSockets }

  /// Whether the finding belongs to a check that the end of an exchange can break.
  var isAboutEnds: Bool { ClientChecks.named(diagnostic.rule.id)?.checksEnds == true }

  /// - Parameters:
  ///   - exchange: The last request; `nil` where a request is missing.
  ///   - isProven: Whether the notes name it already.
  init(_ diagnostic: Diagnostic, by exchange: RequestDigest?, isProven: Bool = false, operation: String? = nil) {
    var proven = diagnostic
    proven.location = diagnostic.location?.pointer.map { Location(exchange: $0) }
    proven.notes = diagnostic.notes.map { Diagnostic.Note($0.message) }
    if let exchange, !isProven {
      proven.notes.append(Diagnostic.Note("request \(exchange.number): \(exchange.text)"))
    }
    self.diagnostic = proven
    self.operation = exchange?.operation ?? operation
  }

  /// The finding about requests that the state of a lane has not seen, by their number if the journal still holds it.
  init(_ problem: UnnamedRequests.Problem, number: Int?) {
    var proven = problem.diagnostic
    proven.notes.append(Diagnostic.Note((number.map { "request \($0): " } ?? "") + problem.request))
    self.init(proven, by: nil, operation: problem.operation)
    count = problem.count
  }

  func json(_ redactor: inout Redactor) -> Redacted<JSON> {
    redactor.redact(diagnostic).map { diagnostic in
      var members = diagnostic.members(.brief(notes: "requests"))
      members.insert(("operation", operation.map(JSON.string)), at: 2)
      return .object(present: members + [("count", .integer(count))])
    }
  }
}

extension LaneFinding: Codable {
  /// A rule is stored as its id.
  private struct Stored: Codable {
    var rule: String
    var severity: Severity
    var owner: Owner
    var operation: String?
    var message: String
    var help: String?
    var pointer: String?
    var requests: [String]
    var count: Int
  }

  package init(from decoder: any Decoder) throws {
    let stored = try Stored(from: decoder)
    guard let rule = Rule.named(stored.rule) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "unknown rule"))
    }
    var diagnostic = Diagnostic(
      rule, stored.message, at: stored.pointer.map { Location(exchange: $0) }, severity: stored.severity,
      notes: stored.requests.map { Diagnostic.Note($0) }, help: stored.help)
    diagnostic.owner = stored.owner
    self.diagnostic = diagnostic
    operation = stored.operation
    count = stored.count
  }

  package func encode(to encoder: any Encoder) throws {
    let stored = Stored(
      rule: diagnostic.rule.id, severity: diagnostic.severity, owner: diagnostic.owner, operation: operation,
      message: diagnostic.message, help: diagnostic.help, pointer: diagnostic.location?.pointer,
      requests: diagnostic.notes.map(\.message), count: count)
    try stored.encode(to: encoder)
  }
}

/// The requests of the lane without a name since its start: the state of the lane sees only those that depend on it, and
/// the journal drops the oldest.
package struct UnnamedRequests: Codable, Sendable, Hashable {
  package private(set) var count = 0
  /// What the client broke, each problem once.
  private(set) var problems: [Problem] = []

  struct Problem: Sendable, Hashable {
    let diagnostic: Diagnostic
    let operation: String?
    /// The first request: `GET /v1/user -> 401`.
    let request: String
    var count = 1

    func isSame(as other: Diagnostic) -> Bool { diagnostic.rule == other.rule && diagnostic.message == other.message }
  }

  mutating func note(_ exchange: ServedRequest) {
    count += 1
    for diagnostic in exchange.reply.diagnostics where diagnostic.owner == .client {
      let status = exchange.status.map(String.init) ?? "no response"
      add(
        Problem(
          diagnostic: diagnostic, operation: exchange.reply.operation?.id,
          request: "\(exchange.method) \(exchange.target) -> \(status)"))
    }
  }

  private mutating func add(_ problem: Problem) {
    if let known = problems.firstIndex(where: { $0.isSame(as: problem.diagnostic) }) {
      problems[known].count += problem.count
    } else if problems.count < LaneState.findingLimit {
      problems.append(problem)
    }
  }

  static func + (one: UnnamedRequests, other: UnnamedRequests) -> UnnamedRequests {
    var sum = one
    sum.count += other.count
    for problem in other.problems { sum.add(problem) }
    return sum
  }
}

extension UnnamedRequests.Problem: Codable {
  /// A rule is stored as its id.
  private struct Stored: Codable {
    var rule: String
    var severity: Severity
    var owner: Owner
    var message: String
    var help: String?
    var pointer: String?
    var operation: String?
    var request: String
    var count: Int
  }

  init(from decoder: any Decoder) throws {
    let stored = try Stored(from: decoder)
    guard let rule = Rule.named(stored.rule) else {
      throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "unknown rule"))
    }
    var diagnostic = Diagnostic(
      rule, stored.message, at: stored.pointer.map { Location(exchange: $0) }, severity: stored.severity,
      help: stored.help)
    diagnostic.owner = stored.owner
    self.init(
      diagnostic: diagnostic, operation: stored.operation, request: stored.request, count: stored.count)
  }

  func encode(to encoder: any Encoder) throws {
    let stored = Stored(
      rule: diagnostic.rule.id, severity: diagnostic.severity, owner: diagnostic.owner, message: diagnostic.message,
      help: diagnostic.help, pointer: diagnostic.location?.pointer, operation: operation, request: request, count: count
    )
    try stored.encode(to: encoder)
  }
}

/// What a client must or must not do between two answers, as a rule over the exchanges of a lane.
package protocol ClientCheck: Sendable {
  /// Its id is `check.` and the name of the check.
  static var rule: Rule { get }
  static var defaults: ClientCheckSettings { get }
  /// The keys of the settings that it finds nothing without.
  static var required: [String] { get }
  static var optional: [String] { get }
  /// What settings with all required keys lack; `nil` for nothing.
  static func problem(of settings: ClientCheckSettings) -> String?

  /// The breach by the last exchange; `earlier` are the exchanges before it, the oldest first.
  static func breach(
    of exchange: RequestDigest, after earlier: ArraySlice<RequestDigest>, _ settings: ClientCheckSettings
  ) -> ClientCheckBreach?

  /// Whether an exchange may break it by its end.
  static var checksEnds: Bool { get }

  /// The breach by an exchange that ends late, as the client has its response now, or has left; `later` are the
  /// exchanges that began after it, the oldest first, and `time` is in microseconds since 1970.
  static func breach(
    atEndOf exchange: RequestDigest, before later: ArraySlice<RequestDigest>, at time: Int,
    _ settings: ClientCheckSettings
  ) -> ClientCheckBreach?
}

extension ClientCheck {
  package static var required: [String] { [] }
  package static var optional: [String] { [] }
  package static func problem(of settings: ClientCheckSettings) -> String? { nil }

  static var keys: [String] {
    ["operations"] + (defaults.limit == nil ? [] : ["limit"]) + (defaults.interval == nil ? [] : ["interval"])
      + required.filter { $0 != "operations" } + optional
  }

  /// For messages: `the check `kept-fields` needs `fields``.
  static func missing(_ keys: [String]) -> String {
    "the check `\(defaults.name)` needs \(keys.map { "`\($0)`" }.joined(separator: ", "))"
  }

  package static var checksEnds: Bool { false }

  package static func breach(
    atEndOf exchange: RequestDigest, before later: ArraySlice<RequestDigest>, at time: Int,
    _ settings: ClientCheckSettings
  ) -> ClientCheckBreach? { nil }
}

package struct ClientCheckBreach: Sendable {
  package var message: String
  package var help: String
  /// The other exchange that proves it: an earlier one, or at the end of an exchange a later one.
  package var proof: RequestDigest?
}

extension ClientCheckBreach {
  /// A part of the last request that is missing or wrong; its hash is `nil` where it is missing.
  init(_ hash: UInt64?, missing: String, wrong: String, help: String, proof: RequestDigest) {
    self.init(message: hash == nil ? missing : wrong, help: help, proof: proof)
  }
}

package struct ClientCheckSettings: Codable, Sendable, Hashable {
  package var rule: String
  /// The ids of the operations that it is about; empty for all.
  package var operations: [String] = []
  package var limit: Int?
  /// In microseconds.
  package var interval: Int?
  package var fields: [String] = []
  /// Where the answers of another operation list what may be sent: `searchQueue/fromQueueDBRequested/*/uid`.
  package var offer: String?
  package var event: String?
  /// The name of the event by which a client answers.
  package var answer: String?

  package init(_ rule: Rule, limit: Int? = nil, interval: Duration? = nil) {
    self.rule = rule.id
    self.limit = limit
    self.interval = interval?.wholeMicroseconds
  }

  /// The name without `check.`; the id of a rule about single requests.
  package var name: String { isAboutRequest ? rule : String(rule.dropFirst("check.".count)) }

  var isAboutRequest: Bool { !rule.hasPrefix("check.") }

  func covers(_ exchange: RequestDigest) -> Bool { covers(exchange.operation) }

  /// - Parameter operation: The id of an operation; `nil` for a request that reaches none.
  func covers(_ operation: String?) -> Bool {
    guard !operations.isEmpty else { return true }
    return operation.map { id in operations.contains { $0.utf8Equals(id) } } ?? false
  }
}

package enum ClientChecks {
  /// Every check, in the order of the rules page.
  package static let all: [any ClientCheck.Type] = [
    RetryAfter401Check.self, OneRefreshCheck.self, RetryBodyCheck.self, RetryStormCheck.self, RetryBackoffCheck.self,
    RetryAfterCheck.self, PollIntervalCheck.self, OnePollerCheck.self, ReadAfterSendCheck.self, BurstCheck.self,
    OfferedValuesCheck.self, KeptFieldsCheck.self, IdempotencyKeyCheck.self, IfMatchCheck.self, CancelledCheck.self,
    JoinAfterConnectCheck.self, ReconnectStormCheck.self, LeaveOnCloseCheck.self, CatchUpCheck.self, ListenerCheck.self,
  ]

  /// The check of a name, with or without `check.`.
  package static func named(_ name: String) -> (any ClientCheck.Type)? { byName[name] }

  private static let byName = Dictionary(
    all.flatMap { check in [(check.rule.id, check), (String(check.rule.id.dropFirst("check.".count)), check)] },
    uniquingKeysWith: { first, _ in first })

  /// The names that a misspelt name may stand for.
  static var suggestions: [String] { names + Rule.request.map(\.id) }

  /// The names without `check.`.
  package static var names: [String] { all.map { String($0.rule.id.dropFirst("check.".count)) } }
}

extension Diagnostic {
  /// The message, which the developer of a client reads; empty where it has times and counts, which differ each time.
  package var wording: String { rule.isAboutSequences ? "" : message }
}

extension Rule {
  package var isAboutSequences: Bool { id.hasPrefix("check.") }

  package var isAboutSockets: Bool { ClientChecks.named(id) is any SocketCheck.Type }

  package static let check: [Rule] =
    ClientChecks.all.map { $0.rule } + [checkUnexpectedRequest, checkMissingRequest, checkNoAnswer]

  package static let checkUnexpectedRequest = Rule(
    "check.unexpected-request", .error, owner: .client, "A client called an operation in a state that forbids it",
    help: """
      A state of a scenario lists under `never` what a client must not do in it: go on after a penalty, poll after the \
      match. The note names the request whose answer led to the state.
      """)

  package static let checkMissingRequest = Rule(
    "check.missing-request", .error, owner: .client, "A client did not call an operation that a state asks for",
    help: """
      A state of a scenario lists under `expects` what a client has to do next: send the new push token, read the state \
      after it was matched. It is reported when the lane is closed in this state.
      """)

  package static let checkNoAnswer = Rule(
    "check.no-answer", .error, owner: .client, "A client waited for a response until the limit of its lane",
    help: """
      A lane with a `limit` ends requests that wait longer, as on a response that a fault never sends: the client has no \
      time limit of its own, or a longer one, and a test would wait for ever. Streams and responses of an upstream do not \
      count.
      """)

  /// A check with client scripts: some break the rule, at the numbers of these requests, the others keep it.
  ///
  /// A line is `1.5s GET /pets, Authorization: a, {"name": "Tom"} -> 200, Retry-After: 2`. An answer that takes time ends
  /// with `after 2s`; `left after 2s` is a client that does not wait for it.
  static func ofClient(
    _ id: String, _ severity: Severity, _ summary: String, help: String, breaking: KeyValuePairs<String, String>,
    keeping: [String]
  ) -> Rule {
    Rule(
      id, severity, owner: .client, summary, help: help,
      exchanges: (Array(breaking) + keeping.map { ($0, "") }).map { script, places in
        ExchangeExample(script, at: places.split(separator: " ").map { "request \($0)" })
      })
  }
}

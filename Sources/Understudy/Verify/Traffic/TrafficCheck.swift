/// The parts of an exchange that are told apart in a report: one case each for every operation and status, passed or not.
enum TrafficCheck: String, CaseIterable, Comparable {
  case security = "request security"
  case parameters = "request parameters"
  case requestBody = "request body"
  case status = "answer status"
  case headers = "answer headers"
  case answerBody = "answer body"
  /// What HTTP asks for whatever the contract says.
  case http = "answer as HTTP"

  /// The part that a finding of an operation is about.
  init(_ finding: Diagnostic) {
    let rule = finding.rule.id
    let pointer = finding.location?.pointer ?? ""
    if Self.belongs(rule, to: ["req."]) {
      if Self.belongs(rule, to: ["req.security.", "req.credential-leak"]) {
        self = .security
      } else if pointer.hasPrefix("/body") || Self.belongs(rule, to: ["req.body.", "req.content-type."]) {
        self = .requestBody
      } else {
        self = .parameters
      }
    } else if Self.belongs(rule, to: ["resp.status.", "resp.server-error"]) {
      self = .status
    } else if Self.belongs(rule, to: ["resp.header."]) {
      self = .headers
    } else if Self.belongs(rule, to: ["resp.body.", "resp.content-type.", "resp.encoding", "resp.discriminator"]) {
      self = .answerBody
    } else {
      self = .http
    }
  }

  /// In the order of an exchange.
  static func < (a: Self, b: Self) -> Bool { a.order < b.order }

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  private static func belongs(_ rule: String, to starts: [String]) -> Bool { starts.contains { rule.hasPrefix($0) } }

  /// How many single things each part of an exchange held.
  static func counts(
    _ exchange: TrafficValidator.ValidatedExchange, of operation: Operation, status: Int
  ) -> [(Self, Int)] {
    let security = operation.security.isEmpty ? 0 : 1
    let headers = operation.response(for: status)?.headers.count ?? 0
    let body = exchange.request.notValidated.contains { $0.pointer == "/body" } ? 0 : 1
    return [
      (.security, security), (.parameters, max(0, exchange.request.checked - security - body)), (.requestBody, body),
      (.status, 1), (.headers, headers), (.answerBody, max(0, exchange.answer.checked - headers - 2)), (.http, 1),
    ]
  }
}

/// The parts of an exchange that are cases of a report, for every operation and status.
enum TrafficCheck: String, CaseIterable, Comparable {
  case security = "request security"
  case parameters = "request parameters"
  case requestBody = "request body"
  case status = "answer status"
  case headers = "answer headers"
  case answerBody = "answer body"
  case http = "answer as HTTP"
  /// What a mock has found by its checks. It is about no single answer, so about no status.
  case client = "client checks"

  init(_ finding: Diagnostic) {
    func isIn(_ starts: String...) -> Bool { starts.contains { finding.rule.id.hasPrefix($0) } }
    let isInBody = finding.location?.pointer?.hasPrefix("/body") == true
    self =
      if isIn("req.security.", "req.credential-leak") {
        .security
      } else if isIn("req.body.", "req.content-type.") || isIn("req.") && isInBody {
        .requestBody
      } else if isIn("req.") {
        .parameters
      } else if isIn("resp.status.", "resp.server-error") {
        .status
      } else if isIn("resp.header.") {
        .headers
      } else if isIn("resp.body.", "resp.content-type.", "resp.encoding", "resp.discriminator") {
        .answerBody
      } else {
        .http
      }
  }

  static func < (a: Self, b: Self) -> Bool { a.order < b.order }

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  static func counts(
    _ exchange: TrafficValidator.ExchangeValidation, of operation: Operation, status: Int
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

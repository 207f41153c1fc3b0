import HTTPTypes

/// Why an operation answered a request as it did: the rules in the order in which they are asked, with the fixtures whose
/// `when` came nearest.
package struct AnswerSteps {
  package struct Step: Equatable {
    package enum Outcome: String, Sendable { case decided, passed, unasked }

    package let rule: String
    package var outcome: Outcome
    package let text: String
  }

  package let steps: [Step]

  /// The most fixtures that are explained.
  private static let fixtureLimit = 5

  /// `nil` for an exchange that reached no operation of the mock.
  package init?(of exchange: ServedExchange, by mock: Mock) {
    let reply = exchange.reply
    guard let request = exchange.request, let key = reply.operation?.key,
      let operation = mock.operations.first(where: { $0.key == key })
    else { return nil }
    let why = Self.reason(reply)
    var steps = [
      Step(
        rule: "forced in the lane", outcome: why == "forced in the lane" ? .decided : .passed,
        text: why == "forced in the lane"
          ? "the lane has an answer for the operation" : "nothing was forced in the lane"),
      Step(
        rule: "forced", outcome: why == "forced" ? .decided : .passed,
        text: operation.forced.map { "`--force` has \($0.label)" } ?? "nothing is forced at the start"),
      Step(
        rule: "preferred", outcome: why == "preferred" ? .decided : .passed,
        text: Self.preference(request).map { "the request has \($0)" } ?? "the request has no `Prefer`"),
      Step(
        rule: "scenario", outcome: reply.reason.hasPrefix("scenario ") ? .decided : .passed,
        text: reply.reason.hasPrefix("scenario ") ? reply.reason : "no scenario has an answer for this request"),
    ]
    steps += Self.fixtures(of: operation, exchange, request, mock, isDecided: why == "when")
    let refusals = reply.diagnostics.compactMap(\.violation).min()
    let isRefused = refusals.map { $0.title.lowercased() == why } == true || reply.isProblem
    steps.append(
      Step(
        rule: "refusal", outcome: isRefused ? .decided : .passed,
        text: refusals.map { "the request breaks the contract: \($0.title.lowercased())" }
          ?? "the request keeps the contract"))
    let isResource = reply.reason.hasPrefix("resource ")
    if isResource || mock.resources != nil {
      steps.append(
        Step(
          rule: "collection", outcome: isResource ? .decided : .passed,
          text: isResource ? reply.reason : "the operation belongs to no collection"))
    }
    let owner = reply.reason.hasPrefix("upstream") ? "upstream" : "default"
    let first = steps.firstIndex { $0.outcome == .decided } ?? steps.count
    steps.append(
      Step(
        rule: owner, outcome: .decided,
        text: first == steps.count ? reply.reason : "the success of the operation, \(operation.successCode)"))
    // Only one rule decides, and those behind it are not asked.
    for index in steps.indices where index > first { steps[index].outcome = .unasked }
    self.steps = steps
  }

  /// What stands in parentheses at the end of a reason.
  private static func reason(_ reply: Reply) -> String {
    guard reply.reason.hasSuffix(")"), let start = reply.reason.lastIndex(of: "(") else { return "" }
    return String(reply.reason[reply.reason.index(after: start)...].dropLast())
  }

  private static func preference(_ request: HTTPRequest) -> String? {
    HTTPField.Name("Prefer").flatMap { request.headerFields[$0] }.map { "`Prefer: \($0)`" }
  }

  // MARK: - Fixtures

  private static func fixtures(
    of operation: MockOperation, _ exchange: ServedExchange, _ request: HTTPRequest, _ mock: Mock, isDecided: Bool
  ) -> [Step] {
    guard !operation.conditional.isEmpty,
      case .match(let match) = mock.contractSet.router.route(request.method.rawValue, request.path ?? "/")
    else { return [] }
    let view = RequestView(
      request: request, target: request.path ?? "/", captures: match.captures, body: exchange.body ?? [])
    let ranked = operation.conditional.map { ($0, $0.fixture.when?.failures(view) ?? []) }
    // Those with the fewest failures first; of equals, in the order in which they are asked.
    let nearest = ranked.enumerated().sorted { ($0.element.1.count, $0.offset) < ($1.element.1.count, $1.offset) }
    return nearest.prefix(fixtureLimit).map { _, entry in
      let (variant, failures) = entry
      let isIt = isDecided && exchange.reply.reason.hasPrefix(variant.reason)
      let text = failures.isEmpty ? "every condition of `when` holds" : failures.joined(separator: "; ")
      return Step(rule: variant.reason, outcome: isIt ? .decided : .passed, text: text)
    }
  }
}

import HTTPTypes

/// Why an operation answered a request as it did: the rules in the order in which they are asked, with the fixtures whose
/// `when` came nearest.
package struct ResponseTrace {
  package struct Step: Equatable {
    package enum Outcome: String, Sendable { case decided, passed, unasked }

    package let rule: String
    package var outcome: Outcome
    package let text: String
  }

  package let steps: [Step]

  private static let fixtureLimit = 5

  /// `nil` for an exchange that reached no operation of the mock.
  package init?(of exchange: ServedRequest, by mock: Mock) {
    let reply = exchange.reply
    guard let request = exchange.request, let key = reply.operation?.key,
      let operation = mock.operations.first(where: { $0.key == key })
    else { return nil }
    let rule = reply.source.rule
    func step(_ name: String, _ isDecided: Bool, _ decided: String, _ passed: String) -> Step {
      Step(rule: name, outcome: isDecided ? .decided : .passed, text: isDecided ? decided : passed)
    }
    let forced = operation.forced.map { "`--force` has \($0.label)" } ?? "nothing is forced at the start"
    let preferred = Self.preference(request).map { "the request has \($0)" } ?? "the request has no `Prefer`"
    var steps = [
      step("reply", rule == .replied, "\(reply.source)", "no reply of the lane or of a test matches the request"),
      step(
        "forced in the lane", rule == .forcedInLane, "the lane has an answer for the operation",
        "nothing was forced in the lane"),
      step("forced", rule == .forced, forced, forced), step("preferred", rule == .preferred, preferred, preferred),
      step("scenario", rule.isScenario, "\(reply.source)", "no scenario has an answer for this request"),
    ]
    steps += Self.fixtures(of: operation, exchange, request, mock)
    let violation = reply.diagnostics.compactMap(\.violation).min()
    let isRefused = violation.map { rule == .refusal($0) } == true || reply.isProblem
    let refusal =
      violation.map { "the request breaks the contract: \($0.title.lowercased())" } ?? "the request keeps the contract"
    steps.append(step("refusal", isRefused, refusal, refusal))
    if rule.isResource || mock.resources != nil {
      steps.append(
        step("collection", rule.isResource, "\(reply.source)", "the operation belongs to no collection"))
    }
    let owner = reply.source.content == .upstream ? "upstream" : "default"
    let first = steps.firstIndex { $0.outcome == .decided } ?? steps.count
    steps.append(
      Step(
        rule: owner, outcome: .decided,
        text: first == steps.count ? "\(reply.source)" : "the success of the operation, \(operation.successCode)"))
    // Only one rule decides, and those behind it are not asked.
    for index in steps.indices where index > first { steps[index].outcome = .unasked }
    self.steps = steps
  }

  /// Where the request asks for an answer, in the words of the first source that counts.
  private static func preference(_ request: HTTPRequest) -> String? {
    let query = Query(of: request.path ?? "/")
    let preferences = Preferences(request.headerFields, query: query)
    guard let place = preferences.statusPlace ?? preferences.examplePlace else {
      return HTTPField.Name("Prefer").flatMap { request.headerFields[$0] }.map { "`Prefer: \($0)`" }
    }
    let name = String(place.split(separator: "/").last ?? "")
    if place.hasPrefix("/query/") { return "`\(name)=\(query.first(named: name) ?? "")` in its query" }
    return "`\(name): \(HTTPField.Name(name).flatMap { request.headerFields[$0] } ?? "")`"
  }

  private static func fixtures(
    of operation: MockOperation, _ exchange: ServedRequest, _ request: HTTPRequest, _ mock: Mock
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
      let isIt = exchange.reply.source.rule == .when && exchange.reply.source.content == .fixture(variant.key)
      let text = failures.isEmpty ? "every condition of `when` holds" : failures.joined(separator: "; ")
      return Step(rule: "fixture \(variant.key)", outcome: isIt ? .decided : .passed, text: text)
    }
  }
}

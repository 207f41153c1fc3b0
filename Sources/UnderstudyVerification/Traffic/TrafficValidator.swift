/// Validates recorded exchanges one by one: routes the request as the mock does, and validates both sides.
package struct TrafficValidator: Sendable {
  package let contracts: ContractSet
  private let rules: RuleSettings
  /// By operation.
  private let options: [ValidationOptions]
  private let scope: TrafficScope
  /// The fixtures with a `when`, by operation.
  private let conditional: [[Fixture]]

  package enum Outcome: Sendable {
    /// Out of scope, with the reason.
    case ignored(String)
    /// In scope, but it cannot be validated, with the reason.
    case skipped(String)
    /// The request reaches no operation; `contract` is that of the nearest template, `path` the template that matches, if any.
    /// The answer is validated by the rules of HTTP alone, and only where the path exists.
    case missed(Diagnostic?, answer: [Diagnostic], contract: Int, path: String?)
    case validated(ExchangeValidation)
  }

  package struct ExchangeValidation: Sendable {
    /// The position among the operations of all contracts.
    package var operation: Int
    package var request: ValidationResult
    package var answer: ValidationResult
    package var requestType: MediaRange?
    package var responseType: MediaRange?
    package var isRefusedByMock = false

    /// Whether both sides were validated, bodies too, and are valid. An invalid request that was refused as documented counts.
    package var holds: Bool {
      (request.isValid || isRefusedByMock) && answer.isValid && request.isWhole && answer.isWhole
    }
  }

  /// - Parameter conditional: The fixtures with a `when`, by operation; they mark intended refusals and failures.
  package init(
    _ contracts: [CompiledContract], conditional: [[Fixture]] = [], rules: RuleSettings, scope: TrafficScope
  ) {
    self.contracts = ContractSet(contracts)
    self.conditional = conditional
    self.rules = rules
    options = self.contracts.operations.map { rules.validationOptions(for: $0.id) }
    self.scope = scope
  }

  /// - Parameter isOwn: Whether a mock of the contracts made the recording, so that every host is in scope.
  package func validate(_ entry: Exchange, isOwn: Bool = false) -> Outcome {
    let target: String
    let isSure: Bool
    var corrected: String?
    switch scope.membership(of: entry.url, isOwn: isOwn) {
    case .outside(let reason): return .ignored(reason)
    case .inside(let inside): (target, isSure) = (inside, true)
    case .perhaps(let perhaps, let withBase): (target, isSure, corrected) = (perhaps, false, withBase)
    }
    var request = entry.request
    request.path = target
    request.headerFields = RedactedValues.standIns(for: entry.requestFields)
    let routing = contracts.router.route(entry.method, target)
    if case .notFound = routing, !isSure {
      guard let corrected else { return .ignored("a host that no server of the contract names, and no path") }
      // Other pages often share the host, so only requests that lack just the base path are in scope.
      guard case .match = contracts.router.route(entry.method, corrected) else {
        return .ignored("a path outside the base path of the contract's server")
      }
    }
    guard let response = entry.response else { return .skipped("it has no response (status 0)") }
    if entry.socket != nil, case .notFound = routing { return .skipped("the messages of sockets are not validated") }
    guard case .match(let match) = routing else { return miss(request, routing, entry, response, isOwn: isOwn) }
    let view = RequestView(request: request, target: target, captures: match.captures, body: entry.requestBody.bytes)
    return .validated(validation(entry, response, view, operation: match.operation, isOwn: isOwn))
  }

  private func miss(
    _ request: HTTPRequest, _ routing: Routing, _ entry: Exchange, _ response: Exchange.Response, isOwn: Bool
  ) -> Outcome {
    // A 404 does not make this a note: a wrong path is far more often a mistake than a test.
    let found = contracts.miss(request, along: routing)
    let finding = found.flatMap(rules.validationOptions().weighed)
    let neighbour = contracts.neighbour(along: routing)
    var answer: [Diagnostic] = []
    // The answers of a mock are its own.
    if let neighbour, !Self.isOfMock(entry, isOwn: isOwn) {
      answer =
        neighbour.exchangeValidator(rules.validationOptions(for: neighbour.id).ofServer)
        .foreign(Self.view(response, of: entry)).findings
    }
    guard finding != nil || !answer.isEmpty else {
      guard request.method == .options else { return .ignored("a rule that is off") }
      let isPreflight = request.headerFields[.accessControlRequestMethod] != nil
      return .skipped(isPreflight ? "a CORS preflight" : "an OPTIONS that no contract documents")
    }
    return .missed(
      finding, answer: answer, contract: contracts.contractIndex(along: routing), path: neighbour?.operation.path)
  }

  /// Whether a mock made the answer by itself, and did not get it from an upstream.
  private static func isOfMock(_ entry: Exchange, isOwn: Bool) -> Bool {
    isOwn && reply(of: entry).map { !$0.utf8Equals("upstream") } ?? true
  }

  /// What a mock says that its answer is; `nil` where it says nothing.
  private static func reply(of entry: Exchange) -> String? {
    entry.response?.fields.first(named: "Understudy-Reply")
  }

  private static func view(_ response: Exchange.Response, of entry: Exchange) -> ResponseView {
    var view = ResponseView(
      status: response.status, fields: response.fields, body: response.body.bytes, method: entry.method,
      hadBody: entry.requestBody.isPresent, askedForPart: entry.requestFields.first(named: "range") != nil,
      duration: response.duration)
    view.isDecoded = true
    return view
  }

  private func validation(
    _ entry: Exchange, _ response: Exchange.Response, _ view: RequestView, operation: Int, isOwn: Bool
  ) -> ExchangeValidation {
    let compiled = contracts.operations[operation]
    let isOfMock = Self.isOfMock(entry, isOwn: isOwn)
    let options = options[operation]
    let validator = compiled.exchangeValidator(isOfMock ? options : options.ofServer)
    var request = compiled.requestValidator.validation(of: view, options)
    if let reason = entry.requestBody.reason { request.withdrawBody(reason) }
    RedactedValues.withdraw(fromRequest: entry, view, &request)
    let isMeant =
      (request.violation != nil || response.status >= 500) && conditional.indices.contains(operation)
      && conditional[operation].contains { $0.expects(response.status, for: view) }
    var result = validator.answer(Self.view(response, of: entry), to: request, isMeant: isMeant)
    if let reason = response.body.reason { result.withdrawBody(reason) }
    RedactedValues.withdraw(fromAnswer: entry, &result)
    let settled = validator.settled(request, by: response.status, isMeant: isMeant)
    // A mock refuses by the contract, so it names the rule, as its log does. A refusal by another server may be a test.
    let isRefusedByMock =
      Self.reply(of: entry) != nil && isOfMock && request.violation != nil && settled.isValid && !isMeant
      && options.levels[.requestExpectedInvalid] == nil
    return ExchangeValidation(
      operation: operation, request: isRefusedByMock ? request : settled, answer: result,
      requestType: entry.requestBody.isPresent
        ? view.request.headerFields.first(named: "content-type").flatMap { MediaRange($0) } : nil,
      responseType: response.mediaType, isRefusedByMock: isRefusedByMock)
  }
}

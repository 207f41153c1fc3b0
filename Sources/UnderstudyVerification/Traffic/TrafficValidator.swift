/// Validates recorded exchanges one by one: routes the request as the mock does, and validates both sides.
package struct TrafficValidator: Sendable {
  let contracts: ContractSet
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
    case validated(ValidatedExchange)
  }

  /// A validated exchange of an operation.
  package struct ValidatedExchange: Sendable {
    /// The position among the operations of all contracts.
    package var operation: Int
    package var request: ValidationResult
    package var answer: ValidationResult
    package var requestType: MediaRange?
    package var responseType: MediaRange?
    /// Whether a mock of the contracts refused the request.
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
  package func validate(_ entry: HAREntry, isOwn: Bool = false) -> Outcome {
    let target: String
    let isSure: Bool
    var corrected: String?
    switch scope.membership(of: entry.url, isOwn: isOwn) {
    case .outside(let reason): return .ignored(reason)
    case .inside(let inside): (target, isSure) = (inside, true)
    case .perhaps(let perhaps, let withBase): (target, isSure, corrected) = (perhaps, false, withBase)
    }
    guard let method = HTTPRequest.Method(entry.method) else { return .skipped("the method is not a valid token") }
    let reference = URIReference(entry.url)
    let request = HTTPRequest(
      method: method, scheme: reference.scheme, authority: reference.authority, path: target,
      headerFields: RedactedValues.standIns(for: entry.requestFields))
    let routing = contracts.router.route(entry.method, target)
    if case .notFound = routing, !isSure {
      guard let corrected else { return .ignored("a host that no server of the contract names, and no path") }
      // Other pages often share the host, so only requests that lack just the base path are in scope.
      guard case .match = contracts.router.route(entry.method, corrected) else {
        return .ignored("a path outside the base path of the contract's server")
      }
    }
    guard entry.answer.status > 0 else { return .skipped("it has no answer (status \(entry.answer.status))") }
    if entry.isSocket, case .notFound = routing { return .skipped("the messages of sockets are not validated") }
    guard case .match(let match) = routing else { return miss(request, routing, entry, isOwn: isOwn) }
    let view = RequestView(request: request, target: target, captures: match.captures, body: entry.requestBody.bytes)
    return .validated(exchange(entry, view, operation: match.operation, isOwn: isOwn))
  }

  private func miss(_ request: HTTPRequest, _ routing: Routing, _ entry: HAREntry, isOwn: Bool) -> Outcome {
    // A 404 does not make this a note: a wrong path is far more often a mistake than a test.
    let found = contracts.miss(request, along: routing)
    let finding = found.flatMap(rules.validationOptions().weighed)
    let neighbour = contracts.neighbour(along: routing)
    var answer: [Diagnostic] = []
    // The answers of a mock are its own.
    if let neighbour, !Self.isOfMock(entry, isOwn: isOwn) {
      answer =
        neighbour.exchangeValidator(rules.validationOptions(for: neighbour.id).ofServer)
        .foreign(Self.response(of: entry)).findings
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
  private static func isOfMock(_ entry: HAREntry, isOwn: Bool) -> Bool {
    isOwn && reply(of: entry).map { !$0.utf8Equals("upstream") } ?? true
  }

  /// What a mock says that its answer is; `nil` where it says nothing.
  private static func reply(of entry: HAREntry) -> String? { entry.answer.fields.first(named: "Understudy-Reply") }

  private static func response(of entry: HAREntry) -> ResponseView {
    let answer = entry.answer
    var response = ResponseView(
      status: answer.status, fields: answer.fields, body: answer.body.bytes, method: entry.method,
      hadBody: entry.requestBody.isPresent, askedForPart: entry.requestFields.first(named: "range") != nil,
      duration: answer.duration)
    response.isDecoded = true
    return response
  }

  private func exchange(
    _ entry: HAREntry, _ view: RequestView, operation: Int, isOwn: Bool
  ) -> ValidatedExchange {
    let compiled = contracts.operations[operation]
    let isOfMock = Self.isOfMock(entry, isOwn: isOwn)
    let options = options[operation]
    let validator = compiled.exchangeValidator(isOfMock ? options : options.ofServer)
    var request = compiled.requestValidator.validation(of: view, options)
    if let reason = entry.requestBody.reason { request.withdrawBody(reason) }
    RedactedValues.withdraw(fromRequest: entry, view, &request)
    let answer = entry.answer
    let isMeant =
      (request.violation != nil || answer.status >= 500) && conditional.indices.contains(operation)
      && conditional[operation].contains { $0.expects(answer.status, for: view) }
    var result = validator.answer(Self.response(of: entry), to: request, isMeant: isMeant)
    if let reason = answer.body.reason { result.withdrawBody(reason) }
    RedactedValues.withdraw(fromAnswer: entry, &result)
    let settled = validator.settled(request, by: answer.status, isMeant: isMeant)
    // A mock refuses by the contract, so it names the rule, as its log does. A refusal by another server may be a test.
    let isRefusedByMock =
      Self.reply(of: entry) != nil && isOfMock && request.violation != nil && settled.isValid && !isMeant
      && options.levels[.requestExpectedInvalid] == nil
    return ValidatedExchange(
      operation: operation, request: isRefusedByMock ? request : settled, answer: result,
      requestType: entry.requestBody.isPresent
        ? view.request.headerFields.first(named: "content-type").flatMap { MediaRange($0) } : nil,
      responseType: answer.mediaType, isRefusedByMock: isRefusedByMock)
  }
}

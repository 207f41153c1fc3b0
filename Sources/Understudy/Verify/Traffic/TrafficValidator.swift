/// Validates recorded exchanges one by one: finds the operation as the mock does, and checks both sides.
package struct TrafficValidator: Sendable {
  let contracts: ContractSet
  private let rules: RuleSettings
  /// What the rules weigh in each operation.
  private let options: [ValidationOptions]
  private let scope: TrafficScope
  private let shard: Shard

  /// What became of an entry.
  package enum Outcome: Sendable {
    /// None of our business, and why.
    case ignored(String)
    /// The business of another part of a divided run.
    case elsewhere
    /// Ours, but nothing can be said of it, and why.
    case skipped(String)
    /// The request reaches no operation; `contract` is that of the nearest template, `path` the template that it fits, if any.
    case missed(Diagnostic, contract: Int, path: String?)
    case validated(ValidatedExchange)
  }

  /// An exchange of an operation, held against the contract.
  package struct ValidatedExchange: Sendable {
    /// Its position among those of all contracts.
    package var operation: Int
    package var request: ValidationResult
    package var answer: ValidationResult
    package var requestType: MediaRange?
    package var responseType: MediaRange?

    /// Whether both sides were validated, bodies too, and none broke the contract. A bad request that was refused as
    /// documented is such an exchange.
    package var holds: Bool { request.isValid && answer.isValid && request.isWhole && answer.isWhole }
  }

  package init(_ contracts: [CompiledContract], rules: RuleSettings, scope: TrafficScope, shard: Shard = .whole) {
    self.contracts = ContractSet(contracts)
    self.rules = rules
    options = self.contracts.operations.map { rules.validationOptions(for: $0.id) }
    self.scope = scope
    self.shard = shard
  }

  /// - Parameter isOwn: the recording is a mock's own, so that every host is ours.
  package func validate(_ entry: HAREntry, isOwn: Bool = false) -> Outcome {
    let target: String
    let isSure: Bool
    var corrected: String?
    switch scope.membership(of: entry.url, isOwn: isOwn) {
    case .outside(let reason): return .ignored(reason)
    case .inside(let inside): (target, isSure) = (inside, true)
    case .perhaps(let perhaps, let withBase): (target, isSure, corrected) = (perhaps, false, withBase)
    }
    guard let method = HTTPRequest.Method(entry.method) else { return .skipped("the method is no token") }
    let reference = URIReference(entry.url)
    let request = HTTPRequest(
      method: method, scheme: reference.scheme, authority: reference.authority, path: target,
      headerFields: RedactedValues.standIns(for: entry.requestFields))
    let routing = contracts.router.route(entry.method, target)
    if case .notFound = routing, !isSure {
      guard let corrected else { return .ignored("a host that no server of the contract names, and no path") }
      // Pages often live on the same host. Only what lacks nothing but the base path is surely the contract's business.
      guard case .match = contracts.router.route(entry.method, corrected) else {
        return .ignored("a path outside the base path of the contract's server")
      }
    }
    guard isOfShard(routing) else { return .elsewhere }
    guard entry.answer.status > 0 else { return .skipped("no answer came (status \(entry.answer.status))") }
    guard case .match(let match) = routing else { return miss(request, routing) }
    return .validated(
      exchange(
        entry,
        RequestView(
          request: request, target: target, captures: match.captures, body: entry.requestBody.bytes),
        operation: match.operation))
  }

  /// The first part reports what belongs to no operation.
  private func isOfShard(_ routing: Routing) -> Bool {
    guard case .match(let match) = routing else { return shard.index == 1 }
    let operation = contracts.operations[match.operation]
    return shard.contains(contract: operation.api.name, operation: operation.id)
  }

  private func miss(_ request: HTTPRequest, _ routing: Routing) -> Outcome {
    if request.method == .options {
      let isPreflight = request.headerFields[.accessControlRequestMethod] != nil
      return .skipped(isPreflight ? "a CORS preflight" : "an OPTIONS that no contract documents")
    }
    // A 404 does not make a note of it: a wrong address is a slip far more often than a test.
    guard let found = contracts.miss(request, along: routing) else {
      return .skipped("the request reaches no operation")
    }
    guard let finding = rules.validationOptions().weighed(found) else { return .ignored("a rule that is off") }
    var template: String?
    if case .wrongMethod(_, let operation, _) = routing { template = contracts.operations[operation].operation.path }
    return .missed(finding, contract: contracts.contractIndex(along: routing), path: template)
  }

  // MARK: - An exchange

  private func exchange(_ entry: HAREntry, _ view: RequestView, operation: Int) -> ValidatedExchange {
    let compiled = contracts.operations[operation]
    let validator = compiled.exchangeValidator(options[operation])
    var asked = compiled.requestValidator.validation(of: view, options[operation])
    if let reason = entry.requestBody.reason { asked.withdrawBody(reason) }
    RedactedValues.withdraw(fromRequest: entry, view, &asked)
    let answer = entry.answer
    var shown = ResponseView(
      status: answer.status, fields: answer.fields, body: answer.body.bytes, method: entry.method,
      hadBody: entry.requestBody.isPresent, askedForPart: entry.requestFields.first(named: "range") != nil,
      duration: answer.duration)
    shown.isDecoded = true
    var answered = validator.answer(shown, to: asked)
    if let reason = answer.body.reason { answered.withdrawBody(reason) }
    RedactedValues.withdraw(fromAnswer: answer, &answered)
    return ValidatedExchange(
      operation: operation,
      request: validator.settled(asked, by: answer.status), answer: answered,
      requestType: entry.requestBody.isPresent
        ? view.request.headerFields.first(named: "content-type").flatMap { MediaRange($0) } : nil,
      responseType: answer.fields.first(named: "content-type").flatMap { MediaRange($0) })
  }
}

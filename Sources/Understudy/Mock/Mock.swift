/// Answers requests from contracts: the only entry point, for sockets, tests and tools alike.
///
/// Immutable: a reload builds another. `reply` is synchronous, total and never throws; where an upstream answers, the reply
/// is a `Forward`.
public final class Mock: Sendable {
  package let contracts: [Contract]
  /// In the order of the contracts.
  package let operations: [MockOperation]
  package let options: Options
  /// Problems of the options, such as a forced cell that does not exist.
  public let diagnostics: [Diagnostic]
  /// Routes of two contracts; the earlier contract answers.
  package let conflicts: [Diagnostic]
  let contractSet: ContractSet
  private let prepared: [PreparedResponse]
  /// The progress of the scenario; a reload restarts it.
  let play: ScenarioPlay?
  /// The collections, where the mock is stateful.
  let resources: ResourceStore?
  let faultMemory: FaultMemory
  /// Of requests that reach no operation.
  let faults: OperationFaults?

  /// Prepares answers from fixtures, examples and samples.
  ///
  /// - Parameters:
  ///   - contracts: Of two operations with one route, that of the earlier contract answers.
  ///   - options: Forced cells, and the treatment of bad requests.
  public init(contracts: [Contract], options: Options = Options()) {
    self.contracts = contracts
    self.options = options
    contractSet = ContractSet(contracts.map(\.compiled))
    var builder = MockBuilder(options: options)
    for contract in contracts { builder.add(contract) }
    operations = builder.operations
    prepared = builder.prepared
    play = ScenarioPlay(contracts)
    resources = options.isStateful ? ResourceModel(contracts, infers: true).map(ResourceStore.init) : nil
    faultMemory = FaultMemory(options)
    faults = OperationFaults(of: nil, by: options.faults)
    diagnostics =
      ContractConflict.names(contractSet.contracts) + builder.finish()
      + Self.scenarioProblems(options.scenario, contracts, isPlayed: play != nil)
      + (resources?.model.diagnostics ?? [])
    conflicts = ContractConflict.routes(contractSet.contracts)
  }

  /// The errors of the scenario; a name that no contract has is one.
  private static func scenarioProblems(_ name: String?, _ contracts: [Contract], isPlayed: Bool) -> [Diagnostic] {
    let errors = contracts.flatMap(\.scenarioErrors)
    guard let name, !isPlayed, errors.isEmpty else { return errors }
    return [MockScenario.unknown(name, contracts)]
  }

  /// The collections that remember what they were sent, with the actions of their operations.
  package var collections: [(name: String, verbs: [ResourceVerb])] { resources?.model.summary(of: contracts) ?? [] }

  /// Forgets the requests so far: a scenario and the turns of templates begin anew.
  package func restart() {
    play?.restart()
    faultMemory.restart()
    resources?.restart()
    for operation in operations { for cell in operation.cells { for fixture in cell.fixtures { fixture.restart() } } }
  }

  /// The form of `reply` for a server.
  package var responder: Responder {
    let long = Responder.Long(beyond: Body.bufferLimit) { request in self.reply(to: request, body: nil) }
    return Responder(prepared: prepared, long: options.upstream == nil ? nil : long) { request, body in
      self.reply(to: request, body: body)
    }
  }

  /// The answer to a request.
  public func reply(to request: HTTPRequest, body: [UInt8]) -> Reply { reply(to: request, body: .some(body)) }

  /// The same, where the caller may override the answer of an operation.
  package func reply(to request: HTTPRequest, body: [UInt8], override: ReplyOverride.Chooser) -> Reply {
    reply(to: request, body: .some(body), override: override)
  }

  /// The form of a server for a function that calls `reply`.
  package func responder(_ reply: @escaping @Sendable (HTTPRequest, [UInt8]) -> Reply) -> Responder {
    Responder(prepared: prepared, reply: reply)
  }

  /// A body of `nil` is too long to buffer.
  private func reply(
    to request: HTTPRequest, body: [UInt8]?, override: ReplyOverride.Chooser = { _, _ in nil }
  ) -> Reply {
    let target = request.path ?? "/"
    let method = request.method
    // `OPTIONS *` is about this server, not the upstream.
    let upstream = target.utf8.first == UInt8(ascii: "/") && request.path != nil ? options.upstream : nil
    var reply =
      if method == .options, let preflight = UnroutedRequest.preflight(request, self) {
        preflight
      } else {
        switch contractSet.router.route(method.rawValue, target) {
        case .match(let match): self.reply(to: request, body, target, match, upstream, override)
        case let routing:
          UnroutedRequest(mock: self, request: request, body: body, routing: routing).reply(upstream)
        }
      }
    if method == .head { reply.omitsBody = true }
    if let faults, reply.operation == nil, !reply.isAboutMock, reply.forward == nil {
      faults.apply(to: &reply, faultMemory)
    }
    // A forwarded request has findings about its answer as well.
    if reply.forward == nil { reply.listViolations() }
    return reply
  }

  /// The answer to a request that reaches an operation; the request is validated here, once.
  private func reply(
    to request: HTTPRequest, _ body: [UInt8]?, _ target: String, _ match: RouteMatch, _ upstream: Upstream?,
    _ override: ReplyOverride.Chooser
  ) -> Reply {
    let operation = operations[match.operation]
    let view = RequestView(request: request, target: target, captures: match.captures, body: body ?? [])
    var result = operation.validation(of: view)
    // Nothing below may run twice: it moves scenarios and templates forward.
    guard !WorkLimit.isExceeded else { return .unfinished }
    if body == nil { result.withdrawBody(Body.tooLong("request")) }
    let handler = RequestHandler(mock: self, operation: operation, request: view, result: result)
    if let override = override(operation, view) { return override.reply(of: handler) }
    guard let upstream, operation.forced == nil else { return handler.reply() }
    if let refusal = handler.refusal() { return refusal }
    return ProxyHandler(
      mock: self, upstream: upstream, request: request, body: body, operation: operation, captures: match.captures,
      result: result
    ).reply()
  }
}

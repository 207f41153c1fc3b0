/// Answers requests from contracts: the only entry point, for sockets, tests and tools alike.
///
/// Immutable: what it remembers of earlier requests is a `LaneState`, and a reload builds another mock. `reply` is
/// synchronous, total and never throws; where an upstream answers, the reply is a `Forward`.
public final class Mock: Sendable {
  package let contracts: [Contract]
  /// In the order of the contracts.
  package let operations: [MockOperation]
  package let options: Options
  /// Problems of the options, such as a forced cell, a fault or a scenario that does not exist.
  public let diagnostics: [Diagnostic]
  /// Routes of two contracts; the earlier contract answers.
  package let conflicts: [Diagnostic]
  package let contractSet: ContractSet
  private let prepared: [PreparedResponse]
  /// By their names.
  let scenarios: [String: PlayedScenario]
  let initialState: LaneState
  /// That of `initialState`.
  let initialDemand: LaneDemand
  /// The collections, where the mock is stateful.
  let resources: ResourceModel?
  /// Of requests that reach no operation.
  let faults: OperationFaults?

  /// Prepares answers from fixtures, examples and samples.
  ///
  /// - Parameters:
  ///   - contracts: Of two operations with one route, that of the earlier contract answers.
  ///   - options: Forced cells, faults, a scenario, and the treatment of bad requests.
  public init(contracts: [Contract], options: Options = Options()) {
    self.contracts = contracts
    self.options = options
    contractSet = ContractSet(contracts.map(\.compiled))
    resources = options.isStateful ? ResourceModel(contracts, infers: true) : nil
    var builder = MockBuilder(options: options, resources: resources)
    for contract in contracts { builder.add(contract) }
    operations = builder.operations
    prepared = builder.prepared
    let scenarios = PlayedScenario.all(of: contracts, besides: resources)
    self.scenarios = scenarios
    var state = LaneState()
    state.play(options.scenario, among: scenarios)
    state.add(options.checks)
    initialState = state
    initialDemand = state.demand
    faults = OperationFaults(of: nil, by: options.faults)
    diagnostics =
      ContractConflict.names(contractSet.contracts) + options.problems + builder.finish()
      + (options.scenario.map { MockScenario.problems(of: $0, contracts) } ?? [])
      + options.checks.flatMap { $0.unknownOperations(among: builder.operations.map(\.id)) }
      + (resources?.diagnostics ?? [])
    conflicts = ContractConflict.routes(contractSet.contracts)
  }

  /// The state of a lane that no request has reached, with the scenario of the options.
  public func newState() -> LaneState {
    var state = initialState
    state.openedAt = options.now()
    return state
  }

  /// The collections that remember what they were sent, with the actions of their operations.
  package var collections: [(name: String, verbs: [ResourceVerb])] {
    resources(in: options.scenario)?.summary(of: contracts) ?? []
  }

  /// The collections while a scenario is played.
  func resources(in scenario: String?) -> ResourceModel? { scenario.flatMap { scenarios[$0]?.resources } ?? resources }

  /// The form of `reply` for a server with one lane, which begins with the server.
  package var responder: Responder { responder(in: Lane(newState())) }

  /// The form of `reply` for a server.
  package func responder(in lane: any LaneAccess) -> Responder {
    responder(answering: { request, body in self.reply(to: request, body: body, in: lane) })
  }

  /// The form of a server for a function that calls `reply`, with a body of `nil` where it is too long to buffer.
  package func responder(answering reply: @escaping @Sendable (HTTPRequest, [UInt8]?) -> Reply) -> Responder {
    let long = Responder.Long(beyond: Body.bufferLimit) { request in reply(request, nil) }
    return Responder(prepared: prepared, long: options.upstream == nil ? nil : long) { reply($0, $1) }
  }

  /// The answer to a request that is the first of its lane.
  public func reply(to request: HTTPRequest, body: [UInt8] = []) -> Reply {
    reply(to: request, body: body, in: FreshLane(mock: self))
  }

  /// The answer to a request, which moves the state of its lane forward.
  ///
  /// - Parameters:
  ///   - request: The head of the request.
  ///   - body: The body as received.
  ///   - state: What the mock remembers of earlier requests; begin with `newState()`.
  ///   - instant: The time of the request.
  public func reply(
    to request: HTTPRequest, body: [UInt8] = [], in state: inout LaneState, at instant: Instant = .now
  ) -> Reply {
    let lane = Lane(state)
    defer { state = lane.value }
    return reply(to: request, body: body, in: lane, at: LaneTime { instant.microsecondsSince1970 })
  }

  /// The form of a server for a function that calls `reply`.
  package func responder(_ reply: @escaping @Sendable (HTTPRequest, [UInt8]) -> Reply) -> Responder {
    Responder(prepared: prepared, reply: reply)
  }

  /// The answer to a request.
  ///
  /// - Parameters:
  ///   - request: The head of the request.
  ///   - body: `nil` if it is too long to buffer.
  ///   - lane: Where the state is.
  ///   - time: The clock; that of the options without it.
  ///   - override: Chooses the answer of an operation in place of the mock.
  package func reply(
    to request: HTTPRequest, body: [UInt8]?, in lane: any LaneAccess, at time: LaneTime? = nil,
    override: ReplyOverride.Chooser = { _, _ in nil }
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
        case .match(let match):
          operationReply(to: request, body, target, match, upstream, lane, time ?? LaneTime(options.now), override)
        case let routing:
          observed(
            UnroutedRequest(mock: self, request: request, body: body, routing: routing, lane: lane).reply(upstream),
            to: request, body, in: lane, at: time ?? LaneTime(options.now))
        }
      }
    if method == .head { reply.omitsBody = true }
    if reply.operation == nil, faults != nil || lane.demand == .everything, !reply.isAboutMock, reply.forward == nil {
      let time = (time ?? LaneTime(options.now)).by(lane.clock)
      reply = reply.failing(by: faults, of: nil, in: lane, at: time, options)
    }
    // A forwarded request has findings about its answer as well.
    if reply.forward == nil { reply.listViolations() }
    return reply
  }

  /// The answer to a request that reaches an operation; the request is validated here, once.
  private func operationReply(
    to request: HTTPRequest, _ body: [UInt8]?, _ target: String, _ match: RouteMatch, _ upstream: Upstream?,
    _ lane: any LaneAccess, _ time: LaneTime, _ override: ReplyOverride.Chooser
  ) -> Reply {
    let operation = operations[match.operation]
    let view = RequestView(request: request, target: target, captures: match.captures, body: body ?? [])
    var result = operation.validation(of: view)
    // Nothing below may run twice: it moves the state of the lane forward.
    guard !WorkLimit.isExceeded else { return .unfinished }
    if body == nil { result.withdrawBody(Body.tooLong("request")) }
    let time = time.by(lane.clock)
    let needsState = operation.needsState(of: lane)
    if needsState, upstream == nil {
      generateAnswer(of: operation, to: view, in: lane)
      guard !WorkLimit.isExceeded else { return .unfinished }
    }
    let chosen = override(operation, view)
    if chosen != nil || needsState { WorkLimit.completeGenerations() }
    return lane.perform(needsState) { state in
      let moment = state.map { time.moment(in: &$0.state) } ?? time
      let turn = state.flatMap { self.turn(of: view, operation, in: $0, at: moment) }
      guard !WorkLimit.isExceeded else { return .unfinished }
      let handler = RequestHandler(
        mock: self, operation: operation, request: view, result: result, time: moment, lane: state, turn: turn)
      var reply: Reply
      if let chosen {
        reply = chosen.reply(of: handler)
      } else if let upstream, operation.forced == nil, state?.state.isForced(operation) != true {
        reply =
          handler.refusal()
          ?? ProxyHandler(
            mock: self, upstream: upstream, request: request, body: body, operation: operation,
            captures: match.captures, result: result, lane: lane, time: time
          ).reply()
      } else {
        reply = handler.reply()
      }
      if let state, reply.forward == nil, !WorkLimit.isExceeded {
        finish(&reply, to: view, operation, turn, in: state, at: moment)
        if state.state.history.last?.isUnderWay == true {
          reply.watch(state.state.requests, of: operation, in: lane, at: time)
        }
      }
      return reply
    }
  }

  /// Generates the answer that a request most likely gets, while no state has moved and no other request waits for it.
  private func generateAnswer(of operation: MockOperation, to request: RequestView, in lane: any LaneAccess) {
    let preferences = Preferences(request.request.headerFields, query: request.query)
    let preferred: Int? =
      switch preferences.status {
      case .code(let code)?: code
      case .named(let name)?: operation.code(named: name)
      case nil: operation.forced?.code
      }
    let code = preferred ?? operation.successCode
    let isDynamic = preferences.isDynamic ?? options.isDynamic
    guard code >= 200, preferences.example == nil, let cell = operation.cell(for: code),
      isDynamic || cell.defaults.isEmpty,
      let index = Negotiation.choose(accept: request.accept, among: cell.offers.map(\.range))
    else { return }
    var seed = options.seed
    lane.update { seed = $0.seed ?? seed }
    _ = try? operation.compiled.responses.answer(
      in: cell.offers[index].object, cell.cell, code: code, seed: preferences.seed ?? seed, isDynamic: isDynamic)
  }

  /// The machines of a lane's scenario at a request; `nil` without a scenario.
  func turn(
    of request: RequestView, _ operation: MockOperation, in lane: LaneReference, at time: LaneTime
  ) -> ScenarioTurn? {
    guard let scenario = lane.state.scenario.flatMap({ scenarios[$0] }) else { return nil }
    return ScenarioTurn(scenario, operation, request, in: &lane.state, at: time())
  }

  /// Moves the state of a lane as the answer asks for, and adds what the client breaks by its request.
  func finish(
    _ reply: inout Reply, to request: RequestView, _ operation: MockOperation, _ turn: ScenarioTurn?,
    in lane: LaneReference, at time: LaneTime
  ) {
    lane.state.requests += 1
    if let turn {
      reply.diagnostics += turn.finish(operation, request, reply, in: &lane.state).compactMap(operation.options.weighed)
    }
    lane.state.note(&reply, to: request.request, request.body, request, rules: operation.options, at: time())
  }

  /// The same for a reply to a request that reaches no operation.
  private func observed(
    _ reply: consuming Reply, to request: HTTPRequest, _ body: [UInt8]?, in lane: any LaneAccess, at time: LaneTime
  ) -> Reply {
    guard lane.demand == .everything, reply.forward == nil, !reply.isAboutMock, !WorkLimit.isExceeded else {
      return reply
    }
    var reply = reply
    let rules = options.rules.validationOptions()
    lane.update { state in
      let now = time.moment(in: &state)()
      state.requests += 1
      state.note(&reply, to: request, body ?? [], nil, rules: rules, at: now)
    }
    return reply
  }
}

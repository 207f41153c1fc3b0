import UnderstudySockets
import UnderstudySystem

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
  let resources: ResourceModel?
  /// `nil` where nothing declares sockets.
  package let sockets: MockSockets?
  private let lazySent = Lazy<SentOperations>()
  /// The callbacks that the contract asks for, by the positions of their operations; `nil` where none is sent.
  let callbacks: [Int: [SentOperation]]?
  /// Of requests that reach no operation.
  let faults: OperationFaults?
  let unroutedRules: ValidationOptions

  /// Prepares answers from fixtures, examples and samples.
  ///
  /// - Parameters:
  ///   - contracts: Of two operations with one route, that of the earlier contract answers.
  ///   - options: Forced cells, faults, a scenario, and the treatment of bad requests.
  public init(contracts: [Contract], options: Options = Options()) {
    var options = options
    options.rules = options.rules.enabling(options.checks)
    self.contracts = contracts
    self.options = options
    unroutedRules = options.rules.validationOptions()
    contractSet = ContractSet(contracts.map(\.compiled))
    let isStateful = options.isStateful
    resources = ResourceModel(contracts.filter { isStateful || $0.compiled.violations.isStateful }, infers: true)
    sockets = MockSockets(contracts, speed: options.speed)
    var builder = MockBuilder(options: options, resources: resources, sockets: sockets)
    for contract in contracts { builder.add(contract) }
    operations = builder.operations
    prepared = builder.prepared
    let scenarios = PlayedScenario.all(of: contracts, besides: resources)
    self.scenarios = scenarios
    var state = LaneState()
    state.play(options.scenario, among: scenarios)
    state.add(options.checks)
    state.forced = builder.countedReplies
    state.sockets.faults = options.socketFaults
    initialState = state
    faults = OperationFaults(of: nil, by: options.faults)
    diagnostics =
      ContractConflict.names(contractSet.contracts) + options.problems + builder.finish()
      + (options.scenario.map { MockScenario.problems(of: $0, contracts) } ?? [])
      + options.checks.flatMap { $0.unknownOperations(among: builder.operations.map(\.id)) }
      + (resources?.diagnostics ?? []) + Self.problems(of: options.socketFaults, sockets, builder.operations.map(\.id))
    conflicts = ContractConflict.routes(contractSet.contracts)
    guard options.sendsCallbacks, options.upstream == nil || options.fallback == .upstream else {
      callbacks = nil
      return
    }
    let sent = lazySent.value { SentOperations(contracts, options) }.all
    let positions = Dictionary(
      operations.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { first, _ in first })
    let called = sent.filter { !$0.isWebhook && CallbackURL.problem(of: $0.expression ?? "") == nil }
    let found = Dictionary(grouping: called) { $0.cause.flatMap { positions[$0] } ?? -1 }
    callbacks = found.isEmpty ? nil : found
  }

  /// The requests that the mock can send: the callbacks and the webhooks of its contracts.
  package var sent: [SentOperation] {
    lazySent.value { SentOperations(contracts, options) }.all
  }

  /// Makes a mock with the same responses for one event loop, from the same contracts and options.
  ///
  /// A request counts references of many objects. If event loops share them, each count passes a cache line between
  /// processors. A replica has objects of its own, and changes the same states.
  ///
  /// - Returns: `nil` for a large contract, whose replicas would take much memory, for an upstream, and where examples are
  ///   in files, which may have changed.
  package func replica() -> Mock? {
    guard operations.count <= Self.replicaLimit, options.upstream == nil,
      !contracts.contains(where: \.hasExternalExamples)
    else { return nil }
    var options = options
    options.copiesBodies = true
    return Mock(contracts: contracts.map { Contract($0, compiled: $0.compiled.recompiled()) }, options: options)
  }

  /// Contracts with more operations are shared by all loops.
  private static let replicaLimit = 250

  private static func problems(
    of faults: [SocketFault], _ sockets: MockSockets?, _ operations: [String]
  ) -> [Diagnostic] {
    faults.compactMap { MockSockets.problem(of: $0, sockets, operations: operations) }.map {
      Diagnostic(.configInvalid, $0.message, help: $0.help)
    }
  }

  /// The state of a lane that no request has reached, with the scenario of the options.
  package func newState() -> LaneState {
    var state = initialState
    state.openedAt = options.now()
    return state
  }

  /// The collections that remember what they were sent, with the actions of their operations.
  package var collections: [(name: String, verbs: [ResourceVerb])] {
    resources(in: options.scenario)?.summary(of: contracts) ?? []
  }

  /// Whether an operation of a contract, or a route that was added for all lanes, is for a request.
  package func isRouted(_ request: HTTPRequest) -> Bool {
    routes(request) || withRoutes(of: nil)?.routes(request) == true
  }

  /// Whether an operation of a contract is for a request.
  func routes(_ request: HTTPRequest) -> Bool {
    if case .match = contractSet.router.route(request.method.rawValue, request.path ?? "/") { true } else { false }
  }

  func resources(in scenario: String?) -> ResourceModel? { scenario.flatMap { scenarios[$0]?.resources } ?? resources }

  /// The form of `reply` for a server with one lane, which begins with the server.
  package var responder: Responder {
    let lane = Lane(newState())
    return responder(replicating: { mock in { mock.reply(to: $0, body: $1, in: lane, within: $2) } })
  }

  /// The form of a server for a function that calls `reply`, with a body of `nil` where it is too long to buffer;
  /// `replica` makes a responder with the same responses for one event loop.
  package func responder(
    sockets: SocketService? = nil, replica: @escaping @Sendable () -> Responder? = { nil },
    answering reply: @escaping Responder.Answer
  ) -> Responder {
    Responder(
      prepared: prepared, longerThan: options.forwardsAll ? Body.bufferLimit : nil, sockets: sockets,
      replica: replica, answering: reply)
  }

  /// The form of a server whose busy event loops have a replica each, by a function for this mock or a replica.
  package func responder(
    sockets: SocketService? = nil,
    replicating answer: @escaping @Sendable (Mock) -> Responder.Answer
  ) -> Responder {
    responder(
      sockets: sockets, replica: { self.replica()?.responder(sockets: sockets, replicating: answer) },
      answering: answer(self))
  }

  /// The answer to a request that is the first of its lane.
  public func reply(to request: HTTPRequest, body: [UInt8] = []) -> Reply {
    reply(to: request, body: body, in: FreshLane(mock: self), at: nil)
  }

  /// The answer to a request, which moves the state of its lane forward.
  ///
  /// - Parameters:
  ///   - request: The head of the request.
  ///   - body: The body as received.
  ///   - state: What the mock remembers of earlier requests; begin with `newState()`.
  ///   - instant: The time of the request.
  package func reply(
    to request: HTTPRequest, body: [UInt8] = [], in state: inout LaneState, at instant: Instant = .now
  ) -> Reply {
    let lane = Lane(state)
    defer { state = lane.value }
    return reply(to: request, body: body, in: lane, at: LaneTime { instant.microsecondsSince1970 })
  }

  /// The answer to a request, as long as it takes: `body` is `nil` if it is too long to buffer, and `time` is the clock
  /// of the options by default; `override` chooses the response of an operation in place of the mock.
  package func reply(
    to request: HTTPRequest, body: [UInt8]?, in lane: any LaneAccess, at time: LaneTime? = nil,
    override: ReplyOverride.Chooser = { _, _ in nil }
  ) -> Reply {
    let budget = WorkBudget.unlimited
    return reply(to: request, body: body, in: lane, at: time, within: budget, override: override) ?? .unavailable
  }
}

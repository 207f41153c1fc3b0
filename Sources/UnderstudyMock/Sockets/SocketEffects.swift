package import UnderstudySockets
import UnderstudyText

package enum SocketEffects: Sendable {
  /// The lane has outputs; those with a number wait for the end of the response.
  case outputs(held: Int?)
  /// The response is the stream of a description at a position; templates see the environment.
  case stream(Int, SocketDescription, environment: JSON)
  /// The response is a stream that a test, a sweep or a fixture with pauses has written.
  case script(EventStreamScript)
  /// The response is that of the upstream, and then the bytes of its WebSocket.
  case relay(SocketRelay)

  var streamDescription: SocketDescription? {
    if case .stream(_, let description, _) = self { description } else { nil }
  }
}

extension LaneState {
  /// Begins anew with another state; the clients of sockets stay connected.
  package mutating func begin(_ state: LaneState) {
    var sockets = sockets
    sockets.restart(ofScenario: state.sockets.scenarioFaults)
    sockets.faults = state.sockets.faults
    self = state
    self.sockets = sockets
  }
}

extension Mock {
  /// The findings about an event, before the state of its lane is seen; `description` is the position of the socket's.
  func findings(about event: SocketEvent, of description: Int) -> [Diagnostic] {
    guard case .event(_, _, let name, let arguments, _) = event, let sockets else { return [] }
    var result = sockets.validate(name, arguments, of: description)
    options.rules.validationOptions().weigh(&result)
    return result.findings
  }

  /// Applies an event of sockets to the state of a lane, as `apply(_:to:at:)` does for requests.
  package func apply(
    _ event: SocketEvent, to state: inout LaneState, at time: LaneTime?, findings: [Diagnostic] = []
  ) {
    guard let sockets else { return }
    if case .event(let id, _, let name, _, _) = event, !findings.isEmpty {
      state.note(findings, proof: "socket \(id): \(VisibleText.shortened(name, to: 80))")
    }
    let now = LaneTime.Moment(time ?? LaneTime(options.now), of: state).now
    // They are no frames of this event.
    state.sockets.releaseResponses(before: event)
    let count = state.sockets.outputs.count
    sockets.script(for: state.scenario).apply(event, to: &state.sockets, at: now)
    guard state.checksSockets else { return }
    state.noteFrames(event, Array(state.sockets.outputs.dropFirst(count)), at: now)
    state.checkSockets(options.rules.validationOptions(), at: now)
  }

  /// The status with which a fault of a lane refuses a handshake; `nil` if none does. `id` is a number for the socket
  /// that does not come to be, and `request` is as the templates of rules see it.
  package func refusal(
    ofSocket id: Int, _ request: JSON, in lane: any LaneAccess
  ) throws(LaneProblem) -> Int? {
    var status: Int?
    try lane.update { state in
      status = nil
      let fault = state.sockets.takeFault { if case .refuse = $0.kind { true } else { false } }
      guard case .refuse(let code)? = fault?.kind else { return }
      status = code
      guard state.checksSockets else { return }
      let now = LaneTime.Moment(LaneTime(options.now), of: state).now
      let refused = SocketOutput(id, "/", .refuse(message: "", data: nil))
      let event = SocketEvent.connecting(id, description: 0, namespace: "/", auth: nil, request: request)
      state.noteFrames(event, [refused], at: now)
      state.checkSockets(options.rules.validationOptions(), at: now)
    }
    return status
  }

  /// How long until timers of sockets are due; `nil` without any, or while the clock of the lane is stopped.
  package func socketDelay(in state: LaneState) -> Duration? {
    guard let due = state.sockets.nextDue else { return nil }
    let now = LaneTime.Moment(LaneTime(options.now), of: state).now
    return .microseconds(max(0, due - now))
  }

  /// Applies the rules of sockets that wait for the response of an operation.
  func answer(_ reply: inout Reply, to prepared: PreparedRequest, inSocketsOf lane: inout LaneTransaction) {
    let operation = prepared.operation.id
    guard let sockets, sockets.concerns(operation: operation) else { return }
    let environment = Self.environment(of: prepared, reply)
    // A response that a test wrote is sent as it is.
    if reply.status / 100 == 2, reply.sockets == nil, !reply.source.isWritten,
      let stream = sockets.stream(of: operation, in: environment)
    {
      reply.sockets = .stream(stream, sockets.descriptions[stream], environment: environment)
    }
    let script = sockets.script(for: lane.state.scenario)
    guard script.operations.contains(operation) else { return }
    let held = script.apply(
      .answered(operation: operation, status: reply.status, delay: reply.delay, environment: environment),
      to: &lane.state.sockets, at: lane.now)
    guard reply.sockets == nil else {
      if let held { lane.state.sockets.release(held) }
      return
    }
    if let held, reply.delay == .zero { lane.state.sockets.awaitResponse(held) }
    reply.sockets = .outputs(held: held)
  }

  /// An exchange as the templates of socket rules see it: declared parameters and forms have the types of the contract.
  private static func environment(of prepared: PreparedRequest, _ reply: Reply) -> JSON {
    let (view, operation) = (prepared.view, prepared.operation.compiled)
    let captured = Set(view.captures.map(\.name))
    let path = captured.sorted().map { name in
      (name, operation.value(of: name, in: view) ?? .string(view.values(.path, name).first ?? ""))
    }
    let query = view.query.pairs.compactMap { pair -> (String, JSON)? in
      guard let name = view.query.name(of: pair), let value = view.query.value(of: pair) else { return nil }
      let typed = captured.contains(name) ? nil : operation.value(of: name, in: view)
      return (name, typed ?? .string(value))
    }
    let request = JSON.object([
      ("method", .string(view.request.method.rawValue)), ("path", .object(path)), ("query", .object(query)),
      ("header", header(view.request.headerFields)), ("body", body(view.content) { operation.body(of: view) }),
    ])
    return .object([
      ("request", request),
      ("response", .object([("status", .integer(reply.status)), ("body", body(MessageBody(reply.body)) { nil })])),
    ])
  }

  package static func header(_ fields: HTTPFields) -> JSON {
    .object(fields.map { ($0.name.canonicalName, .string($0.value)) })
  }

  /// JSON, a form as an object, or otherwise a string; `typed` returns the body by the media type of the contract.
  private static func body(_ body: MessageBody, _ typed: () -> JSON?) -> JSON {
    let bytes = body.bytes
    if bytes.isEmpty { return .null }
    if let root = body.root { return root }
    if let value = typed() { return value }
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.contains(UInt8(ascii: "=")), !text.utf8.contains(0x0A) else { return .string(text) }
    let query = Query(bytes)
    return .object(
      query.pairs.compactMap { pair in
        guard let name = query.name(of: pair), let value = query.value(of: pair) else { return nil }
        return (name, .string(value))
      })
  }
}

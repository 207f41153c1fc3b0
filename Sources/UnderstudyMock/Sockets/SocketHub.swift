import Synchronization
package import UnderstudySockets
import UnderstudySystem
import UnderstudyText

/// Carries the outputs of a socket to its client. Outputs arrive in order, on any thread.
package protocol SocketTransport: AnyObject, Sendable {
  func perform(_ action: SocketOutput.Action, in namespace: String)
  /// Closes the connection because its lane or the mock ends: with 1001 on a WebSocket.
  ///
  /// - Parameter reason: The reason in the close frame.
  func close(_ reason: String)
}

/// Brings the events of sockets to their lanes, and outputs to the sockets.
///
/// Outputs are handed over in the order of the changes of their lane, once each change is stored: a lane in memory is locked
/// meanwhile.
package final class SocketHub: Sendable {
  private struct Connected {
    let transport: any SocketTransport
    let lane: any LaneAccess
    let record: SocketRecord?
  }

  private let sockets = Lock<[Int: Connected]>([:])
  private let counts = Lock(Counts())
  private let lastID: Atomic<Int>
  /// The numbers of the sockets of this process; `nil` where no other process has sockets.
  private let own: Range<Int>?
  private let served = Lock<Mock?>(nil)
  private let findings = Lock<(@Sendable ([Diagnostic]) -> Void)?>(nil)
  /// Gets what clients do, once their lane has seen it.
  private let applied: (@Sendable (SocketEvent, [Diagnostic]) -> Void)?
  private let delivered: (@Sendable (SocketOutput) -> Void)?

  /// - Parameters:
  ///   - applied: Gets each event of a client with what it breaks, once its lane has seen it.
  ///   - delivered: Gets each output, while its lane is locked.
  ///   - firstID: The number before the first socket, which no socket of an earlier process has that a store remembers.
  ///   - own: The numbers of the sockets of this process; `nil` where no other process has sockets at the same time.
  package init(
    after firstID: Int = 0, own: Range<Int>? = nil,
    applied: (@Sendable (SocketEvent, [Diagnostic]) -> Void)? = nil,
    delivered: (@Sendable (SocketOutput) -> Void)? = nil
  ) {
    (self.applied, self.delivered, self.own) = (applied, delivered, own)
    lastID = Atomic(firstID)
  }

  /// Uses a mock for the timers of all lanes from now on: after a reload, the new one.
  package func use(_ mock: Mock) { served.withLock { $0 = mock } }

  /// Reports the findings of socket checks from now on, each problem of a lane once, while no lane is locked.
  package func reportFindings(to report: @escaping @Sendable ([Diagnostic]) -> Void) {
    findings.withLock { $0 = report }
  }

  /// A number for a socket, unique in the process.
  package func newID() -> Int { lastID.add(1, ordering: .relaxed).newValue }

  /// - Parameter record: Gets what the socket sends and receives.
  package func add(
    _ transport: any SocketTransport, _ id: Int, in lane: any LaneAccess, _ record: SocketRecord? = nil
  ) {
    sockets.withLock { $0[id] = Connected(transport: transport, lane: lane, record: record) }
    lane.schedule {
      // The lane was closed after the request had found it.
      var isClosed = false
      try? lane.read { state, _ in isClosed = state.sockets.isClosed }
      if isClosed { transport.close(Self.laneEnd) }
    }
  }

  /// Closes the sockets and streams of a lane that was closed.
  package func close(_ lane: any LaneAccess) {
    // A closed lane has left its store, which thus cannot fail.
    try? lane.update { $0.sockets.isClosed = true }
    let all = sockets.withLock { sockets in sockets.values.filter { $0.lane.id == lane.id } }
    for socket in all { socket.transport.close(Self.laneEnd) }
  }

  /// Closes the sockets and streams of all lanes: the server is about to stop.
  package func closeAll(because reason: String = SocketHub.serverEnd) {
    for socket in sockets.withLock({ Array($0.values) }) { socket.transport.close(reason) }
  }

  private static let laneEnd = "the lane is closed"
  package static let serverEnd = "the server shuts down"

  /// - Parameter isRefused: Whether its handshake was refused, so that it never was open.
  package func remove(_ id: Int, isRefused: Bool = false) {
    let removed = sockets.withLock { $0.removeValue(forKey: id) }
    if !isRefused { removed?.record?.end() }
  }

  /// How sockets ended and were refused, since the start.
  package struct Counts: Sendable {
    /// The number of ended sockets by the code of the close frame; 1006 without one.
    package var ends: [Int: Int] = [:]
    /// The number of refused handshakes by status.
    package var refusals: [Int: Int] = [:]
  }

  package var tally: Counts { counts.withLock { $0 } }

  package func noteEnd(_ end: WebSocketEnd) { counts.withLock { $0.ends[Int(end.code.rawValue), default: 0] += 1 } }

  package func noteRefusal(_ status: Int) { counts.withLock { $0.refusals[status, default: 0] += 1 } }

  /// The open sockets and streams.
  package var count: Int { sockets.withLock(\.count) }

  private func record(of id: Int) -> SocketRecord? { sockets.withLock { $0[id]?.record } }

  /// Notes that a client has acknowledged an event.
  package func acknowledged(_ id: Int, _ number: Int, _ arguments: SocketArguments, in namespace: String) {
    record(of: id)?.noteAcknowledgement(number, arguments, in: namespace)
  }

  /// Applies an event of a client, or of time: at once, or in its turn in a lane that waits for a store.
  package func receive(
    _ event: SocketEvent, by mock: Mock, in lane: any LaneAccess, findings: [Diagnostic] = []
  ) {
    guard lane.isDurable else {
      _ = try? apply(event, by: mock, in: lane, findings: findings)
      return
    }
    lane.schedule { [self] in
      do throws(LaneProblem) {
        try apply(event, by: mock, in: lane, findings: findings)
      } catch {
        fail(event, by: mock, in: lane, error)
      }
    }
  }

  /// The pause before an event that no client can repeat is applied again.
  private static let retryPause: Duration = .seconds(1)

  /// Ends the socket of an event that was not stored; the end of a socket and a timer are tried again.
  private func fail(_ event: SocketEvent, by mock: Mock, in lane: any LaneAccess, _ problem: LaneProblem) {
    // Another replica has closed the lane with all that waits in it.
    let isRepeated = problem.kind != .closed
    switch event {
    case .connecting(let id, _, let namespace, _, _):
      sockets.withLock { $0[id] }?.transport.perform(.refuse(message: problem.message, data: nil), in: namespace)
    case .event(let id, _, _, _, _): sockets.withLock { $0[id] }?.transport.close(problem.message)
    case .disconnected, .time:
      guard isRepeated else { return }
      Task { [self] in
        try await Task.sleep(for: Self.retryPause)
        receive(event, by: served.withLock { $0 } ?? mock, in: lane)
      }
    case .answered, .command: break
    }
  }

  /// Applies an event to a lane. Returns the number of outputs, for a command with those that a fault makes late.
  ///
  /// - Parameter findings: What the client breaks by it.
  /// - Throws: The reason that a store did not take the event.
  @discardableResult
  package func apply(
    _ event: SocketEvent, by mock: Mock, in lane: any LaneAccess, findings: [Diagnostic] = []
  ) throws(LaneProblem) -> Int {
    var late = 0
    var remembered: [SocketState.RememberedValue] = []
    // A timer that is not due yet changes nothing.
    var isTimer = false
    if case .time = event { isTimer = true }
    let count = try update(mock, lane, isTimer ? .silent : .event) { state in
      if case .command = event { late = -state.sockets.delayedCount }
      mock.apply(event, to: &state, at: nil, findings: findings)
      if case .command = event { late += state.sockets.delayedCount }
      remembered = state.sockets.takeRemembered()
      if state.isObserved { state.sockets.note(event, findings) }
    } then: {
      // Before the event is shown, which may have the values.
      for value in remembered { record(of: value.socket)?.remember(value.value, as: value.name) }
      if let id = event.socket { record(of: id)?.note(event, findings) }
    }
    guard event.socket != nil else { return count + max(0, late) }
    applied?(event, findings)
    return count
  }

  /// Hands over the outputs of a lane that do not wait for a response, which is sent next.
  ///
  /// - Parameter held: The number of those that wait for it, unless it is delayed.
  package func beginResponse(_ held: Int?, by mock: Mock, in lane: any LaneAccess) {
    // Outputs that a store does not release now follow with the next change of the lane.
    _ = try? update(mock, lane, .silent) { state in if let held { state.sockets.beginResponse(held) } }
  }

  /// Hands over the outputs of a lane, with those that a number held back.
  package func release(_ held: Int?, by mock: Mock, in lane: any LaneAccess) {
    _ = try? update(mock, lane, .silent) { state in if let held { state.sockets.release(held) } }
  }

  /// Hands over the outputs of sockets of this process that another process has stored.
  package func takeOutputs(of lane: any LaneAccess) {
    let isUsed = sockets.withLock { $0.values.contains { $0.lane.id == lane.id } }
    guard isUsed, let mock = served.withLock({ $0 }) else { return }
    lane.schedule { [self] in release(nil, by: mock, in: lane) }
  }

  /// Disconnects the sockets of a process that has ended, and lets the timers of the lane go on.
  ///
  /// - Parameter ids: The numbers of its sockets.
  package func end(_ ids: Range<Int>, in lane: any LaneAccess) {
    guard let mock = served.withLock({ $0 }) else { return }
    lane.schedule { [self] in
      _ = try? update(mock, lane, .silent) { state in
        for member in Array(state.sockets.sockets) where ids.contains(member.id) {
          mock.apply(.disconnected(member.id, namespace: member.namespace), to: &state, at: nil)
        }
        state.sockets.forgetOutputs(of: ids)
        mock.apply(.time, to: &state, at: nil)
      }
    }
  }

  /// Reports what checks of sockets find at the end of a lane.
  package func finish(_ lane: any LaneAccess, by mock: Mock) {
    let mock = served.withLock { $0 } ?? mock
    _ = try? update(mock, lane) { state in
      state.checkSockets(
        mock.options.rules.validationOptions(), at: state.time(at: mock.options.now()), isClosing: true)
    }
  }

  /// - Parameter show: Shows the event, before its outputs are handed over.
  private func update(
    _ mock: Mock, _ lane: any LaneAccess, _ kind: LaneUpdateKind = .event, _ body: (inout LaneState) -> Void,
    then show: () -> Void = {}
  ) throws(LaneProblem) -> Int {
    var wakeAt: ContinuousClock.Instant?
    var outputs: [SocketOutput] = []
    var found: [Diagnostic] = []
    try lane.update(kind) { state, _ in
      body(&state)
      found = state.sockets.takeFindings()
      outputs = own.map { state.sockets.takeOutputs(of: $0) } ?? state.sockets.takeOutputs()
      wakeAt = nil
      guard let delay = mock.socketDelay(in: state) else { return }
      let now = ContinuousClock.now
      // The clock of a lane can be moved meanwhile, so a long wait asks again.
      let next = now + min(delay, Self.longestPause)
      // One task looks at the timers of a lane, unless an earlier one is needed.
      if let known = state.sockets.wakeAt, known > now, known <= next { return }
      state.sockets.wakeAt = next
      wakeAt = next
    } noting: {
      nil
    } then: {
      show()
      deliver(outputs)
    }
    if !found.isEmpty { findings.withLock({ $0 })?(found) }
    guard let wakeAt else { return outputs.count }
    Task { [self] in
      try await Task.sleep(until: wakeAt, tolerance: .zero)
      receive(.time, by: served.withLock { $0 } ?? mock, in: lane)
    }
    return outputs.count
  }

  private static let longestPause: Duration = .milliseconds(50)

  private func deliver(_ outputs: [SocketOutput]) {
    guard !outputs.isEmpty else { return }
    let known = sockets.withLock { all in outputs.map { all[$0.socket] } }
    var written = WrittenArguments()
    for (output, socket) in zip(outputs, known) {
      delivered?(output)
      socket?.record?.note(output, &written)
      socket?.transport.perform(output.action, in: output.namespace)
    }
  }
}

/// Serves the sockets of a mock: finds the lane and the description of a request.
package struct SocketService: Sendable {
  package let mock: Mock
  package let hub: SocketHub
  /// Splits a target into the name of a lane and the target in it.
  package typealias Split = @Sendable (String) -> (name: String?, path: String)
  /// The lane of a name, which a request may open.
  package typealias Open = @Sendable (String?, HTTPRequest?) -> (any LaneAccess)?

  private let split: Split
  private let open: Open

  package init(_ mock: Mock, _ hub: SocketHub, split: @escaping Split, open: @escaping Open) {
    (self.mock, self.hub, self.split, self.open) = (mock, hub, split, open)
  }

  /// The lane and the description that a socket belongs to.
  package struct Place: Sendable {
    package let service: SocketService
    package let lane: any LaneAccess
    /// `nil` for the lane without a name.
    package let laneName: String?
    /// The position of the description.
    package let number: Int
    package let description: SocketDescription
    /// The parameters of the query, decoded.
    package let query: [String: String]
    /// The parameters of the path, decoded.
    var parameters: [(name: String, value: String)] = []
    package let request: HTTPRequest

    package func apply(_ event: SocketEvent) {
      let mock = service.mock
      service.hub.receive(event, by: mock, in: lane, findings: mock.findings(about: event, of: number))
    }

    /// The fault of the lane that meets a condition, which has one time less left then.
    package func takeFault(_ isMet: (SocketFault.Kind) -> Bool) -> SocketFault.Kind? {
      var fault: SocketFault?
      guard lane.isDurable else {
        try? lane.update { state in fault = state.sockets.takeFault { isMet($0.kind) } }
        return fault?.kind
      }
      var sockets = lane.known?.sockets
      fault = sockets?.takeFault { isMet($0.kind) }
      // The loop does not wait for the store.
      guard let fault else { return nil }
      lane.schedule { [lane] in try? lane.update { state in _ = state.sockets.takeFault { $0 == fault } } }
      return fault.kind
    }

    /// Takes the fault that refuses the handshake, and returns its status.
    package func takeRefusal() -> Int? {
      let (mock, id, environment) = (service.mock, service.hub.newID(), environment)
      guard lane.isDurable else { return try? mock.refusal(ofSocket: id, environment, in: lane) }
      guard let state = lane.known else { return nil }
      let status = try? mock.refusal(ofSocket: id, environment, in: Lane(state))
      // The loop does not wait for the store.
      if status != nil { lane.schedule { [lane] in _ = try? mock.refusal(ofSocket: id, environment, in: lane) } }
      return status
    }

    /// The request as templates see it.
    package var environment: JSON {
      let path = JSON.object(parameters.map { ($0.name, .string($0.value)) })
      return .object(
        (parameters.isEmpty ? [] : [("path", path)]) + [
          ("query", .object(query.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
          ("header", Mock.header(request.headerFields)),
        ])
    }
  }

  /// The lane of a name if it is open, or the lane without a name.
  package func lane(named name: String?) -> (any LaneAccess)? { open(name, nil) }

  /// The lane and the description of a stream that an operation opens.
  package func place(ofStream number: Int, lane name: String?, _ request: HTTPRequest) -> Place? {
    guard let sockets = mock.sockets, sockets.descriptions.indices.contains(number), let lane = lane(named: name) else {
      return nil
    }
    return Place(
      service: self, lane: lane, laneName: name, number: number, description: sockets.descriptions[number], query: [:],
      request: request)
  }

  /// The socket that a request is for; `nil` for every other request.
  package func place(of request: HTTPRequest) -> Place? {
    guard let sockets = mock.sockets, let target = request.path else { return nil }
    let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
    // Most requests are for paths of the contract.
    guard target.utf8.dropFirst().first == UInt8(ascii: "~") || sockets.description(at: String(target[..<end])) != nil
    else { return nil }
    let (name, path) = split(target)
    let cut = path.utf8.firstIndex(of: UInt8(ascii: "?")) ?? path.endIndex
    guard let (number, description) = sockets.description(at: String(path[..<cut])), let lane = open(name, request)
    else { return nil }
    let pairs = Query(Array(path[cut...].utf8.dropFirst()))
    var query: [String: String] = [:]
    for pair in pairs.pairs {
      guard let name = pairs.name(of: pair), query[name] == nil else { continue }
      query[name] = pairs.value(of: pair)
    }
    let parameters = (description.parameters(of: String(path[..<cut])) ?? []).map { name, value in
      (name, PercentEncoding.decode(value) ?? value)
    }
    return Place(
      service: self, lane: lane, laneName: name, number: number, description: description, query: query,
      parameters: parameters, request: request)
  }
}

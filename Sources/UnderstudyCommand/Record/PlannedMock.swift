import UnderstudyMock
import UnderstudyRecording
import UnderstudySockets
import UnderstudyVerification

/// A mock of the files that a recording is about to write, beside the fixtures that exist.
struct PlannedMock: Sendable {
  let sources: [ContractSource]
  /// The fixtures folder, which stays as it is.
  let folder: String
  let basePaths: BasePathPolicy
  let rules: RuleSettings

  /// The maximum size of the fixtures that are copied for a mock: 256 MiB.
  private static let limit = 256 << 20
  /// The maximum depth of folders below the folder of a contract.
  private static let depthLimit = 4

  var player: PlanPlayer { { plan, scenario, session in outcome(plan, scenario, session) } }

  /// The outcome of a session; `nil` if the files cannot be played.
  private func outcome(
    _ plan: RecordingPlan, _ scenario: String?, _ session: PlayedSession
  ) -> PlayedSession.Outcome? {
    guard let copy = try? TemporaryFolder() else { return nil }
    defer { copy.remove() }
    guard let mock = try? self.mock(of: plan, scenario, in: copy.path) else { return nil }
    return Performance(of: session, by: mock).outcome
  }

  fileprivate static func response(_ reply: Reply) -> Exchange.Response {
    var body = ExchangeBody.bytes(reply.body)
    if case .streamed = reply.content { body = .unknown("a stream") }
    return Exchange.Response(status: reply.status, fields: reply.response.headerFields, body: body)
  }

  /// Writes the plan to a copy of the fixtures, and reads the contracts with them.
  private func mock(of plan: RecordingPlan, _ scenario: String?, in copy: String) throws -> Mock? {
    var left = Self.limit
    for source in sources {
      try Self.copy(Path.join(folder, source.name), to: Path.join(copy, source.name), &left, depth: 0)
    }
    var plan = plan
    // The user may move them into place.
    plan.files += plan.doubtful
    plan.doubtful = []
    try plan.write(to: copy)
    var contracts: [Contract] = []
    for source in sources {
      let (contract, _) = Contract.load(source.withFixtures(in: copy), fixtures: copy, basePaths: basePaths)
      guard let contract else { return nil }
      contracts.append(contract)
    }
    var options = Mock.Options()
    options.rules = rules
    options.scenario = scenario
    return Mock(contracts: contracts, options: options)
  }

  private static func copy(_ source: String, to target: String, _ left: inout Int, depth: Int) throws(FileProblem) {
    guard FileSystem.isFolder(source), depth < depthLimit else { return }
    for entry in try FileSystem.list(source) where !entry.name.hasPrefix(".") {
      let (path, place) = (Path.join(source, entry.name), Path.join(target, entry.name))
      guard !entry.isFolder else {
        try copy(path, to: place, &left, depth: depth + 1)
        continue
      }
      guard FileSystem.isRegular(path) else { continue }
      let bytes = try FileSystem.read(path).bytes
      left -= bytes.count
      guard left >= 0 else { throw FileProblem(.tooLarge, source, "more than \(limit.asBytes) of fixtures") }
      try FileSystem.write(bytes, to: place, isPrivate: true)
    }
  }
}

/// A session that is played against a mock, in the order of time.
private struct Performance {
  private let mock: Mock
  private var state: LaneState
  private(set) var outcome: PlayedSession.Outcome
  /// The time of the last step, in microseconds since 1970.
  private var now = 0

  /// The time after the last step in which sockets send what they have left.
  private static let rest = 1_000_000
  /// The end of the year 9999: a HAR may have any time.
  private static let latest = 253_402_300_799_000_000
  /// The maximum number of timers between two steps.
  private static let timerLimit = 100_000

  private enum Step {
    case request(Exchange)
    case socket(Int, PlayedSocket.Step)
  }

  init(of session: PlayedSession, by mock: Mock) {
    self.mock = mock
    state = mock.newState()
    outcome = PlayedSession.Outcome(responses: [], outputs: session.sockets.map { _ in [] })
    for (time, step) in Self.steps(of: session) {
      pass(until: max(now, min(time, Self.latest)))
      switch step {
      case .request(let entry):
        let instant = Mock.Instant(microsecondsSince1970: now)
        let reply = mock.reply(to: entry.request, body: entry.requestBody.bytes, in: &state, at: instant)
        if case .outputs(let held?)? = reply.sockets { state.sockets.release(held) }
        outcome.responses.append(PlannedMock.response(reply))
      case .socket(let index, let step):
        guard let event = event(step, of: session.sockets[index], index) else { continue }
        mock.apply(event, to: &state, at: LaneTime { [now] in now })
      }
      take()
    }
    pass(until: now + Self.rest)
  }

  /// Returns the steps by time. Requests keep their order, even if a request was sent before its predecessor had a response.
  private static func steps(of session: PlayedSession) -> [(time: Int, step: Step)] {
    var latest = 0
    var steps = session.requests.map { entry in
      latest = max(latest, entry.startedAt ?? (latest == 0 ? Timestamp.microseconds() : latest))
      return (time: latest, step: Step.request(entry))
    }
    for (index, socket) in session.sockets.enumerated() {
      steps += socket.steps.map { (time: $0.time, step: Step.socket(index, $0)) }
    }
    return steps.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
  }

  private func event(_ step: PlayedSocket.Step, of socket: PlayedSocket, _ index: Int) -> SocketEvent? {
    switch step.action {
    case .connect:
      let number = mock.sockets?.descriptions.firstIndex {
        $0.kind == socket.description.kind && $0.path == socket.description.path
      }
      guard let number else { return nil }
      return .connecting(index, description: number, namespace: step.namespace, auth: nil, request: .object([]))
    case .event(let name, let arguments, let id):
      return .event(index, namespace: step.namespace, name: name, arguments, id: id)
    }
  }

  /// Advances the socket timers.
  private mutating func pass(until time: Int) {
    for _ in 0..<Self.timerLimit {
      guard let due = state.sockets.nextDue, due <= time else { break }
      now = max(now, due)
      mock.apply(.time, to: &state, at: LaneTime { [now] in now })
      take()
    }
    now = time
  }

  /// Collects the pending socket outputs.
  private mutating func take() {
    for output in state.sockets.takeOutputs() where outcome.outputs.indices.contains(output.socket) {
      if let sent = PlayedSocket.Output(output) { outcome.outputs[output.socket].append(sent) }
    }
  }
}

extension Record.LoadedContracts {
  /// Plays a session against planned files.
  func player(_ configuration: Configuration) -> PlanPlayer {
    PlannedMock(
      sources: sources, folder: folder, basePaths: configuration.basePaths(), rules: configuration.rules
    ).player
  }
}

package import UnderstudyMock
import UnderstudySockets
import UnderstudySystem

/// Serves a mock in lanes: those that a path prefix names, and the one without a name. The admin API directs them.
///
/// A request for `/~alice/v1/user` reaches `/v1/user` in the lane `alice`, which opens with its first request.
package struct MockHost: Sendable {
  package let lanes: any LaneStore
  /// The processes that share the lanes; `nil` for lanes of one process.
  let replicas: ReplicaGroup?
  package let journal: Journal
  let feed: JournalFeed
  let redaction: RedactionSettings
  /// The secrets of all exchanges, which no answer of the admin API shows.
  package let secrets: JournalSecrets
  /// `nil` without an admin API.
  let access: AdminAccess?
  /// Reads the contracts and fixtures again.
  package let reload = MockReload()
  /// The lanes that were closed with a verdict.
  let closed = ClosedLanes()
  /// The runs of sweeps.
  let runs = LaneRuns()
  /// When it began, in microseconds since 1970.
  let startedAt = Timestamp.microseconds()
  private let unnamed: any LaneAccess
  /// The mock that responds; `nil` before the first one.
  private let served = ServedMock()
  /// The second byte of the paths of the admin API.
  private let adminMark: UInt8?
  /// Those of the server, which its configuration gets.
  package let connections = OpenConnections()
  /// The open sockets and streams of all lanes.
  package let sockets: SocketHub
  /// The ports of lanes, once a server uses this host.
  package let lanePorts = LanePorts()
  /// Sends callbacks and webhooks, once it has a transport.
  package let callbacks = CallbackSender()
  /// Gets the exchanges that the admin API has repeated.
  package let repeated = RepeatedExchanges()

  /// - Parameters:
  ///   - journal: Gets the exchanges from an observer.
  ///   - redaction: How the admin API hides secrets.
  ///   - numbers: Of the secrets, for all that shows some of them.
  ///   - admin: `nil` for a server without an admin API.
  package init(
    lanes: any LaneStore, journal: Journal = Journal(), redaction: RedactionSettings = RedactionSettings(),
    numbers: SecretNumbers = SecretNumbers(), admin: AdminSettings?
  ) {
    self.lanes = lanes
    replicas = (lanes as? DurableLanes)?.replicas
    let own = lanes.storeFacts?.sockets
    sockets = SocketHub(after: own.map { $0.lowerBound - 1 } ?? 0, own: replicas == nil ? nil : own)
    self.journal = journal
    feed = JournalFeed(journal, shared: replicas.map { SharedTail($0) })
    self.redaction = redaction
    secrets = JournalSecrets(of: journal, redaction, numbers)
    unnamed = lanes.unnamed
    access = admin.map { AdminAccess(settings: $0) }
    adminMark = admin?.root.utf8.dropFirst().first
  }

  /// The mock that responds; `nil` before the first one.
  var mock: Mock? { served.current }

  /// The files of the console.
  var console: [ConsoleFile] { access?.settings.console ?? [] }

  /// Ends the streams of clients that follow the journal, and the sockets and streams of all lanes: the server is about to
  /// stop.
  package func endStreams() {
    journal.close()
    callbacks.close()
    sockets.closeAll()
  }

  /// Reports what checks of sockets find at the end of all lanes, unless a store lets the lanes go on.
  package func finishLanes(by mock: Mock) {
    if lanes.isDurable { return }
    for lane in [unnamed] + lanes.names.compactMap({ (try? lanes.find($0)) ?? nil }) { sockets.finish(lane, by: mock) }
  }

  /// Ends what was forced in the lane without a name, and its faults.
  package func clear(by mock: Mock) {
    try? unnamed.change(.release, .mend, by: mock)
  }

  /// What the admin API shows of the last request; `nil` before the first one.
  package func lastRequest(of mock: Mock) -> Redacted<JSON>? {
    journal.entries().last.map { entry in
      var printer = printer()
      return printer.detail(entry, by: mock)
    }
  }

  /// The findings about the clients of closed and of open lanes that no single exchange shows, without secrets.
  package func closingFindings(of mock: Mock) -> [ClosingFinding] {
    let now = mock.options.now()
    var states = lanes.used.compactMap { try? $0.value }
    let shared = (try? unnamed.value) ?? LaneState()
    // Clients that name their lanes leave the other one alone.
    if shared.requests > 0 || states.isEmpty && closed.isEmpty { states.insert(shared, at: 0) }
    let found = closed.findings + states.flatMap { mock.closingFindings(of: $0, at: now) }
    // To know the secrets, the redactor reads the whole journal.
    guard !found.isEmpty else { return [] }
    var redactor = secrets.redactor()
    return found.map { closing in
      var closing = closing
      closing.finding = redactor.redact(closing.finding).value
      return closing
    }
  }

  /// Shows exchanges without the secrets of the contracts.
  func printer() -> JournalPrinter { JournalPrinter(secrets.redactor(), version: ServerVersion.current) }

  /// Answers by a mock, whose scenario begins anew in the lane without a name. After a reload the lanes keep the items of
  /// their clients, except in collections whose seeds or schema have changed.
  ///
  /// - Parameter reset: Gets the names of the collections that begin anew, in alphabetical order.
  package func responder(for mock: Mock, reset: ([String]) -> Void = { _ in }) -> Responder {
    let old = served.replace(by: mock)
    if !lanes.use(mock) { adaptLanes(to: mock, from: old, reset: reset) }
    secrets.use(mock)
    sockets.use(mock)
    return mock.responder(
      sockets: socketService(for: mock, in: nil),
      replicating: { mock in
        let unnamed = LaneHandle(self.unnamed)
        return { reply(to: $0, $1, by: mock, unnamed, within: $2) }
      })
  }

  /// Continues the lanes of a store with a timer that an earlier process has left, and learns of the changes of other replicas.
  package func resume(_ durable: DurableLanes, by mock: Mock) {
    durable.onChange { [sockets] in sockets.takeOutputs(of: $0) }
    durable.onClose { [sockets] in sockets.close($0) }
    durable.onTakeOver { [sockets] in sockets.end($1, in: $0) }
    durable.onOverdue { [sockets, served] lane in
      if let mock = served.current { sockets.receive(.time, by: mock, in: lane) }
    }
    replicas?.begin(for: self)
    for lane in durable.waiting { sockets.receive(.time, by: mock, in: lane) }
  }

  /// Adapts the lanes in memory to a new mock.
  private func adaptLanes(to mock: Mock, from old: Mock?, reset: ([String]) -> Void) {
    var names: Set<String> = []
    try? unnamed.update { state in
      let new = mock.newState()
      let kept = old.map { mock.reloadedItems(of: state, from: $0, playing: new.scenario) }
      state.begin(new)
      guard let kept else { return }
      state.resources = kept.items
      names.formUnion(kept.reset)
    }
    for lane in lanes.used {
      guard let old else { break }
      try? lane.update { state in
        let kept = mock.reloadedItems(of: state, from: old, playing: state.scenario)
        state.resources = kept.items
        names.formUnion(kept.reset)
      }
    }
    if !names.isEmpty { reset(names.sorted()) }
  }

  /// Answers on a port that belongs to one lane.
  package func responder(for mock: Mock, in lane: LaneName) -> Responder {
    mock.responder(
      sockets: socketService(for: mock, in: lane),
      replicating: { mock in
        { request, body, budget in
          var request = request
          request.path = LaneTarget.path(request.path ?? "/", in: lane.text)
          return reply(to: request, body, by: mock, unnamed, atPortOf: lane, within: budget)
        }
      })
  }

  private func reply(
    to request: HTTPRequest, _ body: [UInt8]?, by mock: Mock, _ unnamed: any LaneAccess,
    atPortOf portLane: LaneName? = nil, within budget: WorkBudget
  ) -> Reply? {
    guard let path = request.path else { return mock.reply(to: request, body: body, in: unnamed, within: budget) }
    if mock.options.upstream != nil, let problem = access?.refusal(ofUpstream: request) { return problem.reply }
    // The second byte is enough for most paths of a contract: lanes and the admin API have their own.
    let second = path.utf8.dropFirst().first
    if second == UInt8(ascii: "~"), path.hasUTF8Prefix("/") {
      return laneReply(to: request, path, body, by: mock, atPortOf: portLane, within: budget)
    }
    guard second == adminMark else {
      if let problem = refusal(ofSocketAt: path, by: mock) { return problem.reply }
      var reply = mock.reply(to: request, body: body, in: unnamed, within: budget)
      if let replicas, replicas.isCutOff { reply?.warn(replicas.warning) }
      return second == nil ? reply.map { access?.linked($0, to: request) ?? $0 } : reply
    }
    if waits(for: path, within: budget) { return nil }
    return adminReply(to: request, body, by: mock, in: nil, atPortOf: portLane)
      ?? mock.reply(to: request, body: body, in: unnamed, within: budget)
  }

  /// Whether a request to the admin API waits for a store, which no event loop does.
  private func waits(for path: String, within budget: WorkBudget) -> Bool {
    guard lanes.isDurable, !budget.isWorker, let settings = access?.settings, settings.isAsked(by: path) else {
      return false
    }
    return !AdminAPI.isAboutServer(path.dropFirst(settings.root.count))
  }

  /// The reply of the admin API; `nil` if the request is for something else.
  func adminReply(
    to request: HTTPRequest, _ body: [UInt8]?, by mock: Mock, in lane: @autoclosure () -> LaneName? = nil,
    atPortOf portLane: LaneName? = nil, isFromProcess: Bool = false
  ) -> Reply? {
    guard let access, let path = request.path, access.settings.isAsked(by: path) else { return nil }
    let admin = AdminRequest(
      self, access.settings.root, mock, request, body, portLane: portLane, lane: lane(), isFromProcess: isFromProcess)
    return AdminAPI.reply(to: admin, access)
  }

  /// The answer in a lane that a request was sent in before; `nil` names the one without a name.
  func reply(to request: HTTPRequest, _ body: [UInt8], in lane: String?, by mock: Mock) -> Reply {
    guard let lane else { return mock.reply(to: request, body: body, in: unnamed) }
    var request = request
    request.path = LaneTarget.path(request.path ?? "/", in: lane)
    return reply(to: request, body, by: mock, unnamed, within: .unlimited) ?? .unavailable
  }

  /// Sends the events that wait for a reply which no connection sends.
  func releaseEvents(of reply: Reply, in name: String?, by mock: Mock) {
    guard case .outputs(let held)? = reply.sockets else { return }
    var lane: (any LaneAccess)? = unnamed
    if let name = name.flatMap({ try? LaneName($0) }), name != .unnamed { lane = (try? lanes.find(name)) ?? nil }
    if let lane { sockets.release(held, by: mock, in: lane) }
  }

  private func laneReply(
    to request: HTTPRequest, _ path: String, _ body: [UInt8]?, by mock: Mock, atPortOf portLane: LaneName?,
    within budget: WorkBudget
  ) -> Reply? {
    let target = LaneTarget(path)
    var request = request
    request.path = target.path
    if waits(for: target.path, within: budget) { return nil }
    // It is the same for all lanes, of which a client may name one in a header.
    if let reply = adminReply(to: request, body, by: mock, in: try? LaneName(target.name), atPortOf: portLane) {
      return reply
    }
    do throws(LaneProblem) {
      let name = try LaneName(target.name)
      // Event loops do not ask a store.
      if !budget.isWorker, !lanes.knows(name) { return nil }
      let lane =
        try lane(name, for: request, ofContract: mock.options.upstream != nil || mock.isRouted(request), by: mock)
        ?? FreshLane(mock: mock)
      var reply = mock.reply(to: request, body: body, in: lane, within: budget)
      reply?.lane = name.text
      return reply
    } catch {
      return error.reply
    }
  }

  /// The lane that a request names. A request opens it if it is for something that a contract has, and not from a page of
  /// another site, which could use up all lanes.
  ///
  /// - Returns: `nil` where the lane is not open, and the request is for nothing that a contract has.
  func lane(
    _ name: LaneName, for request: HTTPRequest, ofContract isKnown: @autoclosure () -> Bool, by mock: Mock
  ) throws(LaneProblem) -> (any LaneAccess)? {
    if name == .unnamed { return lanes.unnamed }
    if let lane = try lanes.find(name) { return lane }
    if let problem = closed.problem(of: name) { throw problem }
    guard isKnown() else { return nil }
    if request.headerFields.first(named: "sec-fetch-site") == "cross-site" {
      throw LaneProblem(
        .forbidden, "a page of another site does not open the lane `\(name)`",
        help: "open it by POST to the admin API, or from a page of localhost")
    }
    return try lanes.lane(name) { LaneOpening().state(of: mock) }
  }
}

/// The mock that a host answers by.
private final class ServedMock: Sendable {
  private let value = Lock<Mock?>(nil)

  var current: Mock? { value.withLock { $0 } }

  /// - Returns: The mock before; `nil` for the first one.
  func replace(by mock: Mock) -> Mock? {
    value.withLock { value in
      defer { value = mock }
      return value
    }
  }
}

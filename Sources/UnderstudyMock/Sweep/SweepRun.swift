package import UnderstudySockets
import UnderstudySystem

/// One run of a client: its requests and sockets, and the variant that answers one operation or changes one event.
package final class SweepRun: Sendable {
  package let variant: SweepVariant?
  private let requests = Lock<[Request]>([])
  private let noted = Lock(Sockets())

  /// A request with its answer. What reports show of them has no secrets.
  package struct Request: Sendable {
    package let request: HTTPRequest
    package let body: [UInt8]
    package let reply: Reply
    /// The target without secrets, where no operation names the request.
    package let target: String

    init(_ request: HTTPRequest, _ body: [UInt8], _ reply: Reply, of mock: Mock) {
      (self.request, self.body) = (request, body)
      guard reply.operation == nil || !reply.diagnostics.isEmpty else {
        (self.reply, target) = (reply, "")
        return
      }
      var redactor = Redactor(mock.contracts.map(\.compiled.secrets), style: .marker)
      var exchange = Exchange(request, body: .coded(body))
      exchange.findings = reply.diagnostics
      exchange = redactor.redact(exchange, of: reply.operation?.compiled.operation).value
      target = exchange.request.path ?? ""
      var shown = reply
      shown.diagnostics = exchange.findings
      self.reply = shown
    }

    /// The id of the operation, else method and path.
    package var name: String { reply.operation?.id ?? "\(request.method.rawValue) \(target.prefix { $0 != "?" })" }

    /// Whether it is where the redirect of a sweep leads to, which no contract describes.
    package var followsRedirect: Bool { reply.operation == nil && request.path == SweepPlan.redirectTarget }
  }

  /// The most requests that a run keeps; a client that sends more is in a loop.
  package static let requestLimit = 1_000

  /// - Parameter variant: `nil` for a run with default responses.
  package init(_ variant: SweepVariant? = nil) { self.variant = variant }

  // MARK: - Sockets

  /// The sockets of the run.
  package struct Sockets: Sendable {
    /// The positions of the descriptions of those that clients opened.
    package fileprivate(set) var opened: Set<Int> = []
    /// The arguments of the events that they got, by name; the first ones of each.
    package fileprivate(set) var sent: [String: [JSON]] = [:]
    /// The number of requests before the event of the variant; `nil` if it concerned no socket.
    fileprivate var position: Int?
  }

  private static let eventLimit = 10

  package var sockets: Sockets { noted.withLock(\.self) }

  /// Puts the fault of its event into play, in place of that of another run.
  package func prepare(_ state: inout LaneState, besides faults: [SocketFault]) {
    state.sockets.faults = (variant?.event?.faults ?? []) + faults
  }

  /// Notes what a client did with its socket.
  package func note(_ event: SocketEvent) {
    guard case .connecting(_, let description, _, _, _) = event else { return }
    noted.withLock { _ = $0.opened.insert(description) }
    guard let change = variant?.event, change.sockets.contains(description) else { return }
    // The client may never see the event under its name.
    if change.isHidden { noteEvent() }
  }

  /// Notes an output of a lane.
  package func note(_ output: SocketOutput) {
    guard case .emit(let name, let arguments, _) = output.action else {
      if case .malformed(let name, _) = output.action, name.utf8Equals(variant?.event?.name ?? "") { noteEvent() }
      return
    }
    if name.utf8Equals(variant?.event?.name ?? "") { noteEvent() }
    guard variant == nil, noted.withLock({ $0.sent[name, default: []].count < Self.eventLimit }) else { return }
    noted.withLock { $0.sent[name, default: []].append(JSON(arguments)) }
  }

  private func noteEvent() {
    let count = requests.withLock(\.count)
    noted.withLock { $0.position = $0.position ?? count }
  }

  /// The answer to a request.
  /// - Parameters:
  ///   - lane: The lane of the default responses.
  ///   - budget: Pays for the answer; `nil` is returned where it does not suffice.
  ///   - usual: Chooses among the default responses.
  package func reply(
    to request: HTTPRequest, _ body: [UInt8], of mock: Mock, in lane: any LaneAccess,
    within budget: WorkBudget = .unlimited, usual: ReplyOverride.Chooser = { _, _ in nil }
  ) -> Reply? {
    let answer = mock.reply(to: request, body: body, in: lane, within: budget) { operation, request in
      guard let variant, variant.operation.utf8Equals(operation.id) else { return usual(operation, request) }
      return variant.override
    }
    guard let reply = answer else { return nil }
    if !reply.isAboutMock {
      let request = Request(request, body, reply, of: mock)
      requests.withLock { requests in
        if requests.count < Self.requestLimit { requests.append(request) }
      }
    }
    return reply
  }

  package var sent: [Request] { requests.withLock { $0 } }

  /// The most frequent request, and how often it was sent: equal in method, target and body.
  package var mostRepeated: (name: String, count: Int)? {
    var counts: [String: (name: String, count: Int)] = [:]
    for request in sent {
      let key =
        "\(request.request.method) \(request.request.path ?? "") \(StableHash.fold(request.body, onto: StableHash.start))"
      counts[key, default: (request.name, 0)].count += 1
    }
    return counts.values.max { ($0.count, $1.name) < ($1.count, $0.name) }
  }

  /// The operations that answered, each with its first reply, in the order of the requests.
  package var touched: [(operation: MockOperation, reply: Reply)] {
    var found: [(operation: MockOperation, reply: Reply)] = []
    for request in sent {
      guard let operation = request.reply.operation, !found.contains(where: { $0.operation.id == operation.id })
      else { continue }
      found.append((operation, request.reply))
    }
    return found
  }

  /// The requests in brief.
  ///
  /// The event of the variant stands where it first concerned a socket.
  package func exchanges(in mock: Mock) -> [SweptRequest] {
    var exchanges = sent.map { SweptRequest($0, in: mock) }
    if let variant, let position = sockets.position {
      exchanges.insert(SweptRequest(name: variant.operation), at: min(position, exchanges.count))
    }
    return exchanges
  }
}

extension SweptRequest {
  /// The request of a run with its reply, in brief.
  package init(_ request: SweepRun.Request, in mock: Mock) {
    self.init(
      name: request.name, operation: mock.operations.firstIndex { $0.compiled === request.reply.operation?.compiled },
      status: request.reply.fault?.isComplete != false ? request.reply.status : nil,
      requestType: request.request.headerFields[.contentType],
      responseType: request.reply.response.headerFields[.contentType],
      violations: request.followsRedirect
        ? []
        : request.reply.diagnostics.filter { $0.owner == .client && $0.severity == .error }.map(\.detached))
  }
}

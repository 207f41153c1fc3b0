import NIOCore
import UnderstudyMock

/// Asks a connection to end after its pending answers.
struct QuiesceEvent: Sendable {}

/// Asks a connection to end, unless it has begun a request.
struct EndIdleEvent: Sendable {}

/// Asks a connection to look whether it is idle, `IdleWatch.checks` times within the idle timeout.
struct IdleCheckEvent: Sendable {}

/// Asks a connection to end what has no end of its own, while the server shuts down.
struct EndEndlessEvent: Sendable {}

/// The state shared by the connections of an event loop. It is used only on that loop, so it needs no lock.
final class LoopState {
  /// From 0.
  let number: Int
  private(set) var responder: Responder
  /// By `PreparedResponse.index`, rendered for the first request.
  private var rendered: [RenderedResponse?]
  /// The responses without an index.
  private var others: [ObjectIdentifier: RenderedResponse] = [:]
  /// A client chooses the seeds of answers, and so their number.
  private static let othersLimit = 64
  private(set) var date = HTTPDate.now()
  /// When the clock of the loop began, in microseconds since 1970; found anew each second, since that clock is never set.
  private var epoch = LoopState.currentEpoch
  private var connections: [ObjectIdentifier: (channel: any Channel, handler: ConnectionHandler)] = [:]
  private var sockets: [ObjectIdentifier: any Channel] = [:]
  let engines: EngineRegistry
  let socketQueue: SocketQueue
  let observer: ExchangeObserver?
  /// Make the responder of this loop alone; `nil` on the only loop of a server, and on the only processor.
  private let workers: ReplyWorkers?
  private var requests = 0
  private var lastUse: UInt64 = 0
  /// Succeeds when the last connection is closed; set at shutdown.
  private var lastClosed: EventLoopPromise<Void>?
  private var clock: RepeatedTask?
  /// The timer of all idle checks: a loop searches all of its timers to cancel one, and thousands may close at once.
  private var idleCheck: RepeatedTask?
  private var endlessCheck: RepeatedTask?

  /// The time that a shutdown leaves to event streams, WebSockets and bodies that have fallen silent.
  private static let endlessLimit = TimeAmount.seconds(1)

  init(
    _ responder: Responder, number: Int, _ engines: EngineRegistry = EngineRegistry(),
    observer: ExchangeObserver? = nil, workers: ReplyWorkers? = nil, idleTimeout: Duration, on loop: any EventLoop
  ) {
    self.observer = observer?.copy()
    self.workers = workers
    self.number = number
    self.engines = engines
    socketQueue = SocketQueue(on: loop)
    self.responder = responder
    rendered = Array(repeating: nil, count: responder.prepared.count)
    let bound = NIOLoopBound(self, eventLoop: loop)
    clock = loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in
      bound.value.date = HTTPDate.now()
      bound.value.epoch = Self.currentEpoch
    }
    let interval = TimeAmount(idleTimeout / IdleWatch.checks)
    idleCheck = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      bound.value.fire(IdleCheckEvent(), bound.value.connections.values.map(\.channel))
    }
  }

  private func fire(_ event: some Sendable, _ channels: some Sequence<any Channel>) {
    for channel in Array(channels) { channel.pipeline.fireUserInboundEventTriggered(event) }
  }

  private static var currentEpoch: Int {
    Timestamp.microseconds() - Int(NIODeadline.now().uptimeNanoseconds / 1_000)
  }

  /// In microseconds since 1970.
  func time(of deadline: NIODeadline) -> Int { epoch + Int(deadline.uptimeNanoseconds / 1_000) }

  /// Stops what is repeated, which would keep this state on a loop that outlives the server.
  func stop() { for task in [clock, idleCheck, endlessCheck] { task?.cancel() } }

  func replace(_ responder: Responder) {
    requests = 0
    use(responder)
  }

  private func use(_ responder: Responder) {
    self.responder = responder
    rendered = Array(repeating: nil, count: responder.prepared.count)
    others = [:]
  }

  /// The number of requests after which a loop gets a responder of its own; fewer do not pay for its memory.
  static let replicaThreshold = 5_000

  func countRequest() {
    requests += 1
    guard requests == Self.replicaThreshold, let workers else { return }
    let this = NIOLoopBound((state: self, responder), eventLoop: socketQueue.loop)
    workers.perform { [responder] in
      guard let replica = responder.replica() else { return }
      this.eventLoop.execute {
        let (state, replaced) = this.value
        if state.responder === replaced { state.use(replica) }
      }
    }
  }

  func opened(_ channel: any Channel, _ handler: ConnectionHandler) {
    connections[ObjectIdentifier(channel)] = (channel, handler)
  }

  func closed(_ channel: any Channel) {
    connections[ObjectIdentifier(channel)] = nil
    if isQuiet { lastClosed?.succeed() }
  }

  func opened(socket channel: any Channel) { sockets[ObjectIdentifier(channel)] = channel }

  func closed(socket channel: any Channel) {
    sockets[ObjectIdentifier(channel)] = nil
    if isQuiet { lastClosed?.succeed() }
  }

  private var isQuiet: Bool { connections.isEmpty && sockets.isEmpty }

  func nextUse() -> UInt64 {
    lastUse += 1
    return lastUse
  }

  private(set) var isQuiescing = false

  /// Closes the oldest idle connections: a part of them, since more clients are waiting.
  func closeOldestIdle() {
    let idle = connections.values.filter(\.handler.isIdle).sorted { $0.handler.lastUse < $1.handler.lastUse }
    for connection in idle.prefix(max(1, idle.count / 16)) {
      connection.channel.pipeline.fireUserInboundEventTriggered(EndIdleEvent())
    }
  }

  /// Asks every connection to end after its pending answers. Returns whether there are any.
  func quiesce() -> Bool {
    isQuiescing = true
    engines.closeAll()
    fire(QuiesceEvent(), sockets.values)
    fire(QuiesceEvent(), connections.values.map(\.channel))
    let this = NIOLoopBound(self, eventLoop: socketQueue.loop)
    endlessCheck = socketQueue.loop.scheduleRepeatedTask(
      initialDelay: Self.endlessLimit, delay: Self.endlessLimit
    ) { _ in
      let state = this.value
      state.fire(EndEndlessEvent(), state.connections.values.map(\.channel) + state.sockets.values)
    }
    return !isQuiet
  }

  /// Reports when no connection is left. Returns whether none is left now.
  func reportLastClosed(to promise: EventLoopPromise<Void>) -> Bool {
    lastClosed = promise
    if isQuiet { promise.succeed() }
    return isQuiet
  }

  func closeAll() {
    for (channel, _) in connections.values { channel.close(promise: nil) }
    for channel in sockets.values { channel.close(promise: nil) }
  }

  func rendered(_ response: PreparedResponse) -> RenderedResponse {
    let index = response.index.flatMap { rendered.indices.contains($0) ? $0 : nil }
    if let known = index.map({ rendered[$0] }) ?? others[ObjectIdentifier(response)], known.response === response {
      known.date(date)
      return known
    }
    let new = RenderedResponse(response, date: date)
    if let index {
      rendered[index] = new
    } else {
      if others.count >= Self.othersLimit { others.removeAll() }
      others[ObjectIdentifier(response)] = new
    }
    return new
  }
}

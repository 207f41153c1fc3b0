import NIOCore
import NIOPosix
package import UnderstudyMock
import UnderstudySystem

/// Serves a `Responder`, which can be replaced, over HTTP/1.0 and 1.1; a server is started once and shut down once.
package final class HTTPServer: Sendable {
  private let configuration: ServerConfiguration
  private let observer: ExchangeObserver?
  private let workers = ReplyWorkers()
  private let forwarding: Forwarding
  private let state: Lock<State>

  private enum State {
    case new(Responder)
    /// Binding the port. The responder may still be replaced.
    case starting(Responder, isReplaced: Bool)
    case running(Running)
    case stopped
  }

  private struct Running {
    let group: any EventLoopGroup
    /// The loops that end with the server; `nil` if it shares those of the process.
    let own: MultiThreadedEventLoopGroup?
    let loops: [NIOLoopBound<LoopState>]
    let listener: any Channel
  }

  /// The loops of connections that a shutdown waits for; none of them ends while this is locked.
  private let ending = Lock<[NIOLoopBound<LoopState>]>([])

  package init(
    responder: Responder, configuration: ServerConfiguration = ServerConfiguration(), transport: Transport? = nil,
    tunnels: TunnelTransport? = nil, observer: ExchangeObserver? = nil
  ) {
    self.configuration = configuration
    forwarding = Forwarding(transport, tunnels)
    self.observer = observer
    self.state = Lock(.new(responder))
  }

  package func start() async throws(ServerStartError) -> ServerAddress {
    let first: Responder? = state.withLock { state in
      guard case .new(let responder) = state else { return nil }
      state = .starting(responder, isReplaced: false)
      return responder
    }
    guard let first else { throw ServerStartError.alreadyStarted }
    // NIO does so on Linux only. A log whose reader has left does not end the process.
    signal(SIGPIPE, SIG_IGN)
    let own =
      configuration.sharesLoops ? nil : MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.loops))
    do {
      let (address, replacement) = try await bind(own, first)
      if let replacement { await replace(responder: replacement) }
      return address
    } catch {
      try? await own?.shutdownGracefully()
      // The caller may free the port and try again.
      state.withLock { state in if case .starting(let responder, _) = state { state = .new(responder) } }
      throw (error as? ServerStartError) ?? ServerStartError(binding: configuration, error)
    }
  }

  /// Listens and updates `state`. If it throws, the loops are no longer used. `own` is `nil` for a loop that the
  /// process shares. Returns the address, and the latest responder if it is another one.
  private func bind(
    _ own: MultiThreadedEventLoopGroup?, _ first: Responder
  ) async throws -> (ServerAddress, replacement: Responder?) {
    let group: any EventLoopGroup = own ?? MultiThreadedEventLoopGroup.singleton.next()
    let acceptLoop = group.next()
    let loops = try await makeLoops(of: group, first)
    let bootstrap = bootstrap(accepting: acceptLoop, group, loops)
    let channel: any Channel
    do {
      channel = try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
    } catch {
      Self.stop(loops)
      throw error
    }
    let last: (responder: Responder, isReplaced: Bool)? = state.withLock { state in
      guard case .starting(let responder, let isReplaced) = state else { return nil }
      state = .running(Running(group: group, own: own, loops: loops, listener: channel))
      return (responder, isReplaced)
    }
    guard let last else { throw ServerStartError.alreadyStarted }
    let address = ServerAddress(
      host: configuration.host, port: channel.localAddress?.port ?? 0, scheme: configuration.security?.scheme ?? "http")
    return (address, last.isReplaced ? last.responder : nil)
  }

  /// Answers further requests by `responder`. Answers in progress do not change.
  package func replace(responder: Responder) async {
    // The lock gives two replacements the same order on every loop.
    let replacements: [EventLoopFuture<Void>] = state.withLock { state in
      switch state {
      case .new:
        state = .new(responder)
        return []
      case .starting:
        state = .starting(responder, isReplaced: true)
        return []
      case .running(let running):
        return running.loops.map { loop in loop.eventLoop.submit { loop.value.replace(responder) } }
      case .stopped:
        return []
      }
    }
    for replacement in replacements { try? await replacement.get() }
  }

  /// Accepts no connections, finishes responses in progress in `shutdownLimit`; calls `whenWaiting` if some remain.
  package func shutdown(whenWaiting: (@Sendable () -> Void)? = nil) async {
    guard let running = await quiesce(whenWaiting) else { return }
    // Closed connections have cancelled their forwarded requests, but a task or a worker may still need a loop.
    let end = Task.detached { [self] in
      await workers.finish()
      await forwarding.finish()
      ending.withLock { $0 = [] }
      Self.stop(running.loops)
      try? await running.own?.shutdownGracefully()
    }
    // The reply of a worker that is still busy has no receiver.
    if !workers.isBusy { await end.value }
  }

  /// Ends the answers that a `shutdown` still waits for.
  package func closeConnections() {
    // The first connection that is closed may be the last one that the shutdown waits for.
    ending.withLock { loops in
      for loop in loops { loop.eventLoop.execute { loop.value.closeAll() } }
    }
  }

  /// Waits until every connection is closed, by itself or at the limit. Returns what ran, or `nil` if nothing runs.
  private func quiesce(_ whenWaiting: (@Sendable () -> Void)?) async -> Running? {
    let running: Running? = state.withLock { state in
      defer { state = .stopped }
      if case .running(let running) = state { return running }
      return nil
    }
    guard let running else { return nil }
    ending.withLock { $0 = running.loops }
    var isBusy = false
    for loop in running.loops {
      isBusy = (try? await loop.eventLoop.submit { loop.value.quiesce() }.get()) == true || isBusy
    }
    // Where clients are busy, some may have connected without having been accepted.
    if isBusy { try? await Task.sleep(for: configuration.lastCall) }
    try? await running.listener.close()
    var busy: [EventLoopFuture<Void>] = []
    for loop in running.loops {
      let promise = loop.eventLoop.makePromise(of: Void.self)
      let isQuiet = try? await loop.eventLoop.submit { loop.value.reportLastClosed(to: promise) }.get()
      if isQuiet != true { busy.append(promise.futureResult) }
    }
    guard !busy.isEmpty else { return running }
    whenWaiting?()
    let limit = running.group.next().scheduleTask(in: TimeAmount(configuration.shutdownLimit)) { [self] in
      closeConnections()
    }
    for loop in busy { try? await loop.get() }
    limit.cancel()
    return running
  }

  private static func stop(_ loops: [NIOLoopBound<LoopState>]) {
    for loop in loops { loop.eventLoop.execute { loop.value.stop() } }
  }

  private func makeLoops(
    of group: any EventLoopGroup, _ responder: Responder
  ) async throws -> [NIOLoopBound<LoopState>] {
    var loops: [NIOLoopBound<LoopState>] = []
    let engines = EngineRegistry()
    let all = Array(group.makeIterator())
    // On one processor nothing passes between caches.
    let (observer, workers) = (observer, min(all.count, System.coreCount) > 1 ? workers : nil)
    let idleTimeout = configuration.idleTimeout
    for (number, loop) in all.enumerated() {
      loops.append(
        try await loop.submit {
          let state = LoopState(
            responder, number: number, engines, observer: observer, workers: workers, idleTimeout: idleTimeout,
            on: loop)
          return NIOLoopBound(state, eventLoop: loop)
        }.get())
    }
    return loops
  }

  private func bootstrap(
    accepting acceptLoop: any EventLoop, _ group: any EventLoopGroup, _ loops: [NIOLoopBound<LoopState>]
  ) -> ServerBootstrap {
    let (configuration, workers, forwarding) = (configuration, workers, forwarding)
    let limit = configuration.maximumConnections
    let acceptState = loops.first { $0.eventLoop === acceptLoop }
    return ServerBootstrap(group: acceptLoop, childGroup: group)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = ConnectionLimit(
            limit, configuration.connections, isBusy: { acceptState?.value.socketQueue.isBusy == true },
            closeIdle: { for loop in loops { loop.eventLoop.execute { loop.value.closeOldestIdle() } } })
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // Between two of a thousand clients that connect at once the loop serves others.
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard let loop = loops.first(where: { $0.eventLoop === channel.eventLoop }) else { return }
          try configuration.security?.addHandlers(channel)
          try ConnectionPipeline(
            loop: loop.value, configuration: configuration, workers: workers, forwarding: forwarding
          ).add(to: channel, peer: ConnectionPeer(of: configuration.security))
        }
      }
      .childChannelOption(.autoRead, value: false)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: configuration.allowsHalfClosure)
  }
}

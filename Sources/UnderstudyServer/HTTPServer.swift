import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
package import Understudy

/// Serves a `Responder` over HTTP/1.0 and 1.1.
///
/// A server is started once and shut down once. What it answers can be replaced at any time between.
package final class HTTPServer: Sendable {
  private let configuration: Configuration
  private let observer: (@Sendable (Exchange) -> Void)?
  private let forwarding: Forwarding?
  private let state: Mutex<State>

  private enum State {
    /// Not started; the responder is what it will start with.
    case new(Responder)
    /// Binding its port. What it will start with may still be replaced.
    case starting(Responder)
    case running(Running)
    case stopped
  }

  private struct Running {
    let group: MultiThreadedEventLoopGroup
    let loops: [NIOLoopBound<LoopState>]
    let listener: any Channel
  }

  /// - Parameters:
  ///   - transport: the way to an upstream, for replies that are to come from one.
  ///   - observer: called once per finished exchange, on an event loop: it must not block.
  package init(
    responder: Responder, configuration: Configuration = Configuration(), transport: Transport? = nil,
    observer: (@Sendable (Exchange) -> Void)? = nil
  ) {
    self.configuration = configuration
    self.forwarding = transport.map { Forwarding($0) }
    self.observer = observer
    self.state = Mutex(.new(responder))
  }

  /// Binds the port and serves from then on.
  package func start() async throws(StartError) -> Address {
    let first: Responder? = state.withLock { state in
      guard case .new(let responder) = state else { return nil }
      state = .starting(responder)
      return responder
    }
    guard let first else { throw StartError(.alreadyStarted) }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: max(1, configuration.loops))
    do {
      let (address, last) = try await bind(on: group, first)
      await replace(responder: last)
      return address
    } catch {
      try? await group.shutdownGracefully()
      // Whoever frees the port may try again.
      state.withLock { state in if case .starting(let responder) = state { state = .new(responder) } }
      throw (error as? StartError) ?? StartError(binding: configuration, error)
    }
  }

  /// Listens, and keeps what is needed to stop in `state`. When this fails, nothing is left that needs a loop.
  /// - Returns: the address, and the responder that was wanted last while the port was bound.
  private func bind(
    on group: MultiThreadedEventLoopGroup, _ first: Responder
  ) async throws -> (Address, last: Responder) {
    let acceptLoop = group.next()
    let loops = try await makeLoops(of: group, first)
    let bootstrap = bootstrap(accepting: acceptLoop, group, loops)
    let channel = try await bootstrap.bind(host: configuration.host, port: configuration.port).get()
    let last: Responder? = state.withLock { state in
      guard case .starting(let last) = state else { return nil }
      state = .running(Running(group: group, loops: loops, listener: channel))
      return last
    }
    guard let last else { throw StartError(.stopped) }
    return (Address(channel.localAddress, host: configuration.host), last)
  }

  /// Answers every request that is validated from now on by `responder`. Answers on their way stay as they are.
  package func replace(responder: Responder) async {
    // All loops are told inside the lock, so that two replacements reach every loop in the same order.
    let told: [EventLoopFuture<Void>] = state.withLock { state in
      switch state {
      case .new:
        state = .new(responder)
        return []
      case .starting:
        state = .starting(responder)
        return []
      case .running(let running):
        return running.loops.map { loop in
          loop.eventLoop.submit { loop.value.replace(responder) }
        }
      case .stopped:
        return []
      }
    }
    for future in told { try? await future.get() }
  }

  /// Takes no more connections, lets answers on their way finish for as long as `shutdownLimit`, then ends everything.
  package func shutdown() async {
    guard let group = await quiesce() else { return }
    // Every connection is closed, which cancels what it forwarded; but a task may still be on its way to a loop.
    await forwarding?.finish()
    try? await group.shutdownGracefully()
  }

  /// Waits until every connection is closed, by itself or at the limit, and returns the loops, which may then end; `nil`
  /// for a server that does not run.
  private func quiesce() async -> MultiThreadedEventLoopGroup? {
    let running: Running? = state.withLock { state in
      defer { state = .stopped }
      if case .running(let running) = state { return running }
      return nil
    }
    guard let running else { return nil }
    try? await running.listener.close()
    let quiet = running.loops.map { loop in
      let promise = loop.eventLoop.makePromise(of: Void.self)
      loop.eventLoop.execute { loop.value.quiesce(promise) }
      return promise.futureResult
    }
    let limit = running.group.next().scheduleTask(in: TimeAmount(configuration.shutdownLimit)) {
      for loop in running.loops { loop.eventLoop.execute { loop.value.cut() } }
    }
    for loop in quiet { try? await loop.get() }
    limit.cancel()
    return running.group
  }

  private func makeLoops(
    of group: MultiThreadedEventLoopGroup, _ responder: Responder
  ) async throws -> [NIOLoopBound<LoopState>] {
    var loops: [NIOLoopBound<LoopState>] = []
    for loop in group.makeIterator() {
      loops.append(
        try await loop.submit {
          NIOLoopBound(LoopState(responder, on: loop), eventLoop: loop)
        }.get())
    }
    return loops
  }

  private func bootstrap(
    accepting acceptLoop: any EventLoop, _ group: MultiThreadedEventLoopGroup, _ loops: [NIOLoopBound<LoopState>]
  ) -> ServerBootstrap {
    let configuration = configuration
    let observer = observer
    let forwarding = forwarding
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = configuration.maximumFieldBytes
    limits.maxHeaderListSize = configuration.maximumHeadBytes
    limits.maxHeaderFieldCount = configuration.maximumFieldCount
    return ServerBootstrap(group: acceptLoop, childGroup: group)
      .serverChannelOption(.backlog, value: 1024)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { [limits] channel in
        channel.eventLoop.makeCompletedFuture {
          guard let loop = loops.first(where: { $0.eventLoop === channel.eventLoop }) else { return }
          let decoder = HTTPRequestDecoder(limitConfiguration: limits)
          let tail = InputTail()
          let connection = ConnectionHandler(
            loop: loop.value, configuration: configuration, tail: tail, forwarding: forwarding, observer: observer)
          try channel.pipeline.syncOperations.addHandlers(tail, ByteToMessageHandler(decoder), connection)
        }
      }
      .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
      // A client that has said all it wants to say may still be waiting for its answer.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
  }
}

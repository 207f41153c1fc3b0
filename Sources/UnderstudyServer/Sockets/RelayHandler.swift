import NIOCore
import UnderstudyMock

/// Relays a WebSocket's bytes between client and upstream, and notes its messages. A slow side slows the other.
final class RelayHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let loop: LoopState
  /// The tasks that the end of the server waits for, as they need the loop.
  private let forwarding: Forwarding
  private let tunnel: any Tunnel
  private let record: SocketRecord?
  private let findings: [Diagnostic]
  private var messages: RelayedSocket
  /// The bytes of the client in this read.
  private var received: [UInt8] = []
  private var context: ChannelHandlerContext?
  /// Whether one side has sent a close frame.
  private var isClosing = false
  private var isReported = false
  /// Whether bytes of the client are on their way, which later ones must not overtake.
  private var isWriting = false

  init(
    _ loop: LoopState, _ forwarding: Forwarding, _ tunnel: any Tunnel, _ messages: RelayedSocket,
    _ record: SocketRecord?, findings: [Diagnostic]
  ) {
    (self.loop, self.forwarding, self.tunnel) = (loop, forwarding, tunnel)
    (self.messages, self.record, self.findings) = (messages, record, findings)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    loop.opened(socket: context.channel)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    end()
    loop.closed(socket: context.channel)
    self.context = nil
  }

  func start(_ context: ChannelHandlerContext) {
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    _ = forwarding.run(on: context.eventLoop) { [tunnel] _ in
      while let bytes = try? await tunnel.read() {
        let sent = handler.eventLoop.flatSubmit {
          handler.value.send(bytes) ?? handler.eventLoop.makeFailedFuture(CancellationError())
        }
        guard (try? await sent.get()) != nil else { break }
      }
      handler.eventLoop.execute { handler.value.serverEnded() }
    }
    pass(context)
  }

  /// Succeeds when the client has taken the bytes; `nil` if it has left.
  private func send(_ bytes: [UInt8]) -> EventLoopFuture<Void>? {
    guard let context else { return nil }
    note(bytes, isFromClient: false)
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: sent)
    return sent.futureResult
  }

  private func serverEnded() {
    guard let context, context.channel.isActive else { return }
    if !isClosing { record?.note(SocketMessage(.drop, isFromClient: false, in: "/", [])) }
    end()
    context.close(promise: nil)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += Array(buffer: unwrapInboundIn(data))
  }

  func channelReadComplete(context: ChannelHandlerContext) { pass(context) }

  /// Sends what has arrived to the upstream, and then asks for more.
  private func pass(_ context: ChannelHandlerContext) {
    guard !isWriting else { return }
    guard !received.isEmpty else { return context.read() }
    let bytes = received
    received = []
    note(bytes, isFromClient: true)
    isWriting = true
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    _ = forwarding.run(on: context.eventLoop) { [tunnel] _ in
      await tunnel.write(bytes)
      handler.eventLoop.execute {
        handler.value.isWriting = false
        if let context = handler.value.context { handler.value.pass(context) }
      }
    }
  }

  func channelInactive(context: ChannelHandlerContext) { end() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is QuiesceEvent, ChannelEvent.inputClosed: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  private func note(_ bytes: [UInt8], isFromClient: Bool) {
    guard let record else { return }
    for message in messages.receive(bytes, isFromClient: isFromClient) {
      record.note(message)
      if message.kind == .close { isClosing = true }
    }
  }

  private func end() {
    tunnel.close()
    guard !isReported else { return }
    isReported = true
    record?.end(undecoded: messages.problem, findings: findings + messages.findings)
  }
}

extension ConnectionHandler {
  /// Asks the upstream for the WebSocket of a client, and connects both; `reply` is for a server that cannot forward.
  func relay(_ relay: SocketRelay, _ request: ReceivedRequest, _ reply: Reply, _ context: ChannelHandlerContext) {
    guard let tunnels = forwarding.tunnels else { return answer(request, with: reply, context) }
    if let refusal = SocketUpgrade.relayRefusal(request, relay.request) {
      return answer(request, with: Self.reply(refusal), context)
    }
    let place = NIOLoopBound((self, context, request), eventLoop: context.eventLoop)
    let lane = reply.lane
    let task = forwarding.run(on: context.eventLoop) { _ in
      let result: Result<TunnelResponse, UpstreamFailure>
      do {
        result = .success(try await tunnels(relay.request))
      } catch {
        result = .failure(error as? UpstreamFailure ?? UpstreamFailure(.closed, "it sent no response"))
      }
      place.eventLoop.execute {
        let (handler, context, request) = place.value
        handler.whenLeft = nil
        switch result {
        case .success(.open(let response, let tunnel)):
          handler.open(tunnel, relay, response, request, lane: lane, context)
        case .success(.refused(let response, let body)):
          handler.finish(request, with: relay.reply(response, body: body), lane: lane, context)
        case .failure(let failure): handler.finish(request, with: relay.reply(failure), lane: lane, context)
        }
      }
    }
    whenLeft = { task.cancel() }
  }

  private func finish(_ request: ReceivedRequest, with reply: Reply, lane: String?, _ context: ChannelHandlerContext) {
    var reply = reply
    reply.lane = lane
    answer(request, with: reply, context)
    run(context)
  }

  private func open(
    _ tunnel: any Tunnel, _ relay: SocketRelay, _ response: HTTPResponse, _ request: ReceivedRequest, lane: String?,
    _ context: ChannelHandlerContext
  ) {
    let accepted = relay.accepted(response)
    let head = SocketUpgrade.response(accepted.headerFields.map { ($0.name.rawName, $0.value) })
    let (loop, forwarding, findings) = (self.loop, self.forwarding, relay.findings(about: response))
    let record = relayRecord(of: request, relay, accepted, lane: lane)
    handOver(context, after: head) {
      RelayHandler(loop, forwarding, tunnel, relay.messages, record, findings: findings)
    } opened: { channel, handler in
      guard let channel, let handler, let context = try? channel.pipeline.syncOperations.context(handler: handler)
      else {
        tunnel.close()
        record?.end(findings: findings)
        return
      }
      handler.start(context)
    }
  }
}

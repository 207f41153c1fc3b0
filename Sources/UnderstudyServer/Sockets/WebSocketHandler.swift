import NIOCore
import UnderstudyMock
import UnderstudySockets

enum WebSocketCommand: Sendable {
  case send(WebSocketMessage)
  case ping
  case close(WebSocketCloseCode, String)
  /// Writes the bytes of a plan, which may not be a frame, and ends the connection as the plan does.
  case transmit(TransmissionPlan)

  /// Ends the connection without a close frame.
  static var drop: Self { .transmit(TransmissionPlan(body: [], .close)) }
}

/// An event of a WebSocket for its owner, on the loop of its channel.
enum WebSocketUpdate: Sendable {
  case message(WebSocketMessage)
  /// The messages so far are those of one read. The next bytes are read once `next` is called, on any loop.
  case read(next: @Sendable () -> Void)
  case ended(WebSocketEnd)
}

/// Connects a `WebSocketConnection` to a channel: passes on events, and performs actions.
final class WebSocketHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = WebSocketCommand
  typealias OutboundOut = ByteBuffer

  private let loop: LoopState
  private let owner: (WebSocketUpdate) -> Void
  private var state: WebSocketConnection
  private var isRunning = false
  private var closeTimer: Scheduled<Void>?
  private var reads = false
  private var hasMessages = false
  /// Whether the owner has yet to handle the messages of the last read: it may have others first.
  private var isAhead = false
  /// Whether the output is closed: what the client still sends is read and thrown away, since a connection that is closed
  /// with unread bytes is reset, and the client may lose the close frame.
  private var isLingering = false
  private static let lingerLimit: TimeAmount = .seconds(1)

  init(_ limits: WebSocketLimits, on loop: LoopState, owner: @escaping (WebSocketUpdate) -> Void) {
    (state, self.loop, self.owner) = (WebSocketConnection(limits), loop, owner)
  }

  func handlerAdded(context: ChannelHandlerContext) { loop.opened(socket: context.channel) }

  func handlerRemoved(context: ChannelHandlerContext) {
    closeTimer?.cancel()
    loop.closed(socket: context.channel)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    state.receive(unwrapInboundIn(data).readableBytesView)
    run(context)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    reads = false
    guard hasMessages else { return read(context) }
    (hasMessages, isAhead) = (false, true)
    let handler = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    owner(
      .read {
        handler.eventLoop.inEventLoop ? Self.resume(handler) : handler.eventLoop.execute { Self.resume(handler) }
      })
  }

  private static func resume(_ handler: NIOLoopBound<(WebSocketHandler, ChannelHandlerContext)>) {
    let (socket, context) = handler.value
    socket.isAhead = false
    socket.read(context)
  }

  /// Asks for more input; a client that does not read what it is sent is not read either.
  func read(_ context: ChannelHandlerContext) {
    guard !reads, !isAhead, context.channel.isWritable else { return }
    reads = true
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) { read(context) }

  func channelInactive(context: ChannelHandlerContext) {
    state.closed()
    run(context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    state.drop()
    run(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is QuiesceEvent: state.close(.goingAway, "the server shuts down")
    // The client has not answered the close frame.
    case is EndEndlessEvent: return context.close(promise: nil)
    case ChannelEvent.inputClosed: state.closed()
    default: return context.fireUserInboundEventTriggered(event)
    }
    run(context)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .send(let message): state.send(message)
    case .ping: state.send(WebSocketFrame(.ping))
    case .close(let code, let reason): state.close(code, reason)
    case .transmit(let plan):
      context.write(wrapOutboundOut(ByteBuffer(bytes: plan.bytes)), promise: nil)
      if plan.end != nil {
        state.drop()
        isLingering = true
      }
    }
    promise?.succeed()
    run(context)
  }

  private func run(_ context: ChannelHandlerContext) {
    guard !isRunning else { return }
    isRunning = true
    var closes = false
    while let action = state.nextAction() {
      switch action {
      case .write(let bytes): context.write(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
      case .message(let message):
        hasMessages = true
        owner(.message(message))
      case .control: break
      case .ended(let end): owner(.ended(end))
      case .startCloseTimer(let limit):
        closeTimer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { [self] in
          state.closeTimedOut()
          run(context)
        }
      case .closeTransport: closes = true
      }
    }
    isRunning = false
    context.flush()
    if closes { close(context) }
  }

  /// Closes the output first, where the client has not closed its own (RFC 6455, 7.1.1).
  private func close(_ context: ChannelHandlerContext) {
    guard !isLingering, context.channel.isActive else { return context.close(promise: nil) }
    isLingering = true
    context.close(mode: .output, promise: nil)
    closeTimer?.cancel()
    closeTimer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lingerLimit) { context.close(promise: nil) }
    read(context)
  }
}

package import NIOCore
import NIOHTTP1

/// Adds the handlers of HTTP to a connection, or to a stream of one. A class, since each stream of a connection uses
/// it, and a copy would count the references of the configuration.
final class ConnectionPipeline {
  let loop: LoopState
  let configuration: ServerConfiguration
  let workers: ReplyWorkers
  let forwarding: Forwarding

  init(loop: LoopState, configuration: ServerConfiguration, workers: ReplyWorkers, forwarding: Forwarding) {
    (self.loop, self.configuration, self.workers, self.forwarding) = (loop, configuration, workers, forwarding)
  }

  /// Adds the handlers of HTTP/1; `peer` has what is known of the client before its first byte.
  func add(to channel: any Channel, peer: ConnectionPeer) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = configuration.maximumFieldBytes
    limits.maxHeaderListSize = configuration.maximumHeadBytes
    limits.maxHeaderFieldCount = configuration.maximumFieldCount
    let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes, limitConfiguration: limits)
    let tail = InputTail()
    let heads = RequestHeadReader(cors: configuration.cors, lanes: configuration.servesLanes)
    heads.peer = peer
    let connection = ConnectionHandler(
      loop: loop, configuration: configuration, tail: tail, workers: workers, forwarding: forwarding,
      heads: heads, output: ByteOutput(renderer: ReplyWriter(loop: loop)))
    try channel.pipeline.syncOperations.addHandlers(tail, ByteToMessageHandler(decoder), connection)
  }

  /// Adds the handler of a stream, which reads the parts of a request and writes `StreamPart`, with the head reader of
  /// the connection: the streams of a client have mostly the same fields.
  func add(toStream channel: any Channel, heads: RequestHeadReader) throws {
    let connection = ConnectionHandler(
      loop: loop, configuration: configuration, tail: nil, workers: workers, forwarding: forwarding,
      heads: heads, output: StreamOutput(renderer: ReplyWriter(loop: loop)))
    try channel.pipeline.syncOperations.addHandler(connection)
  }
}

/// An inbound event: the connection has streams, each with a request and its response. It precedes the first byte.
package struct ConnectionMultiplexed: Sendable {
  /// Makes the handlers of the connection. The closure adds the server's handler to the channel of a stream.
  let makeHandlers: @Sendable (any EventLoop, MultiplexedLimits, @escaping AddStream) -> [any ChannelHandler]

  package typealias AddStream = @Sendable (any Channel) throws -> Void

  package init(
    makeHandlers: @escaping @Sendable (any EventLoop, MultiplexedLimits, @escaping AddStream) -> [any ChannelHandler]
  ) {
    self.makeHandlers = makeHandlers
  }
}

package struct MultiplexedLimits: Sendable {
  /// A connection without streams is closed after this time.
  package let idleTime: TimeAmount
  package let shutdownTime: TimeAmount
  package let headBytes: Int
  /// The maximum length of the target, and of a field's name or value.
  package let fieldBytes: Int
  package let fieldCount: Int
}

/// Keeps a connection with streams among those of its loop, and reads from it.
final class MultiplexedConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let loop: LoopState

  init(on loop: LoopState) { self.loop = loop }

  func handlerAdded(context: ChannelHandlerContext) {
    loop.opened(socket: context.channel)
    guard loop.isQuiescing else { return }
    // The handlers of the streams come next.
    let channel = context.channel
    context.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(QuiesceEvent()) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { loop.closed(socket: context.channel) }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    // Streams have windows, so that the connection itself needs none.
    context.read()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is QuiesceEvent: context.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    case ChannelEvent.inputClosed: context.close(promise: nil)
    default: context.fireUserInboundEventTriggered(event)
    }
  }
}

extension ConnectionHandler {
  func multiplex(_ event: ConnectionMultiplexed, _ context: ChannelHandlerContext) {
    let pipeline = pipeline
    let streams = NIOLoopBound((pipeline, heads), eventLoop: context.eventLoop)
    let configuration = pipeline.configuration
    let limits = MultiplexedLimits(
      idleTime: TimeAmount(configuration.idleTimeout), shutdownTime: TimeAmount(configuration.shutdownLimit),
      headBytes: configuration.maximumHeadBytes, fieldBytes: configuration.maximumFieldBytes,
      fieldCount: configuration.maximumFieldCount)
    let channel = context.channel
    retire()
    do {
      let operations = channel.pipeline.syncOperations
      let decoder = try operations.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      let tail = try operations.handler(type: InputTail.self)
      let handlers = event.makeHandlers(context.eventLoop, limits) {
        try streams.value.0.add(toStream: $0, heads: streams.value.1)
      }
      // In front of those that leave: the decoder does so after this event, and would get the next bytes.
      try operations.addHandlers([MultiplexedConnection(on: loop)] + handlers, position: .before(tail))
      _ = operations.removeHandler(self)
      _ = operations.removeHandler(decoder)
      _ = operations.removeHandler(tail)
    } catch {
      channel.close(promise: nil)
    }
  }
}

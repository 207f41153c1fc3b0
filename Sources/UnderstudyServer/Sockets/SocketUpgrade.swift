import NIOCore
import NIOHTTP1
import UnderstudyMock
import UnderstudySockets

/// The handshake of a WebSocket, and the exchange of the handlers of its connection.
enum SocketUpgrade {
  static func handshake(
    _ request: ReceivedRequest, _ place: SocketService.Place
  ) throws(WebSocketHandshake.Refusal) -> WebSocketHandshake {
    try WebSocketHandshake(
      method: place.request.method.rawValue, isLegacy: request.isLegacy, subprotocols: place.description.subprotocols
    ) { values(of: $0, in: place.request) }
  }

  /// The reason that a handshake is not passed on to an upstream; `nil` if it is.
  static func relayRefusal(_ request: ReceivedRequest, _ handshake: HTTPRequest) -> WebSocketHandshake.Refusal? {
    WebSocketHandshake.ambiguity(isLegacy: request.isLegacy) { values(of: $0, in: handshake) }
  }

  /// The values of a field by its name in lower case, joined by commas.
  private static func values(of name: String, in request: HTTPRequest) -> String? {
    let values = request.headerFields.filter { $0.name.canonicalName == name }.map(\.value)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  static func isAskedFor(_ request: HTTPRequest) -> Bool {
    WebSocketHandshake.isAskedFor(upgrade: request.headerFields.first { $0.name.canonicalName == "upgrade" }?.value)
  }

  static func response(_ handshake: WebSocketHandshake) -> ByteBuffer { response(handshake.fields) }

  static func response(_ fields: [(name: String, value: String)]) -> ByteBuffer {
    var bytes = ByteBuffer(string: "HTTP/1.1 101 Switching Protocols\r\n")
    for field in fields { bytes.writeString("\(field.name): \(field.value)\r\n") }
    bytes.writeString("\r\n")
    return bytes
  }

  static func limits(_ description: SocketDescription) -> WebSocketLimits {
    var limits = WebSocketLimits()
    limits.messageBytes = description.engine.maxPayload
    return limits
  }
}

extension ConnectionHandler {
  /// Answers 101, and hands the connection to a WebSocket; `owner` gets its messages once `opened` was called.
  func upgrade(
    _ handshake: WebSocketHandshake, _ limits: WebSocketLimits, _ context: ChannelHandlerContext,
    owner: @escaping (WebSocketUpdate) -> Void, opened: @escaping (any Channel) -> Void
  ) {
    handOver(context, after: SocketUpgrade.response(handshake)) { [self] in
      WebSocketHandler(limits, on: loop, owner: owner)
    } opened: { channel, socket in
      guard let channel, let socket else { return owner(.ended(WebSocketEnd(.abnormal, isFromClient: true))) }
      // The messages of a read wait together for their turn, and one may be to thousands.
      let options = channel.syncOptions
      try? options?.setOption(.maxMessagesPerRead, value: 1)
      try? options?.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 * 1024))
      opened(channel)
      if let context = try? channel.pipeline.syncOperations.context(handler: socket) { socket.read(context) }
    }
  }

  /// Writes `head`, and hands the connection over to the handler of `make`, which gets all further bytes; `opened` gets
  /// the channel and the handler once bytes can be sent, or `nil` if the client has left.
  func handOver<Handler: ChannelInboundHandler>(
    _ context: ChannelHandlerContext, after head: ByteBuffer, to make: @escaping () -> Handler,
    opened: @escaping ((any Channel)?, Handler?) -> Void
  ) {
    context.writeAndFlush(NIOAny(head), promise: nil)
    // Within the decoder's own call its removal would wait; nothing is read meanwhile.
    let step = NIOLoopBound(
      { [self] in
        let channel = context.channel
        guard channel.isActive else { return opened(nil, nil) }
        let socket = make()
        do {
          try channel.pipeline.syncOperations.addHandler(socket)
          let decoder = try channel.pipeline.syncOperations.handler(
            type: ByteToMessageHandler<HTTPRequestDecoder>.self)
          retire()
          let pipeline = channel.pipeline.syncOperations
          _ = pipeline.removeHandler(self)
          _ = pipeline.removeHandler(decoder)
          if let tail = try? pipeline.handler(type: InputTail.self) { _ = pipeline.removeHandler(tail) }
          opened(channel, socket)
          // What happened to the connection meanwhile.
          guard let context = try? pipeline.context(handler: socket) else { return }
          if isInputClosed { socket.userInboundEventTriggered(context: context, event: ChannelEvent.inputClosed) }
          if loop.isQuiescing { socket.userInboundEventTriggered(context: context, event: QuiesceEvent()) }
        } catch {
          // A handler in the pipeline reports its removal itself.
          if (try? channel.pipeline.syncOperations.context(handler: socket)) == nil { opened(nil, nil) }
          channel.close(promise: nil)
        }
      }, eventLoop: context.eventLoop)
    context.eventLoop.execute { step.value() }
  }
}

#if TLS
import NIOCore
import NIOSSL
import UnderstudyServer
import UnderstudyText

/// Detects TLS by the first byte of a connection, adds its handlers if the client speaks it, and removes itself.
final class TLSDetector: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let contexts: TLSContexts
  private let fault: TLSFault?
  private let servesHTTP2: Bool
  private let handshakes: HandshakeReports
  /// The bytes of a handshake that is answered later.
  private var held: [ByteBuffer]?

  /// The first bytes, while they may be the preface of HTTP/2.
  private var first = ByteBuffer()

  init(_ contexts: TLSContexts, _ settings: TLSSettings, _ handshakes: HandshakeReports) {
    (self.contexts, fault, servesHTTP2, self.handshakes) = (contexts, settings.fault, settings.servesHTTP2, handshakes)
  }

  /// The type of the record that begins a handshake (RFC 8446, 5.1). No method of HTTP begins with it.
  private static let handshake: UInt8 = 22

  /// The fatal alert no_application_protocol (RFC 7301, 3.2), as a record.
  private static let noProtocol: [UInt8] = [21, 3, 3, 0, 2, 2, 120]

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    if held != nil {
      held?.append(bytes)
      return
    }
    guard bytes.readableBytesView.first == Self.handshake, first.readableBytes == 0 else {
      return receivePlain(bytes, context)
    }
    switch fault {
    case .handshakeCut: context.close(promise: nil)
    case .protocolMismatch:
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: Self.noProtocol)), promise: nil)
      context.close(promise: nil)
    case .slowHandshake(let delay):
      held = [bytes]
      let nanoseconds = TimeAmount.nanoseconds(Int64(delay.wholeMicroseconds) * 1_000)
      context.eventLoop.assumeIsolated().scheduleTask(in: nanoseconds) { [self] in
        guard context.channel.isActive, let bytes = held.take() else { return }
        secure(bytes, context)
      }
    default: secure([bytes], context)
    }
  }

  /// The next handlers have read nothing while bytes are held. The rest of a handshake that waits stays in the socket.
  func channelReadComplete(context: ChannelHandlerContext) {
    if first.readableBytes > 0 {
      context.read()
    } else if held == nil {
      context.fireChannelReadComplete()
    }
  }

  /// A client that knows that the server speaks HTTP/2 begins with its preface (RFC 9113, 3.3).
  private func receivePlain(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    first.writeImmutableBuffer(bytes)
    let all = first
    let preface = HTTP2Connection.preface
    let isPreface = servesHTTP2 && preface.starts(with: all.readableBytesView.prefix(preface.count))
    if isPreface, all.readableBytes < preface.count { return }
    first.clear()
    if isPreface { context.fireUserInboundEventTriggered(HTTP2Connection.begins(fault)) }
    forward([all], context)
  }

  private func secure(_ bytes: [ByteBuffer], _ context: ChannelHandlerContext) {
    let tls = NIOSSLServerHandler(context: contexts.current())
    let end = TLSEnd(of: tls, fault, handshakes)
    do {
      try context.pipeline.syncOperations.addHandlers([tls, end], position: .after(self))
    } catch {
      return context.close(promise: nil)
    }
    let isLate = fault.map { if case .slowHandshake = $0 { true } else { false } } ?? false
    forward(bytes, context, isLate: isLate)
  }

  /// - Parameter isLate: Whether the bytes were read earlier, so that the next handlers have yet to ask for more.
  private func forward(_ bytes: [ByteBuffer], _ context: ChannelHandlerContext, isLate: Bool = false) {
    for piece in bytes { context.fireChannelRead(wrapInboundOut(piece)) }
    if isLate { context.fireChannelReadComplete() }
    _ = context.pipeline.syncOperations.removeHandler(context: context)
  }
}
#endif

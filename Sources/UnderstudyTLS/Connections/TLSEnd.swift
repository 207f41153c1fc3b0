#if TLS
import NIOCore
import NIOSSL
import NIOTLS
import UnderstudyServer

/// The HTTP side of TLS: announces the end of the handshake, limits its time, and closes.
final class TLSEnd: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let tls: NIOSSLServerHandler
  private let fault: TLSFault?
  private let handshakes: HandshakeReports
  /// Whether the connection is closed without the alert close_notify.
  private var endsAbruptly: Bool
  private var isSecured = false
  private var timer: Scheduled<Void>?

  /// From the first byte of a handshake to its last.
  private static let handshakeLimit: TimeAmount = .seconds(10)

  init(of tls: NIOSSLServerHandler, _ fault: TLSFault?, _ handshakes: HandshakeReports) {
    (self.tls, self.fault, self.handshakes) = (tls, fault, handshakes)
    endsAbruptly = fault == .noCloseNotify
  }

  func handlerAdded(context: ChannelHandlerContext) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.handshakeLimit) { [self] in
      handshakes.report(.late)
      close(context: context, mode: .all, promise: nil)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case TLSUserEvent.handshakeCompleted(let name):
      timer?.cancel()
      isSecured = true
      let certificate = try? tls.peerCertificate?.toDERBytes()
      context.fireUserInboundEventTriggered(ConnectionSecured(scheme: "https", clientCertificate: certificate))
      if name == HTTP2Connection.protocolName { context.fireUserInboundEventTriggered(HTTP2Connection.begins(fault)) }
    case TLSUserEvent.shutdownCompleted: break
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if let problem = HandshakeProblem(error, isSecured: isSecured) { handshakes.report(problem) }
    context.fireErrorCaught(error)
  }

  /// Drops responses before the end of the handshake: the client cannot read them.
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if isSecured { context.write(data, promise: promise) } else { promise?.succeed() }
  }

  func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard event is AbruptClose else { return context.triggerUserOutboundEvent(event, promise: promise) }
    endsAbruptly = true
    promise?.succeed()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    // From the context of TLS an event goes on to the socket.
    if endsAbruptly || !isSecured, let outside = try? context.pipeline.syncOperations.context(handler: tls) {
      outside.close(mode: mode, promise: promise)
    } else {
      context.close(mode: mode, promise: promise)
      // The last alert of the client: no other handler reads any more.
      if mode == .all { context.read() }
    }
  }
}
#endif

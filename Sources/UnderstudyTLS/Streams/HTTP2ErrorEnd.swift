#if TLS
import NIOCore
import NIOHTTP2

/// Closes a connection after its last frame: a GOAWAY that names an error of the client (RFC 9113, 5.4.1).
///
/// An error of a stream, after RST_STREAM, ends that stream alone (5.4.2). The handler of the frames reports both kinds as the same
/// errors, and the application cannot see what it has written.
final class HTTP2ErrorEnd: ChannelOutboundHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  private var isOver = false

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .byteBuffer(let bytes) = unwrapOutboundIn(data), Self.isGoAwayOfError(bytes) { isOver = true }
    context.write(data, promise: promise)
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    if isOver { context.close(promise: nil) }
  }

  /// Each frame is written by itself, apart from the bytes of DATA (RFC 9113, 4.1 and 6.8).
  private static func isGoAwayOfError(_ bytes: ByteBuffer) -> Bool {
    let start = bytes.readerIndex
    guard bytes.readableBytes >= 17, bytes.getInteger(at: start + 3, as: UInt8.self) == 0x07,
      bytes.getInteger(at: start + 5, as: UInt32.self) == 0,
      let code = bytes.getInteger(at: start + 13, as: UInt32.self)
    else { return false }
    return code != 0
  }
}

/// The last handler of a connection with streams: what arrives here is about no stream.
final class HTTP2End: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
#endif

#if TLS
import NIOCore

/// Closes a connection after a GOAWAY that names an error of the client (RFC 9113, 5.4.1).
///
/// An error of a stream, after RST_STREAM, ends that stream alone (5.4.2). The handler of the frames reports both kinds as the same
/// errors and does not report what it sends, so this one reads the frames that it writes.
final class GoAwayHandler: ChannelOutboundHandler {
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// Whether the next bytes are the payload of DATA, which is written after its header.
  private var isPayload = false
  private var isOver = false

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .byteBuffer(let bytes) = unwrapOutboundIn(data) { read(bytes) }
    context.write(data, promise: promise)
  }

  func flush(context: ChannelHandlerContext) {
    context.flush()
    if isOver { context.close(promise: nil) }
  }

  /// Reads the header of a frame: 24 bits of length, the type, flags and the stream (RFC 9113, 4.1).
  private func read(_ bytes: ByteBuffer) {
    if isPayload { return isPayload = false }
    guard let start = bytes.getInteger(at: bytes.readerIndex, as: UInt32.self) else { return }
    switch start & 0xFF {
    case 0x00: isPayload = start >> 8 > 0 && bytes.readableBytes == 9
    // The error code follows the last stream (6.8).
    case 0x07: isOver = isOver || bytes.getInteger(at: bytes.readerIndex + 13, as: UInt32.self) != 0
    default: break
    }
  }
}
#endif

#if TLS
import NIOCore
import NIOHTTP2
package import UnderstudyServer

/// HTTP/2 (RFC 9113), whose streams have the parts of HTTP/1 to the server, without its bytes.
package enum HTTP2Connection {
  /// The name by ALPN (RFC 9113, 3.2).
  static let protocolName = "h2"

  /// What a client sends first (RFC 9113, 3.4).
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  /// The most streams that are open at a time.
  private static let streamLimit = 100
  /// How much of a body may arrive before the server reads it.
  private static let windowBytes = 256 * 1024

  /// The event that turns a connection into one of HTTP/2.
  package static func begins(_ fault: TLSFault?) -> ConnectionMultiplexed {
    ConnectionMultiplexed { loop, limits, addStream in handlers(loop, limits, fault, addStream) }
  }

  private static func handlers(
    _ loop: any EventLoop, _ limits: MultiplexedLimits, _ fault: TLSFault?,
    _ addStream: @escaping ConnectionMultiplexed.AddStream
  ) -> [any ChannelHandler] {
    // Without a window a client may not send a body (RFC 9113, 6.9).
    let window = fault == .stalledWindow ? 0 : windowBytes
    let manager = NIOHTTP2ServerConnectionManagementHandler(
      eventLoop: loop,
      configuration: .init(
        maxIdleTime: limits.idleTime, maxAge: nil, maxGraceTime: limits.shutdownTime, keepalive: nil))
    var connection = NIOHTTP2Handler.ConnectionConfiguration()
    connection.initialSettings = [
      HTTP2Setting(parameter: .maxConcurrentStreams, value: streamLimit),
      HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headBytes),
      HTTP2Setting(parameter: .initialWindowSize, value: window),
    ]
    connection.targetWindowSize = 4 * windowBytes
    var stream = NIOHTTP2Handler.StreamConfiguration()
    stream.targetWindowSize = window
    stream.outboundBufferSizeHighWatermark = 64 * 1024
    stream.outboundBufferSizeLowWatermark = 32 * 1024
    let streams = NIOHTTP2Handler(
      mode: .server, eventLoop: loop, connectionConfiguration: connection, streamConfiguration: stream,
      streamDelegate: manager.http2StreamDelegate
    ) { stream in
      stream.eventLoop.makeCompletedFuture {
        try stream.pipeline.syncOperations.addHandler(StreamTranslator(limits, fault))
        try addStream(stream)
      }
    }
    return [GoAwayHandler(), streams, manager, HTTP2End()]
  }
}

/// The last handler of a connection with streams: what arrives here is about no stream.
private final class HTTP2End: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
#endif

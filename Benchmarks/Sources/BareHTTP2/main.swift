// A minimal server of HTTP/2 with TLS on swift-nio-http2, which responds to every request with the same JSON: the baseline for Understudy.
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

final class Handler: ChannelInboundHandler {
  typealias InboundIn = HTTP2Frame.FramePayload
  typealias OutboundOut = HTTP2Frame.FramePayload

  private let body: ByteBuffer

  init(_ body: ByteBuffer) { self.body = body }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .headers(let frame) where frame.endStream: respond(context)
    case .data(let frame) where frame.endStream: respond(context)
    default: break
    }
  }

  /// Writes a head with the fields of Understudy's.
  private func respond(_ context: ChannelHandlerContext) {
    let fields: HPACKHeaders = [
      ":status": "200", "content-type": "application/json", "content-length": String(body.readableBytes),
      "date": "Sun, 06 Nov 1994 08:49:37 GMT",
    ]
    context.write(wrapOutboundOut(.headers(.init(headers: fields))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.data(.init(data: .byteBuffer(body), endStream: true))), promise: nil)
  }
}

// BareHTTP2 threads certificate key body
let arguments = CommandLine.arguments
var tls = TLSConfiguration.makeServerConfiguration(
  certificateChain: try NIOSSLCertificate.fromPEMFile(arguments[2]).map { .certificate($0) },
  privateKey: .privateKey(try NIOSSLPrivateKey(file: arguments[3], format: .pem)))
tls.applicationProtocols = ["h2"]
let security = try NIOSSLContext(configuration: tls)
let body = ByteBuffer(string: arguments[4])
let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: Int(arguments[1]) ?? 1))
  .serverChannelOption(.backlog, value: 1024)
  .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
  .childChannelInitializer { channel in
    channel.eventLoop.makeCompletedFuture {
      let streams = NIOHTTP2Handler(
        mode: .server, eventLoop: channel.eventLoop, connectionConfiguration: .init(), streamConfiguration: .init()
      ) { stream in
        stream.eventLoop.makeCompletedFuture { try stream.pipeline.syncOperations.addHandler(Handler(body)) }
      }
      try channel.pipeline.syncOperations.addHandlers(NIOSSLServerHandler(context: security), streams)
    }
  }
  .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
  .bind(host: "127.0.0.1", port: 0).wait()
print("https://127.0.0.1:\(channel.localAddress?.port ?? 0)")
// Standard output may be a pipe to the program that waits for the address.
fflush(nil)
try channel.closeFuture.wait()

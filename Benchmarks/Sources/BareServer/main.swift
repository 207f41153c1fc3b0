// The least a SwiftNIO server can do: the same ready bytes for every request. What Understudy is measured against.
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

final class Handler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = ByteBuffer

  private let bytes: ByteBuffer

  init(_ bytes: ByteBuffer) { self.bytes = bytes }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .end = unwrapInboundIn(data) { context.write(wrapOutboundOut(bytes), promise: nil) }
  }

  func channelReadComplete(context: ChannelHandlerContext) { context.flush() }
}

let arguments = CommandLine.arguments
let threads = arguments.count > 1 ? Int(arguments[1]) ?? 1 : 1
let body = #"{"message":"joined","queue":[1,2,3],"penalty":null}"#
let bytes = ByteBuffer(
  string: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nUnderstudy-Reply: fixture readChat/200\r\n"
    + "Content-Length: \(body.utf8.count)\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n\(body)")
let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: threads))
  .serverChannelOption(.backlog, value: 1024)
  .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
  .childChannelInitializer { channel in
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandlers(ByteToMessageHandler(HTTPRequestDecoder()), Handler(bytes))
    }
  }
  .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
  .bind(host: "127.0.0.1", port: 0).wait()
print("http://127.0.0.1:\(channel.localAddress?.port ?? 0)")
// Whoever waits for the address may be at the other end of a pipe.
fflush(nil)
try channel.closeFuture.wait()

// A minimal SwiftNIO server, which writes the same prepared bytes for every request: the baseline for Understudy.
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

func answer(in path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else { throw IOError(errnoCode: errno, reason: path) }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 20)
  bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
  return bytes.isEmpty ? Array("HTTP/1.1 204 No Content\r\n\r\n".utf8) : bytes
}

// BareServer [threads] [file with the whole answer]
let arguments = CommandLine.arguments
let threads = arguments.count > 1 ? Int(arguments[1]) ?? 1 : 1
// The bytes of another server's answer, so that both servers write the same.
let bytes = try ByteBuffer(bytes: answer(in: arguments.count > 2 ? arguments[2] : "/dev/null"))
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
// Standard output may be a pipe to the program that waits for the address.
fflush(nil)
try channel.closeFuture.wait()

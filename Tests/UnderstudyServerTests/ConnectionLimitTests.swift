import NIOCore
import NIOPosix
import Testing
import UnderstudyServer
import UnderstudyTestSupport

@Suite struct ConnectionLimitTests {
  @Test(.timeLimit(.minutes(1))) func `clients connect while sockets keep the loop busy`() async throws {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let limit = ConnectionLimit(100, OpenConnections(), isBusy: { true }, closeIdle: {})
          try channel.pipeline.syncOperations.addHandler(limit)
        }
      }
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { channel.eventLoop.execute { channel.close(promise: nil) } }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let port = try #require(listener.localAddress?.port)
    let clients = try (0..<20).map { _ in try RawClient(port: port) }
    for client in clients { #expect(try client.rest() == .closed) }
    try await listener.close()
  }
}

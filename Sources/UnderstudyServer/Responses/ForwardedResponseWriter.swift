import NIOCore
import UnderstudyMock

/// Passes the answer of an upstream from its task to the connection of the client.
struct ForwardedResponseWriter: Sendable {
  private let connection: NIOLoopBound<(handler: ConnectionHandler, context: ChannelHandlerContext)>

  /// Call it on the event loop of the connection.
  init(_ handler: ConnectionHandler, _ context: ChannelHandlerContext) {
    connection = NIOLoopBound((handler, context), eventLoop: context.eventLoop)
  }

  func write(_ reply: Reply) async {
    guard case .streamed(let response, let body) = reply.content, reply.fault?.damage == nil else {
      await onLoop { $0.settle(with: reply, $1) }
      return
    }
    // A cancelled wait means that the client has left, which the next step notices.
    if reply.delay > .zero { try? await Task.sleep(for: reply.delay) }
    guard let framing = await onLoop({ $0.begin(response, length: body.length, reply, $1) }) ?? nil else { return }
    do {
      if framing != .none {
        if case .stall(let pause)? = reply.fault?.pace { try await Task.sleep(for: pause) }
        for try await chunk in body {
          if let fault = reply.fault {
            try await TransmissionPlan(body: chunk, fault).transmit(send)
          } else {
            try await send(chunk)
          }
        }
      }
      await onLoop { $0.end($1) }
    } catch {
      // All other errors are those of the client's connection.
      let reason = (error as? UpstreamFailure)?.message ?? "the client left"
      await onLoop { $0.breakOff(because: reason, $1) }
    }
  }

  /// Returns when the client has received the chunk.
  private func send(_ chunk: [UInt8]) async throws {
    try await connection.eventLoop.flatSubmit {
      let (handler, context) = connection.value
      return handler.send(chunk, context)
    }.get()
  }

  /// `nil` if the loop has ended.
  @discardableResult
  private func onLoop<R: Sendable>(
    _ body: @escaping @Sendable (ConnectionHandler, ChannelHandlerContext) -> R
  ) async -> R? {
    try? await connection.eventLoop.submit {
      let (handler, context) = connection.value
      return body(handler, context)
    }.get()
  }
}

import NIOCore
import Synchronization

/// Accepts no more connections than the process has file descriptors for. When there are as many, the oldest idle ones
/// are closed; while all are busy, further clients wait in the queue of the system.
final class ConnectionLimit: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  private let maximum: Int
  private let closeIdle: () -> Void
  private let open = Open()
  private var readIsHeld = false
  private var isWaiting = false

  /// The open connections, which end on other event loops.
  private final class Open: Sendable {
    private let state = Mutex((count: 0, isListening: true))

    var count: Int { state.withLock { $0.count } }

    func add() { state.withLock { $0.count += 1 } }

    /// Returns whether the server still accepts connections.
    func remove() -> Bool {
      state.withLock { state in
        state.count -= 1
        return state.isListening
      }
    }

    func stopListening() { state.withLock { $0.isListening = false } }
  }

  /// The time until another look for idle connections.
  private static let pause = TimeAmount.milliseconds(20)

  /// - Parameter closeIdle: Closes idle connections, the oldest first, at some time.
  init(_ maximum: Int, closeIdle: @escaping () -> Void) {
    self.maximum = max(1, maximum)
    self.closeIdle = closeIdle
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    open.add()
    let this = NIOLoopBound((handler: self, context), eventLoop: context.eventLoop)
    unwrapInboundIn(data).closeFuture.whenComplete { [open] _ in
      guard open.remove() else { return }
      this.eventLoop.execute { this.value.handler.closed(this.value.1) }
    }
    context.fireChannelRead(data)
    if open.count >= maximum { makeRoom(context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    open.stopListening()
    context.fireChannelInactive()
  }

  func read(context: ChannelHandlerContext) {
    readIsHeld = open.count >= maximum
    if readIsHeld { makeRoom(context) } else { context.read() }
  }

  private func closed(_ context: ChannelHandlerContext) {
    guard readIsHeld, open.count < maximum else { return }
    readIsHeld = false
    context.read()
  }

  private func makeRoom(_ context: ChannelHandlerContext) {
    guard !isWaiting else { return }
    isWaiting = true
    closeIdle()
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
      isWaiting = false
      if readIsHeld, open.count >= maximum { makeRoom(context) }
    }
  }
}

package import NIOCore
import Synchronization

/// Accepts no more connections than the process has file descriptors for. When there are as many, the oldest idle ones
/// are closed; while all are busy, further clients wait in the queue of the system. While sockets keep the loop busy, it
/// accepts one connection in each pause: a thousand clients that connect again at once leave time for requests.
package final class ConnectionLimit: ChannelDuplexHandler {
  package typealias InboundIn = any Channel
  package typealias InboundOut = any Channel
  package typealias OutboundIn = Never

  private let maximum: Int
  private let isBusy: () -> Bool
  private let closeIdle: () -> Void
  private let open: OpenConnections
  private let listener = Listener()
  private var readIsHeld = false
  private var isWaiting = false

  /// The time until another look for idle connections.
  private static let pause = TimeAmount.milliseconds(20)
  /// The time between two connections while sockets keep the loop busy.
  private static let busyPause = TimeAmount.microseconds(200)

  /// - Parameter closeIdle: Closes idle connections, the oldest first, at some time.
  package init(_ maximum: Int, _ open: OpenConnections, isBusy: @escaping () -> Bool, closeIdle: @escaping () -> Void) {
    self.maximum = max(1, maximum)
    self.open = open
    self.isBusy = isBusy
    self.closeIdle = closeIdle
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    open.add()
    let this = NIOLoopBound((handler: self, context), eventLoop: context.eventLoop)
    unwrapInboundIn(data).closeFuture.whenComplete { [open, listener] _ in
      open.remove()
      guard listener.isOpen else { return }
      this.eventLoop.execute { this.value.handler.closed(this.value.1) }
    }
    context.fireChannelRead(data)
    if open.count >= maximum { makeRoom(context) }
  }

  package func channelInactive(context: ChannelHandlerContext) {
    listener.close()
    context.fireChannelInactive()
  }

  package func read(context: ChannelHandlerContext) {
    readIsHeld = open.count >= maximum
    if readIsHeld { return makeRoom(context) }
    guard isBusy() else { return context.read() }
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.busyPause) { [listener] in
      if listener.isOpen { context.read() }
    }
  }

  /// Whether the port is still open; connections end on several event loops.
  private final class Listener: Sendable {
    private let state = Atomic(true)

    var isOpen: Bool { state.load(ordering: .acquiring) }

    func close() { state.store(false, ordering: .releasing) }
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
      guard readIsHeld else { return }
      // A connection of another port may have made room.
      if open.count >= maximum { makeRoom(context) } else { closed(context) }
    }
  }
}

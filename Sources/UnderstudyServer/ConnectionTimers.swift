import NIOCore

/// The clocks of one connection. On the path of an ordinary request none of them is touched.
final class ConnectionTimers {
  private var input: Scheduled<Void>?
  private var reply: Scheduled<Void>?
  private var end: Scheduled<Void>?
  private var idle: RepeatedTask?
  private(set) var isLingering = false

  /// What changes on a connection that is not idle.
  struct Progress: Equatable {
    var answered: UInt64
    var unsent: Int
  }

  /// A part of a request is overdue from a moment that was set.
  var awaitsInput: Bool { input != nil }

  /// Calls `late` unless the input arrives before.
  func awaitInput(_ limit: Duration, _ context: ChannelHandlerContext, late: @escaping () -> Void) {
    input?.cancel()
    input = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit), late)
  }

  func inputArrived() {
    guard let input else { return }
    input.cancel()
    self.input = nil
  }

  func delay(_ delay: Duration, _ context: ChannelHandlerContext, then: @escaping () -> Void) {
    reply = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay), then)
  }

  func close(after limit: Duration, _ context: ChannelHandlerContext) {
    end?.cancel()
    end = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) { context.close(promise: nil) }
  }

  func linger(_ limit: Duration, _ context: ChannelHandlerContext) {
    isLingering = true
    close(after: limit, context)
  }

  /// Calls `whenIdle` when `progress` was the same at five looks in a row. Nil is progress of another kind.
  func watch(
    every interval: Duration, _ context: ChannelHandlerContext, progress: @escaping () -> Progress?,
    whenIdle: @escaping () -> Void
  ) {
    var (last, looks): (Progress?, Int) = (nil, 0)
    let look = {
      let now = progress()
      looks = now == last && now != nil ? looks + 1 : 0
      last = now
      if looks == 4 { whenIdle() }
    }
    let bound = NIOLoopBound(look, eventLoop: context.eventLoop)
    let amount = TimeAmount(interval)
    idle = context.eventLoop.scheduleRepeatedTask(initialDelay: amount, delay: amount) { _ in bound.value() }
  }

  /// Once the connection is gone; breaks the cycles that scheduled tasks make.
  func cancel() {
    input?.cancel()
    reply?.cancel()
    end?.cancel()
    idle?.cancel()
    (input, reply, end, idle) = (nil, nil, nil, nil)
  }
}

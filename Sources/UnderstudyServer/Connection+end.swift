import NIOCore
import NIOExtras
import Understudy

/// The end of a connection, whoever wants it.
extension Connection {
  func channelActive(context: ChannelHandlerContext) {
    watchForIdleness(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ChannelShouldQuiesceEvent:
      isQuiescing = true
      if delayed?.reply.fault == .hang {
        close(context)
      } else if !isDelayed && queueIsEmpty && input != .ended {
        // Nothing is owed: no request has come, or only a part of one.
        closeWhenSent(context)
      }
    case ChannelEvent.inputClosed:
      inputIsClosed = true
      flushIfNeeded(context)
      if input == .ended {
        if timers.isLingering || delayed?.reply.fault == .hang { context.close(promise: nil) }
      } else if isFree && queueIsEmpty {
        endOutput(context)
      }
    default:
      context.fireUserInboundEventTriggered(event)
    }
  }

  func endInput() {
    input = .ended
    passing?.fail()
    passing = nil
    queue.removeAll()
    queueIsEmpty = true
    incoming = nil
  }

  /// Ends the connection after what was written. A client that is still sending would lose the answer to a reset, were
  /// the socket closed with its bytes unread; so what it sends is read and ignored for a while (RFC 9112, 9.6).
  func endOutput(_ context: ChannelHandlerContext) {
    endInput()
    needsFlush = false
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(NIOAny(ByteBuffer()), promise: sent)
    sent.futureResult.assumeIsolated().whenComplete { [self] result in
      guard case .success = result, !inputIsClosed else { return context.close(promise: nil) }
      context.close(mode: .output, promise: nil)
      timers.linger(configuration.lingerLimit, context)
    }
    if holdsRead {
      holdsRead = false
      context.read()
    }
  }

  /// Ends the connection once earlier answers are on their way, without waiting for what the client still sends.
  private func closeWhenSent(_ context: ChannelHandlerContext) {
    endInput()
    needsFlush = false
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(NIOAny(ByteBuffer()), promise: sent)
    sent.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }

  func close(_ context: ChannelHandlerContext) {
    endInput()
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timers.cancel()
    forwarded?.cancel()
    forwarded = nil
    if let (request, reply) = delayed {
      endDelay()
      report(reply, request, status: nil)
    }
    endInput()
  }

  /// Closes the connection when nothing has happened on it for the idle limit. Looks four times as often as that, which
  /// spares every request a clock.
  private func watchForIdleness(_ context: ChannelHandlerContext) {
    timers.watch(every: configuration.idleTimeout / 4, context) { [self] in
      // A client that does not read its answer is idle, one that reads it slowly is not.
      let unsent = isWritable ? 0 : (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
      return isIdle || !isWritable ? ConnectionTimers.Progress(answered: answered, unsent: unsent) : nil
    } whenIdle: { [self] in
      close(context)
    }
  }
}

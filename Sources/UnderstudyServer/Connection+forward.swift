import HTTPTypes
import NIOCore
import Understudy

/// Answers that come from an upstream.
extension Connection {
  /// Asks the upstream in a task of its own; until its answer is sent, no other request is answered.
  func forward(
    _ forward: Forward, _ request: Request, by forwarding: Forwarding, _ context: ChannelHandlerContext
  ) {
    let body = request.rest?.body ?? Body(request.body)
    let way = WayBack(NIOLoopBound((self, request, context), eventLoop: context.eventLoop), context.eventLoop)
    forwarded = forwarding.run(on: context.eventLoop) { transport in
      await way.deliver(await forward.reply(by: transport, body: body))
    }
  }

  /// How the pieces of a body are set apart from what follows them (RFC 9112, 6.3).
  enum Framing: Sendable {
    case none, length, chunks, closing
  }

  /// Writes a reply that is there as a whole.
  fileprivate func finish(_ reply: Reply, _ request: Request, _ context: ChannelHandlerContext) {
    guard forwarded != nil else { return }
    forwarded = nil
    endDelay()
    perform(reply, to: request, context)
    advance(context)
  }

  /// Writes the head of a reply whose body is still to come.
  fileprivate func begin(
    _ response: HTTPResponse, _ body: Body, _ reply: Reply, _ request: Request, _ context: ChannelHandlerContext
  ) throws -> (Framing, AnswerTerms) {
    guard forwarded != nil else { throw CancellationError() }
    var terms = terms(for: request)
    let framing: Framing
    if reply.omitsBody || terms.isHead || !ResponseHead.carriesBody(status: response.status.code) {
      framing = .none
    } else if body.length != nil {
      framing = .length
    } else if terms.isLegacy {
      framing = .closing
      terms.closes = true
    } else {
      framing = .chunks
    }
    context.writeAndFlush(NIOAny(writer.head(of: response, length: body.length, framing, terms)), promise: nil)
    return (framing, terms)
  }

  /// Writes a piece; the result is there when the client has taken it.
  fileprivate func send(
    _ piece: [UInt8], _ framing: Framing, _ context: ChannelHandlerContext
  ) -> EventLoopFuture<Void> {
    let promise = context.eventLoop.makePromise(of: Void.self)
    guard forwarded != nil else {
      promise.fail(CancellationError())
      return promise.futureResult
    }
    var buffer = ByteBuffer()
    if framing == .chunks {
      // An empty chunk would be the last.
      if !piece.isEmpty { buffer.writeString(String(piece.count, radix: 16) + "\r\n") }
      buffer.writeBytes(piece)
      if !piece.isEmpty { buffer.writeString("\r\n") }
    } else {
      buffer.writeBytes(piece)
    }
    context.writeAndFlush(NIOAny(buffer), promise: promise)
    return promise.futureResult
  }

  /// Ends a reply whose pieces were all sent.
  fileprivate func end(
    _ reply: Reply, _ framing: Framing, _ terms: AnswerTerms, _ request: Request, _ context: ChannelHandlerContext
  ) {
    guard forwarded != nil else { return }
    forwarded = nil
    if framing == .chunks { context.writeAndFlush(NIOAny(ByteBuffer(string: "0\r\n\r\n")), promise: nil) }
    endDelay()
    countAnswer()
    report(reply, request, status: reply.status)
    if terms.closes || request.rest?.isOpen == true { endOutput(context) } else { advance(context) }
  }

  /// Ends the connection in the middle of a body, so that the client does not take the part for the whole.
  fileprivate func breakOff(
    _ reply: Reply, _ failure: any Error, _ request: Request, _ context: ChannelHandlerContext
  ) {
    guard forwarded != nil else { return }
    forwarded = nil
    endDelay()
    var reply = reply
    reply.reason += ", broken off: \((failure as? UpstreamFailure)?.message ?? "\(failure)")"
    report(reply, request, status: reply.status)
    close(context)
  }
}

/// From the task that asks the upstream back to the connection.
private struct WayBack: Sendable {
  private let place: NIOLoopBound<(Connection, Connection.Request, ChannelHandlerContext)>
  private let loop: any EventLoop

  init(_ place: NIOLoopBound<(Connection, Connection.Request, ChannelHandlerContext)>, _ loop: any EventLoop) {
    self.place = place
    self.loop = loop
  }

  func deliver(_ reply: Reply) async {
    guard case .streamed(let response, let body) = reply.content, reply.fault == nil else {
      try? await loop.submit {
        let (connection, request, context) = place.value
        connection.finish(reply, request, context)
      }.get()
      return
    }
    do {
      let (framing, terms) = try await loop.submit {
        let (connection, request, context) = place.value
        return try connection.begin(response, body, reply, request, context)
      }.get()
      if framing != .none {
        for try await piece in body {
          try await loop.flatSubmit {
            let (connection, _, context) = place.value
            return connection.send(piece, framing, context)
          }.get()
        }
      }
      try await loop.submit {
        let (connection, request, context) = place.value
        connection.end(reply, framing, terms, request, context)
      }.get()
    } catch {
      try? await loop.submit {
        let (connection, request, context) = place.value
        connection.breakOff(reply, error, request, context)
      }.get()
    }
  }
}

import NIOCore
import NIOHTTP1
import Understudy

/// What the client sends: heads, bodies, and what is wrong with them.
extension Connection {
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    guard input != .ended else { return }
    sawPart = true
    switch part {
    case .head(let head): begin(heads.read(head), context)
    case .body(let bytes): collect(bytes, context)
    case .end:
      if passing != nil { return endPassing() }
      guard let request = incoming.take() else { return }
      input = .head
      accept(request, context)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    flushIfNeeded(context)
    switch input {
    case .head:
      // Bytes came that belong to nothing that was decoded: a head has begun.
      if !timers.awaitsInput && !(sawPart && tail.isComplete) {
        expectInput(within: configuration.headTimeout, orRefuse: .headTimeout, context)
      }
    case .body:
      if sawPart { expectBody(context) }
    case .ended:
      countIgnoredRead(context)
    }
    sawPart = false
  }

  private func begin(_ head: RequestHead, _ context: ChannelHandlerContext) {
    timers.inputArrived()
    tail.headWasDecoded()
    bodyPace = nil
    var request = Request(head: head, refusal: head.refusal)
    if observer != nil { request.start = context.eventLoop.now }
    if loop.long == nil, head.contentLength ?? 0 > configuration.maximumBodyBytes {
      request.refusal = request.refusal ?? .bodyTooLarge
    }
    guard request.refusal == nil else { return refuse(request, context) }
    if head.announcesBody {
      // The announced length is a promise, not a reason to set memory aside.
      request.body.reserveCapacity(min(head.contentLength ?? 0, 64 * 1024))
      if head.expectsContinue {
        owesContinue = true
        sendOwedContinue(context)
      }
    }
    input = .body
    incoming = request
  }

  private func collect(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    owesContinue = false
    tail.bodyWasDecoded(bytes)
    bodyPace?.bytes += bytes.readableBytes
    if let passing { return passing.offer(Array(bytes.readableBytesView)) }
    let length = (incoming?.body.count ?? 0) + bytes.readableBytes
    if length <= loop.long?.limit ?? configuration.maximumBodyBytes {
      // In place, so that appending does not copy.
      _ = bytes.withUnsafeReadableBytes { incoming?.body.append(contentsOf: $0) }
      return
    }
    guard var request = incoming.take() else { return }
    if loop.long == nil {
      request.refusal = .bodyTooLarge
      return refuse(request, context)
    }
    request.body.append(contentsOf: bytes.readableBytesView)
    pass(request, context)
  }

  /// Goes on with a request of which not all was read: the upstream is given the rest as it comes.
  private func pass(_ request: Request, _ context: ChannelHandlerContext) {
    var request = request
    let rest = IncomingBody(length: request.head?.contentLength, first: request.body, context.eventLoop) { [self] in
      resume(context)
    }
    request.body = []
    request.rest = rest
    passing = rest
    endsAfterPassing = request.head?.terms.closes == true
    enqueue(request, context)
  }

  private func endPassing() {
    passing?.finish()
    passing = nil
    timers.inputArrived()
    input = endsAfterPassing ? .ended : .head
  }

  private func accept(_ request: Request, _ context: ChannelHandlerContext) {
    timers.inputArrived()
    // Requests after one that closes the connection are not answered (RFC 9112, 9.6).
    if request.refusal != nil || request.head?.terms.closes == true { input = .ended }
    enqueue(request, context)
  }

  /// Answers without the responder, in turn, and takes nothing more from this client.
  private func refuse(_ request: Request, _ context: ChannelHandlerContext) {
    incoming = nil
    accept(request, context)
  }

  private func refuse(_ reason: Refusal, _ context: ChannelHandlerContext) {
    // The upstream has a part of the body already, and may have answered it.
    guard passing == nil else { return close(context) }
    var request = incoming ?? Request()
    request.refusal = reason
    refuse(request, context)
    flushIfNeeded(context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else {
      // The connection is broken: there is nobody to tell.
      if !(error is ByteToMessageDecoderError) { context.close(promise: nil) }
      return
    }
    guard input != .ended else { return }
    switch error {
    case .headerOverflow: refuse(.headTooLarge, context)
    case .invalidVersion: refuse(.version, context)
    case .invalidContentLength, .unexpectedContentLength: refuse(.ambiguousLength, context)
    case .invalidEOFState: refuse(.incomplete, context)
    case .invalidMethod: refuse(.method, context)
    case .invalidURL: refuse(.target, context)
    case .invalidConstant: refuse(.requestLine, context)
    case .invalidHeaderToken: refuse(.field, context)
    case .invalidChunkSize: refuse(.chunk, context)
    // The decoder has no names of its own for a bare LF and for a second kind of length.
    case .lfExpected, .unknown: refuse(.lineEnd, context)
    default: refuse(.malformed, context)
    }
  }

  private func expectInput(within limit: Duration, orRefuse refusal: Refusal, _ context: ChannelHandlerContext) {
    timers.awaitInput(limit, context) { [self] in
      // While nothing is read, the client is not to blame for what does not come.
      if holdsRead { expectInput(within: limit, orRefuse: refusal, context) } else { refuse(refusal, context) }
    }
  }

  /// Waits for the next piece of a body: not for long, and for all pieces together no longer than a slow line needs.
  private func expectBody(_ context: ChannelHandlerContext) {
    let now = context.eventLoop.now
    let pace = bodyPace ?? BodyPace(start: now)
    bodyPace = pace
    let left = configuration.bodyTimeout + pace.time(at: configuration.minimumBodyRate) - pace.spent(until: now)
    let isSlow = left < configuration.bodyTimeout && pace.bytes > 0
    expectInput(
      within: max(.zero, min(left, configuration.bodyTimeout)), orRefuse: isSlow ? .slowBody : .bodyTimeout, context)
  }

  /// The most a client may go on sending after it was refused, in reads.
  private static let ignoredReadLimit = 64

  private func countIgnoredRead(_ context: ChannelHandlerContext) {
    ignoredReads += 1
    if timers.isLingering && ignoredReads > Self.ignoredReadLimit { context.close(promise: nil) }
  }
}

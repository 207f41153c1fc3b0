import HTTPTypes
import NIOCore
import NIOExtras
import NIOHTTP1
import Understudy

/// One client's connection: takes requests from the decoder, has them answered in order, and ends in an orderly way.
///
/// The responder is called here, on the event loop. A request that comes while an earlier answer is still to be written
/// (it is delayed, or the client does not read) waits in `queue`, and nothing more is read until it was answered.
final class Connection: ChannelInboundHandler, ChannelOutboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let configuration: HTTPServer.Configuration
  let loop: LoopState
  let writer: ReplyWriter
  let forwarding: Forwarding?
  private let observer: (@Sendable (Exchange) -> Void)?
  private let heads: RequestHeadReader
  private let tail: InputTail

  /// What the next bytes from the client belong to.
  private(set) var input = Input.head
  /// The request whose body is arriving.
  private var incoming: Request?
  /// The rest of a body that is too long to be held, on its way to the upstream.
  private var passing: IncomingBody?
  private var endsAfterPassing = false
  /// How fast the body comes; nil while it has not taken more than one read.
  private var bodyPace: BodyPace?
  private var queue = CircularBuffer<Request>(initialCapacity: 1)
  /// Kept beside the queue, since it is asked for so often.
  private var queueIsEmpty = true
  /// The request whose answer is delayed, or never comes, or comes from the upstream.
  private var delayed: (request: Request, reply: Reply)?
  /// What waits for the upstream, or passes its answer on.
  var forwarded: Task<Void, Never>?
  private var isDelayed = false
  private var owesContinue = false
  /// Counts the requests that were answered, so that an idle connection can be told from a busy one.
  private var answered: UInt64 = 0

  private var isWritable = true
  private var holdsRead = false
  private var needsFlush = false
  private var isAdvancing = false
  /// Whether the bytes read last completed a head or a piece of a body.
  private var sawPart = false
  private var isQuiescing = false
  private var inputIsClosed = false
  private let timers = ConnectionTimers()
  private var ignoredReads = 0
  /// Only if there is an observer to tell.
  private var remoteAddress: SocketAddress?

  enum Input {
    case head, body
    /// Whatever still comes is ignored.
    case ended
  }

  /// A request, or what was wrong with it, on its way to its answer.
  struct Request {
    var head: RequestHead?
    var body: [UInt8] = []
    /// Instead of `body`, where that is too long to be held.
    var rest: IncomingBody?
    var refusal: Refusal?
    /// Only if there is an observer to tell.
    var start: NIODeadline?
  }

  init(
    loop: LoopState, configuration: HTTPServer.Configuration, tail: InputTail, forwarding: Forwarding?,
    observer: (@Sendable (Exchange) -> Void)?
  ) {
    self.loop = loop
    self.tail = tail
    self.forwarding = forwarding
    self.writer = ReplyWriter(loop: loop)
    self.configuration = configuration
    self.observer = observer
    self.heads = RequestHeadReader(cors: configuration.cors)
  }

  /// Whether an answer could be written now.
  private var isFree: Bool { !isDelayed && isWritable }

  /// Nothing is under way in either direction.
  private var isIdle: Bool { !isDelayed && queueIsEmpty && input == .head && !timers.awaitsInput }

  // MARK: Input

  func channelActive(context: ChannelHandlerContext) {
    watchForIdleness(context)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    guard input != .ended else { return }
    sawPart = true
    switch part {
    case .head(let head): begin(heads.read(head), context)
    case .body(let bytes): collect(bytes, context)
    case .end:
      if passing != nil { return endPassing() }
      guard let request = incoming else { return }
      incoming = nil
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
    guard var request = incoming else { return }
    // Taken out, so that appending does not copy.
    incoming = nil
    let long = loop.long
    let isLong = request.body.count + bytes.readableBytes > long?.limit ?? configuration.maximumBodyBytes
    if isLong, long == nil {
      request.refusal = .bodyTooLarge
      return refuse(request, context)
    }
    request.body.append(contentsOf: bytes.readableBytesView)
    if isLong { pass(request, context) } else { incoming = request }
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

  private func enqueue(_ request: Request, _ context: ChannelHandlerContext) {
    if isFree && queueIsEmpty {
      answer(request, context)
    } else {
      queue.append(request)
      queueIsEmpty = false
    }
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

  // MARK: Answers

  private func answer(_ request: Request, _ context: ChannelHandlerContext) {
    let reply: Reply
    if let head = request.head, request.refusal == nil {
      reply = request.rest == nil ? loop.reply(head.request, request.body) : longReply(head.request)
    } else {
      reply = (request.refusal ?? .malformed).reply(configuration)
    }
    if let forward = reply.forward, let forwarding {
      delay(reply, to: request)
      self.forward(forward, request, by: forwarding, context)
    } else {
      perform(reply, to: request, context)
    }
  }

  /// Writes a reply, now or when its delay is over.
  func perform(_ reply: Reply, to request: Request, _ context: ChannelHandlerContext) {
    guard reply.delay > .zero else { return write(reply, to: request, context) }
    delay(reply, to: request)
    timers.delay(reply.delay, context) { [self] in
      endDelay()
      write(reply, to: request, context)
      advance(context)
    }
  }

  /// The responder may have been replaced by one that does not take long bodies since this one began.
  private func longReply(_ request: HTTPRequest) -> Reply {
    loop.long?.reply(request) ?? Refusal.bodyTooLarge.reply(configuration)
  }

  private func delay(_ reply: Reply, to request: Request) {
    delayed = (request, reply)
    isDelayed = true
  }

  func endDelay() {
    delayed = nil
    isDelayed = false
  }

  /// How the answer to a request is framed, as things stand now.
  func terms(for request: Request) -> AnswerTerms {
    var terms = request.head?.terms ?? AnswerTerms()
    // Whoever is answered before the end of a long body has no reason to send the rest of it.
    if request.refusal != nil || request.rest?.isOpen == true { terms.closes = true }
    if isQuiescing && queueIsEmpty {
      terms.closes = true
      if passing == nil { input = .ended }
    }
    return terms
  }

  private func write(_ reply: Reply, to request: Request, _ context: ChannelHandlerContext) {
    let terms = terms(for: request)
    let ending = writer.write(reply, terms, to: context)
    countAnswer()
    needsFlush = true
    switch ending {
    case .open:
      report(reply, request, status: reply.status)
    case .closing:
      report(reply, request, status: reply.fault == .garbage ? nil : reply.status)
      endOutput(context)
    case .closed:
      endInput()
      report(reply, request, status: nil)
    case .hanging:
      endInput()
      delay(reply, to: request)
      if inputIsClosed || isQuiescing { return context.close(promise: nil) }
      if let limit = configuration.hangLimit { timers.close(after: limit, context) }
    }
  }

  /// Answers what waits, as far as that is possible now, then lets the client go on.
  func advance(_ context: ChannelHandlerContext) {
    // Flushing may make the connection writable again, which calls this again.
    guard !isAdvancing else { return }
    isAdvancing = true
    repeat {
      while isFree, let request = queue.popFirst() {
        queueIsEmpty = queue.isEmpty
        answer(request, context)
      }
      flushIfNeeded(context)
    } while isFree && !queueIsEmpty
    isAdvancing = false
    guard isFree else { return }
    sendOwedContinue(context)
    if inputIsClosed && input != .ended { endOutput(context) }
    resume(context)
  }

  private func sendOwedContinue(_ context: ChannelHandlerContext) {
    guard owesContinue, isFree, queueIsEmpty else { return }
    owesContinue = false
    context.writeAndFlush(NIOAny(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
  }

  func countAnswer() { answered &+= 1 }

  func report(_ reply: Reply, _ request: Request, status: Int?) {
    guard let observer else { return }
    let duration = Duration.nanoseconds((request.start.map { NIODeadline.now() - $0 } ?? .zero).nanoseconds)
    observer(
      Exchange(
        method: request.head?.request.method.rawValue ?? "", target: request.head?.request.path ?? "", status: status,
        duration: duration, startedAt: Timestamp.microseconds() - Int(duration / .microseconds(1)), reply: reply,
        request: request.head?.request, body: request.rest == nil ? request.body : nil, remoteAddress: remoteAddress))
  }

  func handlerAdded(context: ChannelHandlerContext) {
    loop.opened(context.channel)
    if observer != nil { remoteAddress = context.remoteAddress }
  }

  func handlerRemoved(context: ChannelHandlerContext) { loop.closed(context.channel) }

  private func flushIfNeeded(_ context: ChannelHandlerContext) {
    guard needsFlush else { return }
    needsFlush = false
    context.flush()
  }

  // MARK: Back-pressure

  func read(context: ChannelHandlerContext) {
    // What is ignored may come: only so is the end of the connection noticed.
    if input == .ended || (isFree && queueIsEmpty) || passing?.wantsMore == true {
      context.read()
    } else {
      holdsRead = true
    }
  }

  private func resume(_ context: ChannelHandlerContext) {
    guard holdsRead else { return }
    holdsRead = false
    // The wait was not the client's.
    bodyPace = nil
    context.read()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    isWritable = context.channel.isWritable
    if isWritable { advance(context) }
  }

  // MARK: The end

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

  private func endInput() {
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

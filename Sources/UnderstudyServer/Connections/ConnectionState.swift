package import NIOCore
package import UnderstudyMock

/// The rules of an HTTP/1 connection, without a socket: events are calls, and `nextAction()` returns the actions.
///
/// After every event the owner performs actions until there are none. Events may arrive during an action, except those
/// whose methods return an action or the terms of an answer: they come only from timers, the responder, the upstream and
/// the channel's request to read.
///
/// Requests are answered one at a time, in order. While an answer is delayed or the client does not read, further
/// requests wait in a queue, and nothing is read.
package struct ConnectionState {
  private let hangLimit: Duration?
  private let lastCall: Duration
  private let exchange: ((ReceivedRequest, Reply, Int?) -> ServedRequest?)?
  private let forwards: Bool

  private var input: RequestInput
  private var queue = RequestQueue()
  private(set) var current = ExchangeState.free
  private var shutdown: ConnectionShutdown
  private var timers = ExchangeTimers()
  private var lastCallIsOver = false
  private var limitIsExceeded = false
  private var idleWatch = IdleWatch()
  private var report: ConnectionAction?

  private var isWritable = true
  private var needsFlush = false
  private var wantsRead = false
  private var startsForward = false
  private var cancelsForward = false
  /// Whether no chunk of a response was sent since the last check.
  private var isSilent = true

  /// The most reads from a client that keeps sending after its last answer.
  private static let ignoredReadLimit = 64

  /// - Parameters:
  ///   - forwards: Whether there is an upstream.
  ///   - exchange: What is reported of a request, its reply and the status that the client got, if anything; without it,
  ///     nothing is.
  package init(
    _ configuration: ServerConfiguration, forwards: Bool,
    exchange: ((ReceivedRequest, Reply, Int?) -> ServedRequest?)?
  ) {
    (hangLimit, lastCall) = (configuration.hangLimit, configuration.lastCall)
    (self.exchange, self.forwards) = (exchange, forwards)
    input = RequestInput(configuration)
    shutdown = ConnectionShutdown(lingerLimit: configuration.lingerLimit)
  }

  // MARK: - Requests

  /// - Parameters:
  ///   - longLimit: The longest body that is held, if longer ones are passed on.
  ///   - start: The time, if exchanges are reported.
  package mutating func receive(_ head: RequestHead, longLimit: Int?, at start: NIODeadline?) {
    if let request = input.receive(head, longLimit: longLimit, at: start) { queue.append(request) }
  }

  package mutating func receive(_ bytes: ByteBuffer) {
    if let request = input.receive(bytes) { queue.append(request) }
  }

  package mutating func receiveEnd() {
    if let request = input.receiveEnd() { queue.append(request) }
  }

  /// Refuses a malformed or late request and ignores the rest of the input; `head` is the known part of its head.
  package mutating func refuse(_ refusal: Refusal, head: RequestHead? = nil) {
    switch input.phase {
    case .head, .body: queue.append(input.refuse(refusal, head: head))
    // The upstream has received a part of the body, and may have answered.
    case .longBody: close()
    case .ended: break
    }
  }

  /// All parts of one read were received.
  /// - Parameter isBetweenRequests: Whether the last bytes were the end of a request.
  package mutating func readComplete(isBetweenRequests: @autoclosure () -> Bool, now: @autoclosure () -> NIODeadline) {
    input.readComplete(isBetweenRequests: isBetweenRequests(), now: now())
    if shutdown.isLingering && input.ignoredReads > Self.ignoredReadLimit { close() }
  }

  /// The reader of a long body wants more, or has enough for now.
  package mutating func demandChanged(to wantsMore: Bool) { input.readerKeepsUp = wantsMore }

  // MARK: - The channel

  package mutating func readRequested() -> ConnectionAction? {
    if mayRead { return .read }
    wantsRead = true
    input.pause()
    return nil
  }

  package mutating func writabilityChanged(to isWritable: Bool) { self.isWritable = isWritable }

  /// The client has finished sending and may still read.
  package mutating func inputClosed() {
    input.inputClosed()
    shutdown.inputClosed()
    if current.endsWithInput { close() }
  }

  /// The server shuts down: the connection ends after its pending answers. Where none is owed, a client that keeps its
  /// connection busy has already sent the next request, so the server waits for it for a moment.
  package mutating func quiesce() {
    (shutdown.isQuiescing, isSilent) = (true, true)
    if case .hanging = current { return close() }
    timers.lastCall.start(lastCall)
  }

  /// Everything that was written is sent, or sending failed.
  package mutating func drained(_ isSent: Bool) { shutdown.drained(isSent) }

  /// Closes the connection at once, if abruptly with a TCP RST.
  package mutating func close(abruptly: Bool = false) {
    endInput()
    shutdown.close(abruptly: abruptly)
  }

  package mutating func closed() {
    if current.isForwarded {
      cancelsForward = !startsForward
      startsForward = false
    }
    if var ended = current.ended {
      ended.reply.limit?.isExceeded = limitIsExceeded
      report(ended.request, ended.reply, ended.status)
    }
    current = .free
    endInput()
    timers.stop()
    shutdown.closed()
  }

  /// Ends an idle connection. Call it `IdleWatch.checks` times within the idle timeout.
  /// - Parameter unsent: The number of bytes that the client has not received yet.
  package mutating func checkIdleness(unsent: @autoclosure () -> Int) {
    // A client that does not read its answer is idle, but not one that reads slowly.
    guard !isWritable || isIdle else { return idleWatch.reset() }
    if idleWatch.isIdle(unsent: isWritable ? 0 : unsent()) { close() }
  }

  package mutating func timerFired(_ timer: ConnectionTimer) -> ConnectionAction? {
    switch timer {
    case .input:
      if let refusal = input.timerFired(isPaused: !mayRead) { refuse(refusal) }
    case .delay:
      guard timers.delay.fire(), shutdown.isOpen else { return nil }
      if case .chunks(let request, let reply, let begun) = current {
        let terms = begun ?? terms(of: reply, to: request)
        current = .chunks(request, reply, terms)
        return .writeChunk(reply, terms)
      }
      guard case .delayed(let request, let reply) = current else { return nil }
      return write(reply, to: request).map { .write(reply, $0) }
    case .limit:
      guard timers.limit.fire() else { return nil }
      limitIsExceeded = true
      close()
    case .lastCall:
      if timers.lastCall.fire() { lastCallIsOver = true }
    case .end:
      if shutdown.timerFired() { close() }
    }
    return nil
  }

  // MARK: - Answers

  /// Takes the reply to the request of `.answer` or `.answerLong`. Returns the terms of an answer that is written now.
  package mutating func answer(_ request: ReceivedRequest, with reply: Reply) -> ResponseTerms? {
    guard case .requested = current, shutdown.isOpen else {
      // The client left while a worker computed the reply.
      report(request, reply, nil)
      return nil
    }
    guard let forward = reply.forward, forwards || !forward.needsUpstream else { return perform(reply, for: request) }
    current = .forwarded(request, reply)
    startsForward = true
    if shutdown.inputIsClosed, current.endsWithInput { close() }
    return nil
  }

  /// Takes the complete reply to a forwarded request. Returns the terms of an answer that is written now.
  package mutating func settle(with reply: Reply) -> ResponseTerms? {
    guard case .forwarded(let request, let forwarded) = current, shutdown.isOpen else { return nil }
    return perform(reply.inLane(of: forwarded), for: request)
  }

  /// Begins the response to a forwarded request, whose body follows in chunks; `nil` if the connection has ended.
  package mutating func beginStream(_ response: HTTPResponse, length: Int?, _ reply: Reply) -> ConnectionAction? {
    guard case .forwarded(let request, let forwarded) = current, shutdown.isOpen else { return nil }
    let reply = reply.inLane(of: forwarded)
    var terms = terms(of: reply, to: request)
    let omitsBody = reply.omitsBody || terms.isHead
    let framing = Framing(of: response, length: length, omitsBody: omitsBody, isLegacy: terms.isLegacy)
    if framing == .close { terms.closes = true }
    current = .streamed(request, reply, BodyStream(framing, terms, of: forwarded))
    needsFlush = true
    return .writeHead(response, length: length, framing, terms)
  }

  /// The framing of the next chunk of a response; `nil` if the connection has ended.
  package mutating func nextChunk() -> Framing? {
    guard case .streamed(_, _, let body) = current, shutdown.isOpen else { return nil }
    (needsFlush, isSilent) = (true, false)
    return body.framing
  }

  package mutating func endStream() -> ConnectionAction? {
    guard case .streamed(let request, let reply, let body) = current, shutdown.isOpen else { return nil }
    endExchange(request, reply, status: reply.status, closes: body.closes)
    return .writeEnd(body.framing)
  }

  /// Closes the connection within an answer, so that the client does not take the answer for complete.
  package mutating func breakStream(because reason: String) {
    guard case .streamed(let request, var reply, _) = current, shutdown.isOpen else { return }
    reply.source.breakOff = reason
    endExchange(request, reply, status: reply.status, closes: false)
    close()
  }

  /// Ends a response that has no end of its own. Call it again and again while the server shuts down.
  package mutating func endEndless() {
    if current.isEndless(isSilent: isSilent) {
      breakStream(because: "the mock stopped")
      cancelsForward = true
    }
    isSilent = true
  }

  /// A chunk of a response was written. The next chunk follows after a pause; without a pause, the response ends.
  package mutating func chunkWritten(next pause: Duration?, end: Fault.Ending?) {
    guard case .chunks(let request, let reply, let terms?) = current, shutdown.isOpen else { return }
    needsFlush = true
    if let pause { return timers.delay.start(pause) }
    if end == .hang { return _ = hang(request, reply) }
    endExchange(request, reply, status: reply.sentStatus, closes: end == .close || end == nil && terms.closes)
    if end == .reset { finish(lingers: false, abruptly: true) }
  }

  private mutating func perform(_ reply: Reply, for request: ReceivedRequest) -> ResponseTerms? {
    if let limit = reply.limit { timers.limit.start(limit.duration) }
    guard reply.delay > .zero else { return write(reply, to: request) }
    timers.delay.start(reply.delay)
    current = .delayed(request, reply)
    return nil
  }

  private mutating func write(_ reply: Reply, to request: ReceivedRequest) -> ResponseTerms? {
    guard let fault = reply.fault else {
      var terms = terms(of: reply, to: request)
      if reply.breaksFraming && !(reply.omitsBody || terms.isHead) { terms.closes = true }
      endExchange(request, reply, status: reply.status, closes: terms.closes)
      return terms
    }
    if let end = reply.endWithoutResponse {
      if end == .hang { return hang(request, reply) }
      endExchange(request, reply, status: nil, closes: false)
      close(abruptly: end == .reset)
    } else if reply.isSentInChunks {
      current = .chunks(request, reply, nil)
      timers.delay.start(.zero)
    } else {
      let terms = terms(of: reply, to: request)
      endExchange(request, reply, status: reply.sentStatus, closes: terms.closes || fault.endsConnection)
      return terms
    }
    return nil
  }

  /// Leaves the client without an answer, or without the rest of one.
  private mutating func hang(_ request: ReceivedRequest, _ reply: Reply) -> ResponseTerms? {
    current = .hanging(request, reply)
    endInput()
    if shutdown.inputIsClosed || shutdown.isQuiescing {
      close()
    } else if let hangLimit {
      shutdown.close(after: hangLimit)
    }
    return nil
  }

  private mutating func endExchange(_ request: ReceivedRequest, _ reply: Reply, status: Int?, closes: Bool) {
    current = .free
    timers.limit.stop()
    needsFlush = true
    idleWatch.countAnswer()
    report(request, reply, status)
    if closes { finish(lingers: true) }
  }

  private mutating func terms(of reply: Reply, to request: ReceivedRequest) -> ResponseTerms {
    var terms = request.head?.terms ?? ResponseTerms()
    if reply.isSameOrigin { terms.origin = nil }
    // After an early answer the rest of a long body is not needed.
    if request.refusal != nil || input.phase == .longBody { terms.closes = true }
    if shutdown.isQuiescing && queue.isEmpty {
      terms.closes = true
      if input.phase != .longBody { input.end() }
    }
    return terms
  }

  private mutating func report(_ request: ReceivedRequest, _ reply: Reply, _ status: Int?) {
    if let ended = exchange?(request, reply, status) { report = .report(ended) }
  }

  // MARK: - The end

  private mutating func endInput() {
    input.end()
    queue.removeAll()
  }

  private mutating func finish(lingers: Bool, abruptly: Bool = false) {
    endInput()
    shutdown.finish(lingers: lingers, abruptly: abruptly)
  }

  // MARK: - Actions

  /// The next action; `nil` until the next event. Answers to the requests of one read are flushed together.
  package mutating func nextAction() -> ConnectionAction? {
    if report != nil || startsForward || cancelsForward, let action = nextNotice() { return action }
    if let action = input.nextAction() { return action }
    if let action = timers.nextAction() { return action }
    if shutdown.inputIsClosed || lastCallIsOver, shutdown.isOpen, owesNothing, input.phase != .ended {
      finish(lingers: !shutdown.isQuiescing)
    }
    if let action = shutdown.nextAction() { return action }
    if current.isFree && isWritable, let action = nextAnswer() { return action }
    if needsFlush && !input.isReading && shutdown.isOpen {
      needsFlush = false
      return .flush
    }
    if wantsRead && mayRead {
      wantsRead = false
      return .read
    }
    return nil
  }

  private mutating func nextNotice() -> ConnectionAction? {
    if let report = report.take() { return report }
    if startsForward {
      startsForward = false
      guard case .forwarded(let request, let reply) = current, let forward = reply.forward else { return nil }
      return .forward(forward, request)
    }
    cancelsForward = false
    return .cancelForward
  }

  private mutating func nextAnswer() -> ConnectionAction? {
    if let request = queue.popFirst() {
      current = .requested
      return .answer(request)
    }
    if let request = input.takeLong() {
      current = .requested
      return .answerLong(request)
    }
    guard input.owesContinue else { return nil }
    input.owesContinue = false
    return .writeContinue
  }

  private var owesNothing: Bool { current.isFree && queue.isEmpty }

  /// Whether the client has neither begun a request nor is owed an answer.
  package var isIdle: Bool { owesNothing && input.phase == .head && !input.awaitsInput }

  /// Ignored input is read as well, to notice the end of the connection.
  private var mayRead: Bool {
    switch input.phase {
    case .head, .body: owesNothing && isWritable
    case .longBody: input.readerKeepsUp
    case .ended: !shutdown.isClosed
    }
  }
}

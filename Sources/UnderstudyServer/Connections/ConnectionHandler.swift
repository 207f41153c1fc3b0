import NIOCore
import NIOHTTP1
import UnderstudyMock

/// Connects a `ConnectionState` to the channel of a connection, or of a stream: passes on events, and performs actions.
///
/// The responder is called on the event loop, or on a worker if its reply takes long. The channel reads only when the
/// handler asks for it (`autoRead` is off).
final class ConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart

  private let configuration: ServerConfiguration
  let loop: LoopState
  private let workers: ReplyWorkers
  let forwarding: Forwarding
  private let observer: ExchangeObserver?
  let heads: RequestHeadReader
  /// The last bytes of a connection; `nil` on a stream, whose frames have the end of each part.
  private let tail: InputTail?
  private let output: any ResponseOutput

  // Unchecked, and safe: only the event loop uses them, and nothing that happens in a state reaches the handler.
  @exclusivity(unchecked) private var state: ConnectionState
  @exclusivity(unchecked) private var isRunning = false
  private var timers: [ConnectionTimer: Scheduled<Void>] = [:]
  /// The body of the current request, if it is too long to be held.
  private var longBody: IncomingBody?
  private var forward: Task<Void, Never>?
  /// The exchange, while its response is late or is sent on while it arrives.
  private var stream: OpenStream?
  private var plan: TransmissionPlan?
  /// Called if the client leaves a request that a socket answers later.
  var whenLeft: (() -> Void)?
  /// Whether the client sends no more, which a handler that takes the connection over has to know.
  private(set) var isInputClosed = false
  /// The order of the last request among those of the loop.
  @exclusivity(unchecked) private(set) var lastUse: UInt64 = 0

  init(
    loop: LoopState, configuration: ServerConfiguration, tail: InputTail?, workers: ReplyWorkers,
    forwarding: Forwarding, heads: RequestHeadReader, output: any ResponseOutput
  ) {
    self.configuration = configuration
    self.loop = loop
    self.workers = workers
    self.forwarding = forwarding
    observer = loop.observer
    self.tail = tail
    self.heads = heads
    self.output = output
    state = ConnectionState(
      configuration, forwards: forwarding.hasUpstream,
      exchange: observer.map { observer in
        { observer.isObserved($1) ? Self.exchange($0, $1, $2, loop) : nil }
      })
  }

  var pipeline: ConnectionPipeline {
    ConnectionPipeline(
      loop: loop, configuration: configuration, workers: workers, forwarding: forwarding)
  }

  // MARK: - Events

  func handlerAdded(context: ChannelHandlerContext) {
    lastUse = loop.nextUse()
    loop.opened(context.channel, self)
  }

  func handlerRemoved(context: ChannelHandlerContext) { loop.closed(context.channel) }

  func channelActive(context: ChannelHandlerContext) {
    // Accepted during shutdown, before any request was read.
    if loop.isQuiescing {
      state.quiesce()
      run(context)
    }
    requestRead(context)
  }

  /// Whether the client has neither begun a request nor is owed an answer.
  var isIdle: Bool { state.isIdle }

  func channelInactive(context: ChannelHandlerContext) {
    retire()
    state.closed()
    run(context)
  }

  /// Ends what outlives no connection, also before a WebSocket takes it over.
  func retire() { whenLeft.take()?() }

  /// The actions wait for the end of the read, which answers all of its requests together.
  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      let read = heads.read(head, tail?.headWasDecoded())
      tail?.headWasRead(length: read.isChunked ? nil : read.contentLength ?? 0)
      lastUse = loop.nextUse()
      let start = observer == nil ? nil : context.eventLoop.now
      state.receive(read, longLimit: loop.responder.longLimit, at: start)
    case .body(let bytes):
      tail?.bodyWasDecoded(bytes)
      state.receive(bytes)
    case .end:
      tail?.requestWasDecoded()
      state.receiveEnd()
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    state.readComplete(isBetweenRequests: tail?.isBetweenRequests ?? true, now: context.eventLoop.now)
    run(context)
    requestRead(context)
  }

  private func requestRead(_ context: ChannelHandlerContext) {
    if let action = state.readRequested() { perform(action, context) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    state.writabilityChanged(to: context.channel.isWritable)
    run(context)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case let secured as ConnectionSecured: heads.peer.secured(secured)
    case let multiplexed as ConnectionMultiplexed: return multiplex(multiplexed, context)
    case is QuiesceEvent: state.quiesce()
    case is EndIdleEvent: if state.isIdle { state.close() }
    case is EndEndlessEvent: state.endEndless()
    case is IdleCheckEvent:
      state.checkIdleness(unsent: output.unsentBytes(in: context))
    case ChannelEvent.inputClosed:
      isInputClosed = true
      whenLeft.take()?()
      state.inputClosed()
    default: return context.fireUserInboundEventTriggered(event)
    }
    run(context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case HTTPParserError.invalidMethod where tail?.beginsHandshake == false:
      let line = tail?.unknownRequestLine
      state.refuse(line == nil ? .method : .unknownMethod, head: line?.head)
    case let error as HTTPParserError: state.refuse(tail?.beginsHandshake == true ? .handshake : Refusal(error))
    // An error of the parser comes as well.
    case is ByteToMessageDecoderError: return
    default: state.close()
    }
    run(context)
  }

  // MARK: - Actions

  /// Performs an action and those that follow it. An event that an action causes is handled after the action.
  func run(_ context: ChannelHandlerContext, first: ConnectionAction? = nil) {
    if let first { perform(first, context) }
    guard !isRunning else { return }
    isRunning = true
    while let action = state.nextAction() { perform(action, context) }
    isRunning = false
  }

  private func perform(_ action: ConnectionAction, _ context: ChannelHandlerContext) {
    switch action {
    case .answer(let request): answer(request, context)
    case .answerLong(let request):
      longBody = IncomingBody(length: request.head?.contentLength, context.eventLoop) { [self] in
        demand(true, context)
      }
      answer(request, context)
    case .forward(let forward, let request): self.forward(forward, request, context)
    case .cancelForward: forward?.cancel()
    case .pass(let bytes): if let longBody { state.demandChanged(to: longBody.offer(bytes)) }
    case .endBody(let isComplete):
      longBody?.finish(isComplete: isComplete)
      longBody = nil
    case .write(let reply, let terms): output.write(reply, terms, to: context)
    case .writeChunk(let reply, let terms): writeChunk(reply, terms, context)
    case .writeHead(let response, let length, let framing, let terms):
      output.begin(response, length: length, framing, terms, to: context)
    case .writeEnd(let framing): output.end(framing, to: context)
    case .writeContinue:
      output.writeContinue(to: context)
      context.flush()
    case .flush: context.flush()
    case .read: context.read()
    case .report(let exchange): report(exchange)
    case .start(let timer, let delay): start(timer, delay, context)
    case .stop(let timer): timers.removeValue(forKey: timer)?.cancel()
    case .drain: drain(context)
    case .closeOutput: context.close(mode: .output, promise: nil)
    case .close, .reset:
      context.flush()
      if case .reset = action {
        context.channel.resetOnClose()
        context.triggerUserOutboundEvent(AbruptClose(), promise: nil)
      }
      context.close(promise: nil)
    }
  }

  private func answer(_ request: ReceivedRequest, _ context: ChannelHandlerContext) {
    loop.countRequest()
    if let sockets = loop.responder.sockets, serve(request, sockets, context) { return }
    guard let head = loop.responder.head(of: request) else {
      // Meanwhile the responder may have been replaced by one that accepts no long bodies.
      let refusal = request.refusal ?? (request.isLong ? .bodyTooLarge : .malformed)
      return answer(request, with: refusal.reply(configuration, to: request.head), context)
    }
    // A coded body may be a thousand times as long when it is decoded.
    let isCoded = !request.body.isEmpty && head.isCoded
    let attempt = workers.quick(isCoded ? .max : request.body.count) {
      loop.responder.reply(to: head, request, within: $0)
    }
    guard case .later(let waits) = attempt else {
      if case .found(let reply) = attempt { answer(request, with: reply, context) }
      return
    }
    let connection = NIOLoopBound((handler: self, context, request), eventLoop: context.eventLoop)
    let responder = loop.responder
    workers.slow(waits: waits, { responder.reply(to: head, request, within: $0) }) { reply in
      connection.eventLoop.execute {
        let (handler, context, request) = connection.value
        handler.answer(request, with: reply, context)
        handler.run(context)
      }
    }
  }

  func answer(_ request: ReceivedRequest, with reply: Reply, _ context: ChannelHandlerContext) {
    if let turn = reply.sockets { return answer(request, with: reply, turn, loop.responder.sockets, context) }
    if let terms = state.answer(request, with: reply) {
      output.write(reply, terms, to: context)
    } else {
      noteLateness()
    }
  }

  /// Notes the exchange if its response is late.
  private func noteLateness() {
    guard stream == nil, let observer, let (request, reply, status) = state.current.ended, status == nil,
      reply.lateness != nil, observer.isObserved(reply)
    else { return }
    stream = observer.open(Self.exchange(request, reply, nil, loop))
  }

  private func writeChunk(_ reply: Reply, _ terms: ResponseTerms, _ context: ChannelHandlerContext) {
    var rest = plan.take() ?? output.renderer.plan(of: reply, terms)
    let (chunk, pause) = rest.next()
    output.write(ByteBuffer(bytes: chunk), to: context, nil)
    plan = pause == nil ? nil : rest
    state.chunkWritten(next: pause, end: rest.end)
  }

  private func start(_ timer: ConnectionTimer, _ delay: Duration, _ context: ChannelHandlerContext) {
    let task = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [self] in
      run(context, first: state.timerFired(timer))
    }
    timers.updateValue(task, forKey: timer)?.cancel()
  }

  private func drain(_ context: ChannelHandlerContext) {
    let sent = context.eventLoop.makePromise(of: Void.self)
    output.write(ByteBuffer(), to: context, sent)
    context.flush()
    sent.futureResult.assumeIsolated().whenComplete { [self] result in
      state.drained((try? result.get()) != nil)
      run(context)
    }
  }

  private static func exchange(
    _ request: ReceivedRequest, _ reply: Reply, _ status: Int?, _ loop: LoopState
  ) -> ServedRequest {
    let end = NIODeadline.now()
    let start = request.start ?? end
    return ServedRequest(
      startedAt: loop.time(of: start), microseconds: Int((end - start).nanoseconds / 1_000),
      request: request.head?.shared, body: request.isLong ? nil : request.body, reply: reply, status: status)
  }

  /// Makes records of the socket that a request opens, by the status of the handshake; `nil` if nothing is observed.
  func socketRecords(
    of request: ReceivedRequest, _ place: SocketService.Place, status: HTTPResponse.Status
  ) -> SocketRecord.Maker {
    let response = HTTPResponse(status: status)
    guard let (handshake, sinks) = handshake(request, response) else { return { _ in nil } }
    return { SocketRecord($0, place.description, lane: place.laneName, handshake, sinks) }
  }

  /// The record of a socket that is relayed to the upstream; `nil` if nothing is observed.
  func relayRecord(
    of request: ReceivedRequest, _ relay: SocketRelay, _ response: HTTPResponse, lane: String?
  ) -> SocketRecord? {
    handshake(request, response).map { handshake, sinks in
      SocketRecord(
        SocketRelay.newID(), relay.description, lane: lane, handshake, isRelayed: true, isRecorded: relay.isRecorded,
        sinks)
    }
  }

  private func handshake(
    _ request: ReceivedRequest, _ response: HTTPResponse
  ) -> (ServedRequest, SocketRecord.Sinks)? {
    guard let observer else { return nil }
    let number = loop.number
    let reply = Reply(.made(response, body: []), source: ReplySource(.plain(response.status.code)))
    let sinks = SocketRecord.Sinks(
      open: observer.open, message: { observer.message($0, $1, number) }, report: { observer.report($0, number) })
    return (Self.exchange(request, reply, response.status.code, loop), sinks)
  }

  private func report(_ ended: ServedRequest) {
    guard let observer else { return }
    // Held until the exchange is reported, so that it is never in neither list.
    let stream = stream.take()
    let exchange = stream.map { ended.with(messages: $0.messages, openNumber: $0.number) } ?? ended
    guard ended.reply.changesAtEnd else {
      return withExtendedLifetime(stream) { observer.report(exchange, loop.number) }
    }
    let compute: @Sendable (WorkBudget) -> Reply? = { [reply = ended.reply] budget in
      var reply = reply
      return reply.end(within: budget) ? reply : nil
    }
    let report: @Sendable (Reply) -> Void = { [number = loop.number] reply in
      withExtendedLifetime(stream) { observer.report(exchange.with(reply: reply), number) }
    }
    switch workers.quick(0, compute) {
    case .found(let reply): report(reply)
    case .later(let waits): workers.slow(waits: waits, compute, then: report)
    }
  }

  // MARK: - Forwarding

  private func demand(_ wantsMore: Bool, _ context: ChannelHandlerContext) {
    state.demandChanged(to: wantsMore)
    run(context)
  }

  /// Sends the request to the upstream in a task, which calls back through a `ForwardedResponseWriter`.
  private func forward(_ forward: Forward, _ request: ReceivedRequest, _ context: ChannelHandlerContext) {
    let body = longBody?.body ?? Body(request.body)
    let response = ForwardedResponseWriter(self, context)
    self.forward = forwarding.run(on: context.eventLoop) { [workers] transport in
      await response.write(await forward.reply(by: transport, body: body) { await workers.reply($0, $1) })
    }
  }

  func settle(with reply: Reply, _ context: ChannelHandlerContext) {
    if let terms = state.settle(with: reply) { output.write(reply, terms, to: context) } else { noteLateness() }
    run(context)
  }

  /// Returns the framing of the chunks; `nil` if the connection has ended.
  func begin(_ response: HTTPResponse, length: Int?, _ reply: Reply, _ context: ChannelHandlerContext) -> Framing? {
    guard let action = state.beginStream(response, length: length, reply) else { return nil }
    run(context, first: action)
    guard case .writeHead(_, _, let framing, _) = action else { return nil }
    if framing != .none, let observer, let (request, reply) = state.current.streamed, observer.isObserved(reply) {
      let exchange = Self.exchange(request, reply, reply.status, loop)
      if let stream { stream.begin(exchange) } else { stream = observer.open(exchange) }
    }
    return framing
  }

  func send(_ chunk: [UInt8], _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
    guard let framing = state.nextChunk() else { return context.eventLoop.makeFailedFuture(CancellationError()) }
    stream?.append(chunk)
    let sent = context.eventLoop.makePromise(of: Void.self)
    output.write(chunk, framing, to: context, sent)
    run(context)
    return sent.futureResult
  }

  func end(_ context: ChannelHandlerContext) { run(context, first: state.endStream()) }

  func breakOff(because reason: String, _ context: ChannelHandlerContext) {
    state.breakStream(because: reason)
    run(context)
  }
}

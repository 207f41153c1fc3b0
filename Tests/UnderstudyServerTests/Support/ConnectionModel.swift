import HTTPTypes
import NIOCore
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

/// A `ConnectionState` with an owner on paper, who carries out actions, logs them, and notes every broken rule.
///
/// Requests are numbered from 0 by their paths; the reason of a reply is the number of its request.
struct ConnectionModel {
  enum Event: Hashable, Sendable {
    case get(Answer), getAndClose, legacyGet(Answer), post, postExpecting, postTooLong, body, longBody, end, malformed
    case readComplete, readRequested, writable(Bool), inputClosed, quiesce, fire(ConnectionTimer), idle
    case compute, settle, settleLater, begin, beginEvents, piece, endStream, breakStream, demand(Bool), drained(Bool),
      closed
    case endEndless
  }

  /// What the responder does with a request.
  enum Answer: Hashable, Sendable {
    case plain, later, forward, hang, close, reset, truncate, drip, slow, resetLate, hangLate, closeLate, watched
    case waiting
  }

  private enum Decoder { case betweenRequests, body, stopped }
  private enum Upstream { case none, requested, streaming, ended }

  private var state: ConnectionState
  private(set) var log: [String] = []
  private(set) var events: [Event] = []
  private(set) var violations: [String] = []
  var now = NIODeadline.uptimeNanoseconds(0)

  private var answers: [Answer] = []
  private var decoder = Decoder.betweenRequests
  private var upstream = Upstream.none
  private var timers: Set<ConnectionTimer> = []
  /// The request that is being answered.
  private var current: Int?
  /// The request whose reply a worker computes.
  private var computing: ReceivedRequest?
  private var lastAsked = -1
  private var answered: Set<Int> = []
  private var reports: [Int: Int] = [:]
  private var maySendContinue = false
  private var longBodyIsOpen = false
  private var readerKeepsUp = true
  private var readIsRequested = false
  private var isReading = false
  private var isWritable = true
  private var inputIsClosed = false
  private var isQuiescing = false
  /// No further request may be taken.
  private var takesNoMore = false
  /// The first piece of an answer with pauses was written.
  private var isDripping = false
  private var isDraining = false
  private var isFinished = false
  private var isClosed = false

  init(configure: (inout ServerConfiguration) -> Void = { _ in }) {
    var configuration = ServerConfiguration()
    configuration.maximumBodyBytes = 4
    configuration.hangLimit = .seconds(5)
    configure(&configuration)
    state = ConnectionState(configuration, forwards: true) { request, reply, status in
      ServedRequest(
        startedAt: 0, microseconds: 0, request: request.head?.shared, body: request.body, reply: reply, status: status)
    }
  }

  // MARK: - Events

  static let allEvents: [Event] =
    [Answer.plain, .later, .watched, .forward, .waiting, .hang, .close, .truncate, .drip, .slow].map(Event.get) + [
      .compute,
      .legacyGet(.forward), .getAndClose, .post, .postExpecting, .postTooLong, .body, .longBody, .end, .malformed,
      .readComplete,
      .readRequested, .writable(false), .writable(true), .inputClosed, .quiesce, .idle, .settle, .settleLater, .begin,
      .beginEvents, .endEndless, .piece, .endStream, .breakStream, .demand(false), .demand(true), .drained(true),
      .drained(false), .closed,
    ] + ConnectionTimer.allCases.map(Event.fire)

  /// Whether a channel could cause the event now.
  func isPossible(_ event: Event) -> Bool {
    switch event {
    case .compute: return computing != nil
    case .settle, .settleLater, .begin, .beginEvents: return upstream == .requested
    case .piece, .endStream, .breakStream: return upstream == .streaming
    case .fire(let timer): return timers.contains(timer)
    default: if isClosed { return false }
    }
    return switch event {
    case .get, .getAndClose, .legacyGet, .post, .postExpecting, .postTooLong:
      isReading && decoder == .betweenRequests && !inputIsClosed
    case .body, .longBody, .end: isReading && decoder == .body
    case .malformed: decoder != .stopped && !inputIsClosed
    case .readComplete: isReading
    case .readRequested: !isReading && !readIsRequested
    case .writable(let isWritable): isWritable != self.isWritable
    case .inputClosed: !inputIsClosed && decoder != .body
    case .quiesce: !isQuiescing
    case .endEndless: isQuiescing
    case .demand(let wantsMore): longBodyIsOpen && wantsMore != readerKeepsUp
    case .drained: isDraining
    default: true
    }
  }

  mutating func receive(_ events: Event...) { for event in events { receive(event) } }

  mutating func receive(_ event: Event) {
    events.append(event)
    let action = handle(event)
    if isClosed && event != .closed { check(action == nil, "an action after the end") }
    if let action { perform(action) }
    while let action = state.nextAction() { perform(action) }
  }

  private mutating func handle(_ event: Event) -> ConnectionAction? {
    switch event {
    case .get(let answer): head(answer, ResponseTerms()); return handle(.end)
    case .legacyGet(let answer): head(answer, ResponseTerms(isLegacy: true)); return handle(.end)
    case .getAndClose: head(.plain, ResponseTerms(closes: true)); return handle(.end)
    case .post: head(.forward, ResponseTerms(), contentLength: 8)
    case .postExpecting: head(.plain, ResponseTerms(), contentLength: 2, expectsContinue: true)
    case .postTooLong:
      takesNoMore = true
      head(.plain, ResponseTerms(), contentLength: 1000, longLimit: nil)
    case .body: body("ab")
    case .longBody: body("abcdefgh")
    case .end:
      decoder = .betweenRequests
      maySendContinue = false
      state.receiveEnd()
    case .malformed:
      decoder = .stopped
      takesNoMore = true
      state.refuse(.malformed)
    case .readComplete:
      isReading = false
      state.readComplete(isBetweenRequests: decoder == .betweenRequests, now: now)
    case .readRequested:
      readIsRequested = true
      return state.readRequested()
    case .writable(let isWritable):
      self.isWritable = isWritable
      state.writabilityChanged(to: isWritable)
    case .inputClosed:
      inputIsClosed = true
      takesNoMore = true
      state.inputClosed()
    case .quiesce:
      isQuiescing = true
      state.quiesce()
    case .endEndless: state.endEndless()
    case .fire(let timer):
      timers.remove(timer)
      return state.timerFired(timer)
    case .idle: for _ in 0..<5 { state.checkIdleness(unsent: 1) }
    case .compute:
      guard let request = computing.take() else { return nil }
      answer(request, with: reply(.plain, to: number(of: request)))
    case .settle, .settleLater:
      upstream = .ended
      let reply = reply(event == .settle ? .plain : .later, to: current ?? 0)
      if let terms = state.settle(with: reply) { write(reply, terms) }
    case .begin, .beginEvents:
      let head = HTTPResponse(
        status: .ok, headerFields: event == .begin ? [:] : [.contentType: "text/event-stream"])
      var reply = reply(.plain, to: current ?? 0)
      reply.content = .streamed(head, Body([]))
      let action = state.beginStream(head, length: nil, reply)
      upstream = action == nil ? .ended : .streaming
      return action
    case .piece:
      let framing = state.nextChunk()
      check((framing == nil) == (isClosed || isFinished), "a piece is written or not")
      if framing == nil { upstream = .ended }
    case .endStream:
      upstream = .ended
      return state.endStream()
    case .breakStream:
      upstream = .ended
      state.breakStream(because: "test")
    case .demand(let wantsMore):
      readerKeepsUp = wantsMore
      state.demandChanged(to: wantsMore)
    case .drained(let isSent):
      isDraining = false
      state.drained(isSent)
    case .closed: close()
    }
    return nil
  }

  private mutating func head(
    _ answer: Answer, _ terms: ResponseTerms, contentLength: Int? = nil, expectsContinue: Bool = false,
    longLimit: Int? = 4
  ) {
    let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/\(answers.count)")
    answers.append(answer)
    decoder = .body
    maySendContinue = expectsContinue
    if terms.closes { takesNoMore = true }
    let head = RequestHead(request, terms: terms, contentLength: contentLength, expectsContinue: expectsContinue)
    state.receive(head, longLimit: longLimit, at: now)
  }

  private mutating func body(_ text: String) {
    maySendContinue = false
    state.receive(ByteBuffer(string: text))
  }

  private mutating func close() {
    isClosed = true
    state.closed()
  }

  // MARK: - Actions

  private mutating func perform(_ action: ConnectionAction) {
    switch action {
    case .report, .stop, .endBody, .cancelForward: break
    default: check(!isClosed, "an action after the end")
    }
    switch action {
    case .answer(let request): answer(request)
    case .answerLong(let request):
      longBodyIsOpen = true
      readerKeepsUp = true
      answer(request)
    case .forward: upstream = .requested
    case .cancelForward: log.append("cancel")
    case .pass(let bytes):
      check(longBodyIsOpen, "a piece of no body")
      log.append("pass \(bytes.count)")
    case .endBody(let isComplete):
      check(longBodyIsOpen, "the end of no body")
      longBodyIsOpen = false
      log.append(isComplete ? "end body" : "fail body")
    case .write(let reply, let terms): write(reply, terms)
    case .writeChunk(let reply, let terms): writeChunk(reply, terms)
    case .writeHead(_, _, let framing, let terms): begin(current ?? -1, terms, " \(framing)")
    case .writeEnd:
      current = nil
      log.append("end")
    case .writeContinue:
      check(maySendContinue && current == nil, "100 Continue that the client does not wait for")
      maySendContinue = false
      log.append("continue")
    case .flush: log.append("flush")
    case .read:
      check(readIsRequested, "a read that was not requested")
      check(current == nil || takesNoMore || isFinished || (longBodyIsOpen && readerKeepsUp), "a read that is held")
      readIsRequested = false
      isReading = true
      log.append("read")
    case .report(let exchange):
      let number = number(of: exchange.request)
      reports[number, default: 0] += 1
      log.append("report \(number) \(exchange.status.map(String.init) ?? "-")")
    case .start(let timer, let delay):
      timers.insert(timer)
      log.append("start \(timer) \(delay)")
    case .stop(let timer):
      timers.remove(timer)
      log.append("stop \(timer)")
    case .drain:
      check(!isFinished, "a second end")
      (isDraining, isFinished) = (true, true)
      log.append("drain")
    case .closeOutput:
      check(isFinished && !isDraining, "an output closed before it is sent")
      log.append("close output")
    case .close, .reset:
      if case .reset = action { log.append("reset") } else { log.append("close") }
      close()
    }
  }

  private mutating func answer(_ request: ReceivedRequest) {
    let number = number(of: request)
    log.append("answer \(number)\(request.refusal.map { " \($0)" } ?? "")\(request.isLong ? " long" : "")")
    check(current == nil && !isFinished, "two answers at once")
    // A refusal without a head is the last of all requests.
    check(number > lastAsked, "an answer out of order")
    lastAsked = number
    current = number
    let answer = request.refusal == nil ? answers[number] : .plain
    if answer == .hang { takesNoMore = true }
    guard answer != .slow else {
      computing = request
      return
    }
    self.answer(request, with: reply(answer, to: number))
  }

  private mutating func answer(_ request: ReceivedRequest, with reply: Reply) {
    if let terms = state.answer(request, with: reply) { write(reply, terms) }
  }

  private mutating func write(_ reply: Reply, _ terms: ResponseTerms) {
    check(!isClosed, "an answer after the end")
    begin(Int(reply.reason) ?? -1, terms, "")
    current = nil
  }

  /// An answer in two pieces.
  private mutating func writeChunk(_ reply: Reply, _ terms: ResponseTerms) {
    check(!isClosed, "a piece after the end")
    isDripping.toggle()
    if isDripping {
      begin(Int(reply.reason) ?? -1, terms, " in pieces")
    } else {
      current = nil
      log.append("last piece")
    }
    state.chunkWritten(next: isDripping ? .milliseconds(100) : nil, end: end(of: reply))
  }

  private func end(of reply: Reply) -> Fault.Ending? {
    TransmissionPlan(head: Array("head".utf8), body: Array("body".utf8), reply.fault).end
  }

  /// The beginning of an answer.
  private mutating func begin(_ number: Int, _ terms: ResponseTerms, _ framing: String) {
    check(number == current && answered.insert(number).inserted && !isFinished, "an answer to nothing")
    if terms.closes { takesNoMore = true }
    log.append("write \(number)\(framing)\(terms.closes ? " and close" : "")")
  }

  private func reply(_ answer: Answer, to number: Int) -> Reply {
    var reply = Reply(.made(HTTPResponse(status: .ok), body: []), reason: "\(number)")
    switch answer {
    case .plain, .slow: break
    case .later: reply.delay = .seconds(1)
    case .watched:
      reply.delay = .seconds(1)
      reply.watched = 1
    case .forward, .waiting:
      let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
      reply.forward = Forward(request: request, waitsForEvents: answer == .waiting) {
        Reply(.made(HTTPResponse(status: .ok), body: []), reason: "")
      }
    case .hang: reply.fault = .hang
    case .close: reply.fault = .close
    case .reset: reply.fault = .reset
    case .truncate: reply.fault = .truncate
    case .drip: reply.fault = .drip
    case .resetLate: reply.fault = .reset(at: .body)
    case .hangLate: reply.fault = .hang(at: .body)
    case .closeLate: reply.fault = .close(at: .body).and(.drip)
    }
    return reply
  }

  private func number(of request: ReceivedRequest) -> Int { number(of: request.head?.request) }

  private func number(of request: HTTPRequest?) -> Int {
    request.flatMap { Int($0.path?.dropFirst() ?? "") } ?? answers.count
  }

  // MARK: - Rules

  private mutating func check(_ holds: Bool, _ violation: String) {
    if !holds { violations.append(violation) }
  }

  /// Closes the connection, and checks what must hold then.
  mutating func end() {
    if !isClosed { receive(.closed) }
    if computing != nil { receive(.compute) }
    check(state.nextAction() == nil, "an action after the last")
    check(timers.isEmpty, "timers that run on: \(timers)")
    check(!longBodyIsOpen, "a body without an end")
    check((0..<lastAsked + 1).allSatisfy { reports[$0] == 1 }, "reports: \(reports)")
  }

  /// The log since the last call.
  mutating func newLog() -> [String] {
    defer { log = [] }
    return log
  }
}

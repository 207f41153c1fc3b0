import HTTPTypes
import NIOCore
import SourceText
import Understudy

/// Answers, one after the other.
extension Connection {
  func answer(_ request: Request, _ context: ChannelHandlerContext) {
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

  func sendOwedContinue(_ context: ChannelHandlerContext) {
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
}

import NIOCore
import NIOHTTP1
import Understudy

/// One client's connection: takes requests from the decoder, has them answered in order, and ends in an orderly way.
///
/// The responder is called here, on the event loop. A request that comes while an earlier answer is still to be written
/// (it is delayed, or the client does not read) waits in `queue`, and nothing more is read until it was answered.
///
/// What comes is taken in `Connection+input.swift`, answered in `Connection+output.swift` and `Connection+forward.swift`,
/// and ends in `Connection+end.swift`; here are the state that they share, and the turns.
final class Connection: ChannelInboundHandler, ChannelOutboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  let configuration: HTTPServer.Configuration
  let loop: LoopState
  let writer: ReplyWriter
  let forwarding: Forwarding?
  let observer: (@Sendable (Exchange) -> Void)?
  let heads: RequestHeadReader
  let tail: InputTail

  /// What the next bytes from the client belong to.
  var input = Input.head
  /// The request whose body is arriving.
  var incoming: Request?
  /// The rest of a body that is too long to be held, on its way to the upstream.
  var passing: IncomingBody?
  var endsAfterPassing = false
  /// How fast the body comes; nil while it has not taken more than one read.
  var bodyPace: BodyPace?
  var queue = CircularBuffer<Request>(initialCapacity: 1)
  /// Kept beside the queue, since it is asked for so often.
  var queueIsEmpty = true
  /// The request whose answer is delayed, or never comes, or comes from the upstream.
  var delayed: (request: Request, reply: Reply)?
  /// What waits for the upstream, or passes its answer on.
  var forwarded: Task<Void, Never>?
  var isDelayed = false
  var owesContinue = false
  /// Counts the requests that were answered, so that an idle connection can be told from a busy one.
  var answered: UInt64 = 0

  var isWritable = true
  var holdsRead = false
  var needsFlush = false
  var isAdvancing = false
  /// Whether the bytes read last completed a head or a piece of a body.
  var sawPart = false
  var isQuiescing = false
  var inputIsClosed = false
  let timers = ConnectionTimers()
  var ignoredReads = 0
  /// Only if there is an observer to tell.
  var remoteAddress: SocketAddress?

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
  var isFree: Bool { !isDelayed && isWritable }

  /// Nothing is under way in either direction.
  var isIdle: Bool { !isDelayed && queueIsEmpty && input == .head && !timers.awaitsInput }

  func handlerAdded(context: ChannelHandlerContext) {
    loop.opened(context.channel)
    if observer != nil { remoteAddress = context.remoteAddress }
  }

  func handlerRemoved(context: ChannelHandlerContext) { loop.closed(context.channel) }

  // MARK: Turns

  func enqueue(_ request: Request, _ context: ChannelHandlerContext) {
    if isFree && queueIsEmpty {
      answer(request, context)
    } else {
      queue.append(request)
      queueIsEmpty = false
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

  func flushIfNeeded(_ context: ChannelHandlerContext) {
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

  func resume(_ context: ChannelHandlerContext) {
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
}

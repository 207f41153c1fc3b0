import UnderstudySystem

/// An exchange that has not ended: its response is late or is sent on while it arrives, or it is a socket. It is open as long
/// as it is referred to.
package final class OpenStream: Sendable {
  private struct State {
    var exchange: ServedRequest
    var start = ContinuousClock.now

    init(_ exchange: ServedRequest) {
      let fields = exchange.reply.response.headerFields
      let isCoded = ContentCoding.isCoded(fields.lines(named: "content-encoding"))
      // A response that is late has no messages yet.
      let hasNone = isCoded || exchange.status == nil
      let messages = hasNone ? nil : MessageLog(fields.contentType.flatMap { MediaRange($0) })
      self.exchange = exchange.with(messages: messages)
    }
  }

  /// From 1, in the order in which they began.
  package let number: Int
  private let state: Lock<State>

  init(number: Int, _ exchange: ServedRequest) {
    self.number = number
    state = Lock(State(exchange))
  }

  /// The exchange as it stood when its head was sent, or when it was noted.
  package var exchange: ServedRequest { state.withLock(\.exchange) }
  /// `nil` where the media type has no messages, or a content coding hides them.
  package var messages: MessageLog? { exchange.messages }

  /// The reason that the client has no response yet; `nil` once it has the head of one, and for sockets.
  package var late: Reply.Lateness? {
    let exchange = exchange
    return exchange.status == nil ? exchange.reply.lateness : nil
  }

  /// Takes the head of a response that was late.
  package func begin(_ exchange: ServedRequest) { state.withLock { $0 = State(exchange) } }

  /// Takes the next bytes of the answer.
  package func append(_ piece: [UInt8]) {
    let (messages, start) = state.withLock { ($0.exchange.messages, $0.start) }
    messages?.append(piece, at: (ContinuousClock.now - start).wholeMicroseconds)
  }

  /// Grows with each message.
  package var progress: Int {
    let exchange = exchange
    return exchange.messages?.totals.bytes ?? exchange.transcript?.totals.count ?? exchange.status ?? 0
  }

  /// The exchange as it stands now.
  package var current: ServedRequest {
    let (exchange, start) = state.withLock { ($0.exchange, $0.start) }
    return exchange.with(after: ContinuousClock.now - start)
  }
}

extension Reply {
  /// The reason that a response is not sent at once.
  package enum Lateness: Sendable, CustomStringConvertible {
    /// The client never gets the end of the response.
    case hang
    case paced
    case delayed(Duration)

    /// `delayed by 2.0 seconds`
    package var description: String {
      switch self {
      case .hang: "hang"
      case .paced: "sent slowly"
      case .delayed(let time): "delayed by \(time)"
      }
    }
  }

  /// `nil` for a response that is sent at once.
  package var lateness: Lateness? {
    if fault?.hangs == true { return .hang }
    if fault?.pace != nil { return .paced }
    return delay > .zero ? .delayed(delay) : nil
  }
}

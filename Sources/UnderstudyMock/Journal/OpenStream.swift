/// An answer that is being sent while it arrives, or a socket. It is open as long as it is referred to.
package final class OpenStream: Sendable {
  /// From 1, in the order in which they began.
  package let number: Int
  /// As it stood when its head was sent.
  package let exchange: ServedRequest
  /// `nil` where the media type has no messages, or a content coding hides them.
  package var messages: MessageLog? { exchange.messages }
  private let start = ContinuousClock.now

  init(number: Int, _ exchange: ServedRequest) {
    self.number = number
    let fields = exchange.reply.response.headerFields
    let isCoded = ContentCoding.isCoded(fields.lines(named: "content-encoding"))
    let messages = isCoded ? nil : MessageLog(fields.contentType.flatMap { MediaRange($0) })
    self.exchange = exchange.with(messages: messages)
  }

  /// Takes the next bytes of the answer.
  package func append(_ piece: [UInt8]) {
    messages?.append(piece, at: (ContinuousClock.now - start).wholeMicroseconds)
  }

  /// Grows with each message.
  package var progress: Int { messages?.totals.bytes ?? exchange.transcript?.totals.count ?? 0 }

  /// The exchange as it stands now.
  var current: ServedRequest { exchange.with(after: ContinuousClock.now - start) }
}

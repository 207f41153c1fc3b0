import HTTPTypes
import UnderstudyMock
import UnderstudyVerification

/// What an exchange consists of beside its times, in 128 bits: two exchanges with one digest are shown alike.
struct ExchangeDigest: Hashable {
  private let high: Int
  private let low: Int

  init(_ exchange: ServedRequest) {
    var hasher = Self.hasher(of: exchange)
    let other = hasher
    high = other.finalize()
    hasher.combine(0)
    low = hasher.finalize()
  }

  private static func hasher(of exchange: ServedRequest) -> Hasher {
    var hasher = Hasher()
    hasher.combine(exchange.request)
    hasher.combine(exchange.status)
    combine(exchange.body, &hasher)
    let reply = exchange.reply
    hasher.combine(reply.source)
    hasher.combine(reply.lane)
    hasher.combine(reply.operation?.key)
    hasher.combine(reply.fault.map { "\($0)" })
    let (head, body) = reply.recorded
    hasher.combine(head)
    combine(body, &hasher)
    hasher.combine(exchange.messages?.messages)
    // No two sockets are the same: each of their messages has its time.
    hasher.combine(exchange.transcript?.identity.id)
    hasher.combine(reply.diagnostics)
    hasher.combine(reply.notValidated)
    return hasher
  }

  private static func combine(_ bytes: [UInt8]?, _ hasher: inout Hasher) {
    hasher.combine(bytes?.count)
    bytes?.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

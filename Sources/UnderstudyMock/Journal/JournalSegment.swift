import UnderstudySystem

/// The exchanges that one event loop has answered, the oldest first, until readers of the `Journal` number them.
///
/// Only its loop appends, and readers come seldom, so that the lock is free nearly always.
final class JournalSegment: Sendable {
  private struct State {
    /// A ring: the entry at the position `p` is at `p % limits.exchanges`.
    var ring: [JournalEntry?] = []
    /// The position of the oldest entry that is held.
    var first = 0
    var next = 0
    /// Those before it have their numbers.
    var counted = 0
    var lost = 0
    var bytes = 0
    var totals = JournalTotals()
    var unnamed = UnnamedRequests()
  }

  /// What has come since the last reader.
  struct News {
    /// The entries that were dropped meanwhile; they are older than the others.
    let lost: Int
    /// The position of the first entry of `ends`.
    let position: Int
    /// When the exchanges ended, in microseconds since 1970.
    let ends: [Int]
  }

  private let state = Lock(State())
  private let limits: Journal.Limits

  /// - Parameter limits: Of this segment alone.
  init(_ limits: Journal.Limits) { self.limits = limits }

  func append(_ exchange: ServedRequest) {
    state.withLock { state in
      if state.ring.isEmpty { state.ring = Array(repeating: nil, count: limits.exchanges) }
      let entry = JournalEntry(number: 0, exchange)
      if state.next - state.first == limits.exchanges { drop(&state) }
      state.ring[state.next % limits.exchanges] = entry
      state.next += 1
      state.bytes += entry.size
      // The last one stays at any size.
      while state.bytes > limits.bytes, state.next - state.first > 1 { drop(&state) }
      state.totals.count(exchange)
      if exchange.reply.lane == nil, !exchange.reply.isOfReceiver { state.unnamed.note(exchange) }
    }
  }

  private func drop(_ state: inout State) {
    let index = state.first % limits.exchanges
    state.bytes -= state.ring[index]?.size ?? 0
    state.ring[index] = nil
    if state.first >= state.counted { state.lost += 1 }
    state.first += 1
  }

  /// Those without a number, which they get by `number` next.
  func news() -> News {
    state.withLock { state in
      let start = max(state.first, state.counted)
      let ends = (start..<state.next).map { state.ring[$0 % limits.exchanges]?.served.endedAt ?? 0 }
      defer { (state.counted, state.lost) = (state.next, 0) }
      return News(lost: state.lost, position: start, ends: ends)
    }
  }

  /// Gives the entries of `news` their numbers, and drops those up to a number.
  func number(from position: Int, _ numbers: [Int], dropping last: Int) {
    state.withLock { state in
      for (offset, number) in numbers.enumerated() where position + offset >= state.first {
        state.ring[(position + offset) % limits.exchanges]?.number = number
      }
      while state.first < state.counted, state.ring[state.first % limits.exchanges]?.number ?? 0 <= last {
        drop(&state)
      }
    }
  }

  func entries(after number: Int) -> [JournalEntry] {
    state.withLock { state in
      var found: [JournalEntry] = []
      for position in (state.first..<max(state.first, state.counted)).reversed() {
        guard let entry = state.ring[position % limits.exchanges], entry.number > number else { break }
        found.append(entry)
      }
      return found.reversed()
    }
  }

  var bytes: Int { state.withLock { $0.bytes } }

  var totals: JournalTotals { state.withLock { $0.totals } }

  var unnamed: UnnamedRequests { state.withLock { $0.unnamed } }

  func forgetUnnamed() { state.withLock { $0.unnamed = UnnamedRequests() } }
}

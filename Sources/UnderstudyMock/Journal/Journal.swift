import Synchronization

/// The last exchanges of a running mock, and the numbers of all since its start.
///
/// Event loops append, and never wait for a reader: secrets are removed when an exchange is read.
package final class Journal: Sendable {
  /// How much is held.
  package struct Limits: Sendable {
    package var exchanges = 1_000
    /// The bodies of all exchanges together, in bytes; answers that are the same for all requests count as well.
    package var bytes = 32 << 20

    package init() {}
  }

  private struct State {
    /// A ring: the entry with the number `n` is at `n % limits.exchanges`.
    var ring: [JournalEntry?] = []
    /// The number of the oldest entry that is held.
    var first = 1
    /// The number of the next entry.
    var next = 1
    var bytes = 0
    var totals = JournalTotals()
    var streams: [StreamReference] = []
    var streamCount = 0
    var isClosed = false
  }

  /// A stream ends when its connection lets go of it.
  private struct StreamReference {
    weak var stream: OpenStream?
  }

  private let state = Mutex(State())
  private let limits: Limits

  package init(limits: Limits = Limits()) { self.limits = limits }

  /// Adds an exchange, and drops the oldest ones beyond the limits. An exchange about the mock itself is left out.
  ///
  /// - Returns: The number of the entry.
  @discardableResult
  package func append(_ exchange: ServedExchange) -> Int? {
    guard !exchange.reply.isAboutMock else { return nil }
    return state.withLock { state in
      if state.ring.isEmpty { state.ring = Array(repeating: nil, count: limits.exchanges) }
      let entry = JournalEntry(number: state.next, exchange: exchange)
      if state.next - state.first == limits.exchanges { drop(&state) }
      state.ring[entry.number % limits.exchanges] = entry
      state.next += 1
      state.bytes += entry.size
      // The last one stays at any size.
      while state.bytes > limits.bytes, state.next - state.first > 1 { drop(&state) }
      state.totals.count(exchange)
      return entry.number
    }
  }

  /// Notes an answer whose body follows while it arrives; it is an entry when it has ended. One about the mock itself is left
  /// out.
  package func open(_ exchange: ServedExchange) -> OpenStream? {
    guard !exchange.reply.isAboutMock else { return nil }
    return state.withLock { state in
      state.streamCount += 1
      let stream = OpenStream(number: state.streamCount, exchange)
      state.streams.removeAll { $0.stream == nil }
      state.streams.append(StreamReference(stream: stream))
      return stream
    }
  }

  /// Those that have not ended, the oldest first.
  package var streams: [OpenStream] { state.withLock { $0.streams.compactMap(\.stream) } }

  private func drop(_ state: inout State) {
    let index = state.first % limits.exchanges
    state.bytes -= state.ring[index]?.size ?? 0
    state.ring[index] = nil
    state.first += 1
  }

  /// Those that are held, the oldest first.
  ///
  /// - Parameter number: Only those that came after the one with this number.
  package func entries(after number: Int = 0) -> [JournalEntry] {
    state.withLock { state in
      let start = max(state.first, number + 1)
      guard start < state.next else { return [] }
      return (start..<state.next).compactMap { state.ring[$0 % limits.exchanges] }
    }
  }

  /// `nil` if it is not held, or never was.
  package func entry(_ number: Int) -> JournalEntry? {
    state.withLock { state in
      number >= state.first && number < state.next ? state.ring[number % limits.exchanges] : nil
    }
  }

  /// Forgets the exchanges; the numbers of the next ones and the totals go on.
  package func clear() {
    state.withLock { state in while state.first < state.next { drop(&state) } }
  }

  package var totals: JournalTotals { state.withLock(\.totals) }

  /// What is held now, and what was dropped to make room, or cleared.
  package var size: (exchanges: Int, bytes: Int, dropped: Int) {
    state.withLock { ($0.next - $0.first, $0.bytes, $0.first - 1) }
  }

  /// Ends the streams of those who follow the journal: the server is about to stop.
  package func close() { state.withLock { $0.isClosed = true } }

  package var isClosed: Bool { state.withLock(\.isClosed) }
}

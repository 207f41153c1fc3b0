import UnderstudySystem

/// The last exchanges of a running mock, and the numbers of all since its start.
///
/// Each event loop appends to a segment of its own, and never waits for another loop: readers bring the exchanges into the
/// order in which they ended, number them, and remove secrets.
package final class Journal: Sendable {
  /// How much is held.
  package struct Limits: Sendable {
    package var exchanges = 1_000
    /// The bodies of all exchanges together, in bytes; answers that are the same for all requests count as well.
    package var bytes = 32 << 20

    package init() {}
  }

  private struct Streams {
    private var references: [Reference] = []
    private var count = 0
    /// The number of references at which those of ended streams are removed.
    private var compactionCount = 64

    /// A stream ends when its connection releases it.
    private struct Reference { weak var stream: OpenStream? }

    var open: [OpenStream] { references.compactMap(\.stream) }

    /// Takes constant time on average: a server may have 10,000 sockets, which connect anew at once.
    mutating func add(_ exchange: ServedRequest) -> OpenStream {
      if references.count >= compactionCount {
        references.removeAll { $0.stream == nil }
        compactionCount = max(64, 2 * references.count)
      }
      count += 1
      let stream = OpenStream(number: count, exchange)
      references.append(Reference(stream: stream))
      return stream
    }
  }

  private let segments: [JournalSegment]
  /// The number of the newest exchange that a reader has seen.
  private let newest = Lock(0)
  private let openStreams = Lock(Streams())
  private let closing = Lock(false)
  private let limits: Limits
  /// The last messages of sockets.
  package let traffic = SocketTraffic()
  /// The exchanges of a store that other processes use as well; `nil` for every other mock.
  private let shared: (any ExchangeStore)?

  /// - Parameters:
  ///   - limits: Of all segments together.
  ///   - segments: How many event loops append.
  ///   - shared: Gets all exchanges as well.
  package init(limits: Limits = Limits(), segments count: Int = 1, shared: (any ExchangeStore)? = nil) {
    (self.limits, self.shared) = (limits, shared)
    let count = max(1, count)
    var own = limits
    own.bytes = limits.bytes / count
    segments = (0..<count).map { _ in JournalSegment(own) }
  }

  /// Adds an exchange, and drops the oldest ones beyond the limits. An exchange about the mock itself is left out.
  ///
  /// - Parameter loop: The number of the event loop, from 0.
  package func append(_ exchange: ServedRequest, from loop: Int = 0) {
    if exchange.reply.isAboutMock { return }
    segments[loop % segments.count].append(exchange)
    shared?.append(exchange)
  }

  /// Numbers what has been appended, and drops the oldest exchanges beyond the number that is held.
  ///
  /// An exchange that ended before another one has the lower number, as far as the clocks of the loops tell, and as long as
  /// no reader came between.
  ///
  /// - Parameter read: Reads what has its number, before another reader numbers more; it gets the number of the newest exchange.
  private func settled<Found>(_ read: (Int) -> Found) -> Found {
    newest.withLock { newest in
      let news = segments.map { $0.news() }
      newest += news.reduce(0) { $0 + $1.lost }
      let total = news.reduce(0) { $0 + $1.ends.count }
      var numbers = news.map { _ in [Int]() }
      for _ in 0..<total {
        let next = news.indices.filter { numbers[$0].count < news[$0].ends.count }
          .min { news[$0].ends[numbers[$0].count] < news[$1].ends[numbers[$1].count] }
        newest += 1
        if let next { numbers[next].append(newest) }
      }
      for (index, segment) in segments.enumerated() where segments.count > 1 || !numbers[index].isEmpty {
        segment.number(from: news[index].position, numbers[index], dropping: newest - limits.exchanges)
      }
      return read(newest)
    }
  }

  /// Those that are held, the oldest first.
  ///
  /// - Parameter number: Only those that came after the one with this number.
  package func entries(after number: Int = 0) -> [JournalEntry] {
    let found = settled { _ in segments.map { $0.entries(after: number) } }
    return found.count == 1 ? found[0] : found.joined().sorted { $0.number < $1.number }
  }

  /// `nil` if it is not held, or never was.
  package func entry(_ number: Int) -> JournalEntry? {
    // The number before the least one does not exist.
    guard number > 0 else { return nil }
    return entries(after: number - 1).first { $0.number == number }
  }

  /// Forgets the exchanges; the numbers of the next ones and the totals go on.
  package func clear() {
    settled { newest in for segment in segments { segment.number(from: 0, [], dropping: newest) } }
  }

  package var totals: JournalTotals { segments.dropFirst().reduce(segments[0].totals) { $0 + $1.totals } }

  /// The requests of the lane without a name since the last `restartUnnamed`.
  package var unnamed: UnnamedRequests { segments.dropFirst().reduce(segments[0].unnamed) { $0 + $1.unnamed } }

  /// Counts the requests of the lane without a name from zero.
  package func restartUnnamed() { for segment in segments { segment.forgetUnnamed() } }

  /// What is held now, and what was dropped to make room, or cleared.
  package var size: (exchanges: Int, bytes: Int, dropped: Int) {
    settled { newest in
      let held = segments.reduce(0) { $0 + $1.entries(after: 0).count }
      return (held, segments.reduce(0) { $0 + $1.bytes }, newest - held)
    }
  }

  /// Notes an exchange that goes on: a response that is late, or whose body follows while it arrives. It is an entry when it has
  /// ended. One about the mock itself is left out.
  package func open(_ exchange: ServedRequest) -> OpenStream? {
    guard !exchange.reply.isAboutMock else { return nil }
    return openStreams.withLock { $0.add(exchange) }
  }

  /// Those that have not ended, the oldest first.
  package var streams: [OpenStream] { openStreams.withLock(\.open) }

  /// Ends the streams of those who follow the journal: the server is about to stop.
  package func close() { closing.withLock { $0 = true } }

  package var isClosed: Bool { closing.withLock { $0 } }
}

import UnderstudyMock
import UnderstudySockets

/// New entries of a journal as server-sent events (HTML, 9.2), some times a second: each has the number of its last entry
/// as its id, and a list as its data. Open streams come as another event, whenever they have changed, and new messages of
/// sockets as a third one.
struct JournalEvents: AsyncSequence, Sendable {
  private let feed: JournalFeed
  /// Held for as long as the events are sent.
  private let seat: JournalFeed.Seat
  private let journal: Journal
  private let printer: @Sendable () -> JournalPrinter
  private let start: Int
  private let messages: Int

  /// A comment keeps idle connections alive.
  private static let silence = 75

  /// - Parameters:
  ///   - number: That of the last known entry.
  ///   - messages: The number of the last known message of a socket.
  init(
    _ feed: JournalFeed, in seat: JournalFeed.Seat, of journal: Journal,
    printer: @escaping @Sendable () -> JournalPrinter, after number: Int,
    messages: Int
  ) {
    self.feed = feed
    self.seat = seat
    self.journal = journal
    self.printer = printer
    start = number
    self.messages = messages
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(feed: feed, seat: seat, journal: journal, printer: printer, last: start, messages: messages)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let feed: JournalFeed
    private let seat: JournalFeed.Seat
    fileprivate let journal: Journal
    fileprivate let printer: @Sendable () -> JournalPrinter
    fileprivate var last: Int
    private var messages: Int
    private var messagesAt: ContinuousClock.Instant?
    /// The version of the open streams that was shown.
    private var streams = 0
    private var isFirst = true

    fileprivate init(
      feed: JournalFeed, seat: JournalFeed.Seat, journal: Journal, printer: @escaping @Sendable () -> JournalPrinter,
      last: Int, messages: Int
    ) {
      self.feed = feed
      self.seat = seat
      self.journal = journal
      self.printer = printer
      self.last = last
      self.messages = messages
    }

    mutating func next() async throws -> [UInt8]? {
      if isFirst {
        isFirst = false
        return ServerSentEvent.retry(1000)
      }
      for _ in 0..<JournalEvents.silence {
        if journal.isClosed { return nil }
        if let batch = feed.batch(after: last, printer) {
          last = batch.last
          return batch.bytes
        }
        if let open = feed.streams(otherThan: streams, printer) {
          streams = open.version
          return open.bytes
        }
        if let batch = newMessages() { return batch }
        try await Task.sleep(for: JournalFeed.interval)
      }
      return ServerSentEvent.comment("still here")
    }

    /// The messages of sockets since the last ones; `nil` without any, or too soon.
    private mutating func newMessages() -> [UInt8]? {
      let now = ContinuousClock.now
      guard journal.traffic.newest > messages, messagesAt.map({ now - $0 >= JournalFeed.interval }) ?? true else {
        return nil
      }
      let new = journal.traffic.entries(after: messages)
      guard let newest = new.last else { return nil }
      let shown = new.suffix(JournalFeed.entryLimit)
      let printer = printer()
      let skipped = newest.number - messages - shown.count
      let data = Redacted.list(shown.map { printer.summary($0) }).map { messages in
        JSON.object(("messages", .array(messages)), ("skipped", .integer(skipped)))
      }
      (messages, messagesAt) = (newest.number, now)
      return JournalFeed.event("messages", data)
    }
  }
}

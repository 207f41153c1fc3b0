import UnderstudyMock

/// New entries of a journal as server-sent events (HTML, 9.2), some times a second: each has the number of its last entry
/// as its id, and a list as its data. Open streams come as another event, whenever they have changed.
struct JournalEvents: AsyncSequence, Sendable {
  private let feed: JournalFeed
  private let journal: Journal
  private let printer: @Sendable () -> JournalPrinter
  private let start: Int

  /// A comment keeps idle connections alive.
  private static let silence = 75

  init(_ feed: JournalFeed, of journal: Journal, printer: @escaping @Sendable () -> JournalPrinter, after number: Int) {
    self.feed = feed
    self.journal = journal
    self.printer = printer
    start = number
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(feed: feed, journal: journal, printer: printer, last: start)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let feed: JournalFeed
    fileprivate let journal: Journal
    fileprivate let printer: @Sendable () -> JournalPrinter
    fileprivate var last: Int
    /// The version of the open streams that was shown.
    private var streams = 0
    private var isFirst = true

    fileprivate init(feed: JournalFeed, journal: Journal, printer: @escaping @Sendable () -> JournalPrinter, last: Int)
    {
      self.feed = feed
      self.journal = journal
      self.printer = printer
      self.last = last
    }

    mutating func next() async throws -> [UInt8]? {
      if isFirst {
        isFirst = false
        return Array("retry: 1000\n\n".utf8)
      }
      for _ in 0..<JournalEvents.silence {
        if journal.isClosed { return nil }
        if let piece = feed.piece(after: last, printer) {
          last = piece.last
          return piece.bytes
        }
        if let open = feed.streams(otherThan: streams, printer) {
          streams = open.version
          return open.bytes
        }
        try await Task.sleep(for: JournalFeed.interval)
      }
      return Array(": still here\n\n".utf8)
    }
  }
}

import Understudy

/// New entries of a journal as server-sent events (HTML, 9.2), some times a second: each has the number of its last entry
/// as its id, and a list as its data.
struct JournalEvents: AsyncSequence, Sendable {
  private let journal: Journal
  private let printer: JournalPrinter
  private let start: Int

  /// What followers wait between two looks, so that many of them cost a busy mock nothing.
  private static let interval: Duration = .milliseconds(200)
  /// A comment keeps connections alive that have nothing to say.
  private static let silence = 75
  /// The most entries of an event.
  private static let batch = 500

  init(_ journal: Journal, printer: JournalPrinter, after number: Int) {
    self.journal = journal
    self.printer = printer
    start = number
  }

  func makeAsyncIterator() -> Iterator { Iterator(journal, printer, after: start) }

  struct Iterator: AsyncIteratorProtocol {
    private let journal: Journal
    private let printer: JournalPrinter
    private var last: Int
    private var isFirst = true

    init(_ journal: Journal, _ printer: JournalPrinter, after number: Int) {
      self.journal = journal
      self.printer = printer
      last = number
    }

    mutating func next() async throws -> [UInt8]? {
      if isFirst {
        isFirst = false
        return Array("retry: 1000\n\n".utf8)
      }
      for _ in 0..<JournalEvents.silence {
        if journal.isClosed { return nil }
        let new = journal.entries(after: last)
        if let newest = new.last {
          let shown = new.suffix(JournalEvents.batch)
          let skipped = newest.number - last - shown.count
          last = newest.number
          let data = JSON.object(
            ("requests", .array(shown.map { printer.summary($0) })), ("skipped", .integer(skipped)))
          return Array("id: \(last)\nevent: requests\ndata: \(JSONWriter.text(data))\n\n".utf8)
        }
        try await Task.sleep(for: JournalEvents.interval)
      }
      return Array(": still here\n\n".utf8)
    }
  }
}

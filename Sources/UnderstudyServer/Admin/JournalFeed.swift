import UnderstudyMock
import UnderstudySockets
import UnderstudySystem

/// The journal as it grows, in batches that all of its followers share, so that many of them cost a busy mock little.
final class JournalFeed: Sendable {
  /// New entries as one server-sent event.
  struct Batch: Sendable {
    let after: Int
    let last: Int
    let bytes: [UInt8]
  }

  struct Streams: Sendable {
    /// Another number for other streams and messages; 0 for none.
    let version: Int
    let bytes: [UInt8]
    fileprivate let madeAt: ContinuousClock.Instant
  }

  private struct State {
    /// The latest ones, each of which begins where the one before ends.
    var batches: [Batch] = []
    var madeAt: ContinuousClock.Instant?
    var streams: Streams?
    var followers = 0
  }

  /// A place among the followers, which is free again when nothing holds it.
  final class Seat: Sendable {
    private let feed: JournalFeed
    fileprivate init(_ feed: JournalFeed) { self.feed = feed }
    deinit { feed.state.withLock { $0.followers -= 1 } }
  }

  private let journal: Journal
  /// The requests of all replicas; `nil` for a mock without replicas.
  let shared: SharedTail?
  private let state = Lock(State())

  /// Pieces are made no more often.
  static let interval: Duration = .milliseconds(200)
  /// The maximum number of entries of a batch; of more, the newest are shown and the others counted.
  static let entryLimit = 100
  private static let batchLimit = 10
  /// The most open streams of an event; of more, the oldest are left out.
  private static let streamLimit = 50

  /// The most followers, however many connections are open.
  static let mostFollowers = 256
  /// A follower keeps its connection: a quarter of the connections is left to them, so that clients get theirs.
  static let followerLimit = max(2, min(mostFollowers, ServerConfiguration().maximumConnections / 4))

  init(_ journal: Journal, shared: SharedTail? = nil) { (self.journal, self.shared) = (journal, shared) }

  /// `nil` if there are too many followers already.
  func seat() -> Seat? {
    let isFree = state.withLock { state in
      guard state.followers < Self.followerLimit else { return false }
      state.followers += 1
      return true
    }
    return isFree ? Seat(self) : nil
  }

  /// What follows an entry; `nil` while there is nothing new, or it is too soon.
  ///
  /// - Parameter printer: Shows entries, where a batch has to be made.
  func batch(after number: Int, _ printer: () -> JournalPrinter) -> Batch? {
    state.withLock { state in
      if let known = state.batches.first(where: { $0.after == number }) { return known }
      let now = ContinuousClock.now
      if let newest = state.batches.last, number < newest.last {
        // A follower that comes late catches up with the others.
        return make(after: number, upTo: newest.last, printer)
      }
      if let madeAt = state.madeAt, now - madeAt < Self.interval { return nil }
      guard let batch = make(after: number, upTo: .max, printer) else { return nil }
      state.madeAt = now
      if state.batches.last?.last != batch.after { state.batches = [] }
      state.batches.append(batch)
      if state.batches.count > Self.batchLimit { state.batches.removeFirst() }
      return batch
    }
  }

  /// The open streams, unless they are those of a version, or it is too soon.
  ///
  /// - Parameter printer: Shows streams, where an event has to be made.
  func streams(otherThan version: Int, _ printer: () -> JournalPrinter) -> Streams? {
    state.withLock { state in
      let open = journal.streams
      let current = Self.version(of: open)
      guard current != version else { return nil }
      let now = ContinuousClock.now
      if let known = state.streams, known.version == current || now - known.madeAt < Self.interval {
        return known.version == version ? nil : known
      }
      let printer = printer()
      let shown = Redacted.list(open.suffix(Self.streamLimit).map { printer.summary($0) })
      let made = Streams(
        version: current, bytes: Self.event("streams", shown.map { .object(("streams", .array($0))) }), madeAt: now)
      state.streams = made
      return made
    }
  }

  private static func version(of streams: [OpenStream]) -> Int {
    guard !streams.isEmpty else { return 0 }
    var hasher = Hasher()
    for stream in streams {
      hasher.combine(stream.number)
      hasher.combine(stream.progress)
    }
    return hasher.finalize() | 1
  }

  private func make(after number: Int, upTo end: Int, _ printer: () -> JournalPrinter) -> Batch? {
    if let shared { return make(shared.entries(after: number).filter { $0.number <= end }, after: number) }
    let new = journal.entries(after: number).filter { $0.number <= end }
    guard let newest = new.last else { return nil }
    let shown = new.suffix(Self.entryLimit)
    let printer = printer()
    let data = Redacted.list(shown.map { printer.summary($0) }).map { requests in
      JSON.object(
        ("requests", .array(requests)), ("skipped", .integer(newest.number - number - requests.count)))
    }
    return Batch(
      after: number, last: newest.number,
      bytes: Self.event("requests", data, id: "\(newest.number)"))
  }

  private func make(_ new: [StoredEntry], after number: Int) -> Batch? {
    guard let newest = new.last else { return nil }
    let shown = new.suffix(Self.entryLimit)
    let data = JSON.object(
      ("requests", .array(shown.map { $0.summary() })), ("skipped", .integer(new.count - shown.count)))
    return Batch(
      after: number, last: newest.number, bytes: Self.event("requests", data, id: "\(newest.number)"))
  }

  static func event(_ name: String, _ data: Redacted<JSON>, id: String? = nil) -> [UInt8] {
    event(name, data.value, id: id)
  }

  private static func event(_ name: String, _ data: JSON, id: String?) -> [UInt8] {
    ServerSentEvent(event: name, data: JSONWriter.text(data), id: id).bytes
  }
}

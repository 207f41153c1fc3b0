import Dispatch
import Synchronization
import Understudy
import UnderstudyServer

/// Writes a server's exchanges to a HAR file while it runs.
///
/// Event loops hand exchanges over and go on; one thread writes them, in order. When more wait than the limits allow, they
/// are counted and left out, and the file and the last line say so.
final class HARRecorder: Sendable {
  private let path: String
  private let state: Mutex<State>
  private let output: Mutex<HAROutput>
  private let thread = DispatchQueue(label: "har")

  private struct State {
    var writer: HARWriter
    var waiting: [Exchange] = []
    var bytes = 0
    var written = 0
    var lost = 0
    var isWriting = false
    /// Why nothing is written any more.
    var failure: String?
  }

  private static let maximumExchanges = 10_000
  /// Of bodies that wait.
  private static let maximumBytes = 64 << 20
  /// Entries of one write.
  private static let batch = 64

  /// Begins the file.
  init(_ path: String, _ mock: Mock) throws(FileProblem) {
    let writer = Self.writer(for: mock)
    self.path = path
    state = Mutex(State(writer: writer))
    output = Mutex(try HAROutput.begin(path, writer))
  }

  /// The contracts were loaded again.
  func use(_ mock: Mock) {
    let writer = Self.writer(for: mock)
    state.withLock { $0.writer = writer }
  }

  /// Writes entries without the secrets of the contracts that are served.
  private static func writer(for mock: Mock) -> HARWriter {
    HARWriter(Redaction(mock.contracts.map(\.api)), version: Version.current)
  }

  /// Takes an exchange, or counts it as lost; never waits.
  func append(_ exchange: Exchange) {
    let size = (exchange.body?.count ?? 0) + exchange.reply.body.count
    let starts = state.withLock { state in
      guard state.waiting.count < Self.maximumExchanges, state.bytes + size <= Self.maximumBytes, state.failure == nil
      else {
        state.lost += 1
        return false
      }
      state.waiting.append(exchange)
      state.bytes += size
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if starts { thread.async { self.drain() } }
  }

  /// Waits until all is written, and gives back what there is to say at the end.
  func finish() -> String {
    thread.sync {
      drain()
      // What was lost since the last write is still to be said in the file.
      let lost = state.withLock { $0.failure == nil ? $0.lost : 0 }
      if lost > 0 { put([], lost) }
    }
    return state.withLock { state in
      var text = "recorded \(state.written.counted("exchange")) in \(path)\n"
      if state.lost > 0 {
        text +=
          "\(state.lost.counted("exchange")) missing in \(path): \(state.failure ?? "they came faster than they could be written")\n"
      }
      return text
    }
  }

  private func drain() {
    while let (exchanges, writer, lost) = take() {
      for start in stride(from: 0, to: exchanges.count, by: Self.batch) {
        let part = exchanges[start..<min(start + Self.batch, exchanges.count)]
        put(part.compactMap { entry($0, writer) }, lost)
      }
    }
  }

  private func put(_ entries: [[UInt8]], _ lost: Int) {
    let failure = output.withLock { output -> String? in
      do throws(FileProblem) {
        try output.append(entries, lost: lost)
        return nil
      } catch {
        return error.message
      }
    }
    state.withLock { state in
      if let failure {
        state.failure = failure
        state.lost += entries.count
      } else {
        state.written += entries.count
      }
    }
  }

  /// All that waits, or `nil` when that is nothing and the next exchange has to start the thread again.
  private func take() -> ([Exchange], HARWriter, lost: Int)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isWriting = false
        return nil
      }
      defer { (state.waiting, state.bytes) = ([], 0) }
      return (state.waiting, state.writer, state.lost)
    }
  }

  /// The text of an exchange; `nil` for one that was refused before there was a request.
  private func entry(_ exchange: Exchange, _ writer: HARWriter) -> [UInt8]? {
    guard let request = exchange.request else { return nil }
    let operation = exchange.reply.operation?.compiled
    let cell = exchange.status.flatMap { operation?.operation.response(for: $0)?.status.description }
    return writer.entry(
      RecordedExchange(
        startedAt: exchange.startedAt, duration: exchange.duration, request: request, body: exchange.body,
        reply: exchange.reply, status: exchange.status, contract: operation?.api.name, cell: cell))
  }
}

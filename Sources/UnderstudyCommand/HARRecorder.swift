import Dispatch
import Synchronization
import Understudy

/// Writes the exchanges of a running server to a HAR file.
///
/// Event loops append exchanges without waiting, and one thread writes them in order. Exchanges beyond the limits are
/// dropped; the file and the last line of the log give their number.
final class HARRecorder: Sendable {
  private let path: String
  private let state: Mutex<State>
  private let output: Mutex<HAROutput>
  private let thread = DispatchQueue(label: "har")

  private let redactor: Mutex<Redactor>
  private let writer = HARWriter(version: Version.current)

  private struct State {
    var waiting: [ServedExchange] = []
    var bytes = 0
    var written = 0
    /// The number of exchanges that the file had before.
    var earlier = 0
    var lost = 0
    var isWriting = false
    /// The error that ended the recording.
    var failure: String?
  }

  private static let maximumExchanges = 10_000
  /// The limit of waiting bodies.
  private static let maximumBytes = 64 << 20
  /// The number of entries in one write.
  private static let batch = 64

  /// - Parameter overwrites: Replaces any existing file.
  init(
    _ path: String, _ mock: Mock, overwrites: Bool = false, redacting settings: RedactionSettings = RedactionSettings()
  ) throws(FileProblem) {
    self.path = path
    let file = try HAROutput.begin(path, writer, overwrites: overwrites)
    state = Mutex(State(earlier: file.earlier))
    redactor = Mutex(Redactor(mock.contracts.map(\.compiled.secrets), settings: settings))
    output = Mutex(file)
  }

  /// Uses the contracts of a new mock.
  func use(_ mock: Mock) {
    redactor.withLock { $0 = $0.using(mock.contracts.map(\.compiled.secrets)) }
  }

  /// Adds an exchange, or counts it as lost. Never waits.
  func append(_ exchange: ServedExchange) {
    guard !exchange.reply.isAboutMock else { return }
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

  /// Waits until everything is written, and returns a summary.
  func finish() -> String {
    thread.sync {
      drain()
      // Adds the number of exchanges lost since the last write.
      let lost = state.withLock { $0.failure == nil ? $0.lost : 0 }
      if lost > 0 { put([], lost) }
    }
    return state.withLock { state in
      let earlier = state.earlier > 0 ? ", after \(state.earlier) of earlier runs" : ""
      let text = "recorded \(state.written.counted("exchange")) in \(path)\(earlier)\n"
      guard state.lost > 0 else { return text }
      let reason = state.failure ?? "they arrived faster than they could be written"
      return text + "\(state.lost.counted("exchange")) missing in \(path): \(reason)\n"
    }
  }

  private func drain() {
    while let (exchanges, lost) = take() {
      for start in stride(from: 0, to: exchanges.count, by: Self.batch) {
        let part = exchanges[start..<min(start + Self.batch, exchanges.count)]
        put(redactor.withLock { redactor in part.compactMap { writer.entry($0, &redactor) } }, lost)
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

  /// All waiting exchanges; `nil` if there are none, and the next one has to start the thread again.
  private func take() -> ([ServedExchange], lost: Int)? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isWriting = false
        return nil
      }
      defer { (state.waiting, state.bytes) = ([], 0) }
      return (state.waiting, state.lost)
    }
  }
}

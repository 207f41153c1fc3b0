import UnderstudyMock
import UnderstudySystem
import UnderstudyVerification

/// Writes the exchanges of a running server to a HAR file.
///
/// The file and the last line of the log give the number of lost exchanges. A file that cannot be written ends the
/// recording.
final class HARRecorder: Sendable {
  private let path: String
  private let notify: @Sendable (String) -> Void
  private let queue = ExchangeQueue(label: "har")
  private let state: Lock<State>
  private let output: Lock<HAROutput>

  private let redactor: Lock<Redactor>
  private let writer = HARWriter(version: Version.current)

  private struct State {
    var written = 0
    /// The number of exchanges that the file had before.
    var earlier: Int
    /// The number of exchanges that could not be written.
    var unwritten = 0
    /// The error that ended the recording.
    var failure: String?
  }

  /// The number of entries in one write.
  private static let batch = 64

  /// - Parameters:
  ///   - overwrites: Replaces any existing file.
  ///   - notify: Gets a line when the recording ends early.
  init(
    _ path: String, _ mock: Mock, overwrites: Bool = false, redacting settings: RedactionSettings = RedactionSettings(),
    notify: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(FileProblem) {
    self.path = path
    self.notify = notify
    let file = try HAROutput.begin(path, head: writer.head, overwrites: overwrites)
    state = Lock(State(earlier: file.earlier))
    redactor = Lock(Redactor(mock.contracts.map(\.compiled.secrets), settings: settings))
    output = Lock(file)
  }

  /// Uses the contracts of a new mock.
  func use(_ mock: Mock) {
    redactor.withLock { $0 = $0.using(mock.contracts.map(\.compiled.secrets)) }
  }

  /// Adds an exchange, or counts it as lost. Never waits.
  func append(_ exchange: ServedRequest) {
    guard !exchange.reply.isAboutMock else { return }
    queue.append(exchange, then: write)
  }

  /// Waits until everything is written, and returns a summary.
  func finish() -> String {
    queue.finish(then: write)
    let lost = queue.lost
    // Adds the number of exchanges lost since the last write.
    if lost > 0, failure == nil { put([], lost) }
    if failure == nil, !FileSystem.exists(path) {
      state.withLock { state in
        state.failure = "the file was removed"
        (state.unwritten, state.written) = (state.unwritten + state.written, 0)
      }
    }
    return state.withLock { state in
      let earlier = state.earlier > 0 ? ", after \(state.earlier) of earlier runs" : ""
      let text = "recorded \(state.written.counted("exchange")) in \(path)\(earlier)\n"
      let missing = lost + state.unwritten
      guard missing > 0 else { return text }
      let reason = state.failure ?? "they arrived faster than they could be written"
      return text + "\(missing.counted("exchange")) missing in \(path): \(reason)\n"
    }
  }

  @Sendable private func write(_ exchanges: [ServedRequest]) {
    for start in stride(from: 0, to: exchanges.count, by: Self.batch) {
      let part = exchanges[start..<min(start + Self.batch, exchanges.count)]
      guard failure == nil else {
        state.withLock { $0.unwritten += part.count }
        continue
      }
      put(redactor.withLock { redactor in part.compactMap { writer.entry($0, &redactor) } }, queue.lost)
    }
  }

  private func put(_ entries: [Redacted<[UInt8]>], _ lost: Int) {
    let failure = output.withLock { output -> String? in
      do throws(FileProblem) {
        try output.append(entries, lost: lost)
        return nil
      } catch {
        return error.message.lowercased()
      }
    }
    let isFirst = state.withLock { state in
      guard let failure else {
        state.written += entries.count
        return false
      }
      defer { state.failure = state.failure ?? failure }
      state.unwritten += entries.count
      return state.failure == nil
    }
    if isFirst, let failure { notify("error: the recording in \(path) ends here: \(failure)\n") }
  }

  /// The error that ended the recording.
  var failure: String? { state.withLock { $0.failure } }
}

import HTTPTypes
import UnderstudyMock
import UnderstudyStore
import UnderstudySystem
import UnderstudyVerification

/// Writes the exchanges of a running server to a journal file, off its event loops. None is lost while the server stands: it
/// waits where they arrive faster than they can be written.
final class JournalRecorder: Sendable {
  private let path: String
  private let notify: @Sendable (String) -> Void
  private let queue = ExchangeQueue(label: "journal", isLossless: true)
  private let state: Lock<State>

  private struct State {
    var file: JournalFile
    var mock: Mock
    var printer: JournalPrinter
    /// The rows of `content`, by what they are made of.
    var contents: [ExchangeDigest: Int] = [:]
    var written = 0
    /// The number of exchanges that could not be written.
    var unwritten = 0
    /// The error that ended the journal.
    var failure: String?
  }

  /// The most rows of `content` that are known by what they are made of.
  private static let contentLimit = 20_000

  /// - Parameter notify: Gets a line when the journal ends early.
  init(
    _ path: String, _ mock: Mock, _ redaction: RedactionSettings, _ numbers: SecretNumbers,
    notify: @escaping @Sendable (String) -> Void
  ) throws(FileProblem) {
    self.path = path
    self.notify = notify
    let redactor = Redactor(mock.contracts.map(\.compiled.secrets), settings: redaction, style: .numbered(numbers))
    state = Lock(
      State(
        file: try JournalFile(writing: path), mock: mock,
        printer: JournalPrinter(redactor, version: Version.current)))
  }

  /// Uses the contracts of a new mock.
  func use(_ mock: Mock) {
    state.withLock { state in
      state.mock = mock
      state.printer = state.printer.using(mock.contracts.map(\.compiled.secrets))
      state.contents = [:]
    }
  }

  func append(_ exchange: ServedRequest) {
    guard !exchange.reply.isAboutMock else { return }
    queue.append(exchange, then: write)
  }

  /// Waits until everything is written, and returns a summary.
  func finish() -> String {
    queue.finish(then: write)
    return state.withLock { state in
      if state.failure == nil {
        state.file.finish()
        // SQLite goes on writing to a file without a name.
        if !FileSystem.exists(path) {
          state.failure = "the file was removed"
          (state.unwritten, state.written) = (state.written, 0)
        }
      }
      let text = "recorded \(state.written.counted("exchange")) in \(path)\n"
      guard let failure = state.failure else { return text }
      return text + "\(state.unwritten.counted("exchange")) missing in \(path): \(failure)\n"
    }
  }

  /// Whether exchanges could not be written.
  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Writes a batch in one transaction.
  @Sendable private func write(_ exchanges: [ServedRequest]) {
    let failure = state.withLock { state -> String? in
      guard state.failure == nil else {
        state.unwritten += exchanges.count
        return nil
      }
      do throws(SQLiteDatabase.Problem) {
        try Self.write(exchanges, &state)
        state.written += exchanges.count
        return nil
      } catch {
        state.failure = error.message
        state.unwritten += exchanges.count
        return error.message
      }
    }
    if let failure { notify("error: the journal \(path) ends here: \(failure)\n") }
  }

  private static func write(_ exchanges: [ServedRequest], _ state: inout State) throws(SQLiteDatabase.Problem) {
    var new: [ExchangeDigest: Int] = [:]
    let file = state.file
    try file.transaction { () throws(SQLiteDatabase.Problem) in
      for exchange in exchanges {
        let digest = ExchangeDigest(exchange)
        let content: Int
        if let known = state.contents[digest] ?? new[digest] {
          content = known
        } else {
          content = try file.add(state.printer.detail(JournalEntry(number: 0, exchange), by: state.mock))
          new[digest] = content
        }
        try file.add(startedAt: exchange.startedAt, microseconds: exchange.microseconds, content: content)
      }
    }
    if state.contents.count + new.count > contentLimit { state.contents = [:] }
    if new.count <= contentLimit { state.contents.merge(new) { $1 } }
  }
}

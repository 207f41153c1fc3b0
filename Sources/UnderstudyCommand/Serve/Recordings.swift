import UnderstudyMock
import UnderstudyServer
import UnderstudyVerification

/// The files that a session is recorded in.
struct RecordingPaths {
  /// HAR 1.2.
  var har: String?
  /// Whether an existing file at `har` is replaced.
  var overwrites = false
  /// SQLite.
  var journal: String?
  /// A second file in HAR, for this program alone.
  var own: String?
}

/// The recordings of a session: those of the user, and a private one of this program.
struct Recordings: Sendable {
  private let named: HARRecorder?
  private let own: HARRecorder?
  private let journal: JournalRecorder?
  private let all: [HARRecorder]

  /// Starts the files. Throws if one cannot be written.
  ///
  /// - Parameter notify: Gets a line when the recording of the user ends early.
  init(
    _ paths: RecordingPaths, of mock: Mock, _ redaction: RedactionSettings, _ numbers: SecretNumbers,
    notify: @escaping @Sendable (String) -> Void
  ) throws {
    named = try paths.har.map { path in
      try Self.recorder(path, mock, overwrites: paths.overwrites, redaction, notify: notify)
    }
    own = try paths.own.map { try Self.recorder($0, mock, redaction) }
    all = [named, own].compactMap(\.self)
    journal = try paths.journal.map { path in
      do throws(FileProblem) {
        return try JournalRecorder(path, mock, redaction, numbers, notify: notify)
      } catch {
        throw CommandFailure(.usage, "--journal \(error.path): \(error.message)", help: error.help)
      }
    }
  }

  private static func recorder(
    _ path: String, _ mock: Mock, overwrites: Bool = false, _ redaction: RedactionSettings,
    notify: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> HARRecorder {
    let folder = Path.folder(of: path)
    guard folder.isEmpty || FileSystem.exists(folder) else {
      throw CommandFailure(
        .usage, "`--har \(path)`: the folder \(folder) does not exist", help: "create it: mkdir -p \(folder)")
    }
    do throws(FileProblem) {
      return try HARRecorder(path, mock, overwrites: overwrites, redacting: redaction, notify: notify)
    } catch {
      throw CommandFailure(.usage, "--har \(error.path): \(error.message)", help: error.help)
    }
  }

  var isEmpty: Bool { all.isEmpty && journal == nil }

  /// Whether exchanges could not be written.
  var hasFailed: Bool { all.contains { $0.failure != nil } || journal?.hasFailed == true }

  func append(_ exchange: ServedRequest) {
    for recorder in all { recorder.append(exchange) }
    journal?.append(exchange)
  }

  /// Uses the contracts of a reloaded mock.
  func use(_ mock: Mock) {
    for recorder in all { recorder.use(mock) }
    journal?.use(mock)
  }

  /// Waits until everything is written, and returns the summary of the user's recording.
  func finish() -> String {
    _ = own?.finish()
    return (named?.finish() ?? "") + (journal?.finish() ?? "")
  }
}

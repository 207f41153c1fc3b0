import Understudy
import UnderstudyServer

/// The recordings of a session: that of the user, and a private one of this program.
struct Recordings: Sendable {
  private let named: HARRecorder?
  private let own: HARRecorder?

  /// Starts the files. Throws if one cannot be written.
  init(_ path: String?, overwrites: Bool, own: String?, of mock: Mock, _ redaction: RedactionSettings) throws {
    named = try path.map { try Self.recorder($0, mock, overwrites: overwrites, redaction) }
    self.own = try own.map { try Self.recorder($0, mock, redaction) }
  }

  private static func recorder(
    _ path: String, _ mock: Mock, overwrites: Bool = false, _ redaction: RedactionSettings
  ) throws -> HARRecorder {
    do throws(FileProblem) {
      return try HARRecorder(path, mock, overwrites: overwrites, redacting: redaction)
    } catch {
      throw CommandFailure(.usage, "--har \(error.path): \(error.message)", help: error.help)
    }
  }

  private var all: [HARRecorder] { [named, own].compactMap(\.self) }

  var isEmpty: Bool { all.isEmpty }

  func append(_ exchange: ServedExchange) { for recorder in all { recorder.append(exchange) } }

  /// Uses the contracts of a reloaded mock.
  func use(_ mock: Mock) { for recorder in all { recorder.use(mock) } }

  /// Waits until everything is written, and returns the summary of the user's recording.
  func finish() -> String {
    _ = own?.finish()
    return named?.finish() ?? ""
  }
}

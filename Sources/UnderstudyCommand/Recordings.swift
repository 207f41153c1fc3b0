import Understudy
import UnderstudyServer

/// The recordings of a session: the one that the user names, and one that only this program reads.
struct Recordings: Sendable {
  private let named: HARRecorder?
  private let own: HARRecorder?

  /// Begins the files; ends the command where one cannot be written.
  init(_ path: String?, own: String?, of mock: Mock) throws {
    named = try path.map { try Self.recorder($0, mock) }
    self.own = try own.map { try Self.recorder($0, mock) }
  }

  private static func recorder(_ path: String, _ mock: Mock) throws -> HARRecorder {
    do throws(FileProblem) {
      return try HARRecorder(path, mock)
    } catch {
      throw CommandFailure(.usage, "--har \(error.path): \(error.message)", help: error.help)
    }
  }

  private var all: [HARRecorder] { [named, own].compactMap(\.self) }

  var isEmpty: Bool { all.isEmpty }

  func append(_ exchange: Exchange) { for recorder in all { recorder.append(exchange) } }

  /// The contracts were loaded again.
  func use(_ mock: Mock) { for recorder in all { recorder.use(mock) } }

  /// Waits until all is written, and gives back what there is to say about the file that the user names.
  func finish() -> String {
    _ = own?.finish()
    return named?.finish() ?? ""
  }
}

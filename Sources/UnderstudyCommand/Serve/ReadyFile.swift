import UnderstudySystem
import UnderstudyVerification

/// `--ready-file FILE`: has the base URL while the mock listens. Scripts wait for the file, not for a port, which another
/// program may own.
struct ReadyFile {
  let path: String

  /// The time limit for the reader of a pipe to appear, in milliseconds: scripts start it after the mock, and a stop takes at
  /// most two seconds.
  private static let readerPatience = 1_500

  /// Removes the file of an earlier run that was killed. Throws if the file has other content.
  init(_ path: String) throws {
    self.path = path
    let folder = Path.folder(of: path)
    guard folder.isEmpty || FileSystem.isFolder(folder) else {
      throw CommandFailure(
        .usage, "`--ready-file \(path)`: the folder `\(folder)` does not exist", help: "create it, or name another file"
      )
    }
    guard FileSystem.exists(path), FileSystem.isRegular(path) else {
      // A pipe is written to.
      guard !FileSystem.isFolder(path) else {
        throw CommandFailure(.usage, "`--ready-file \(path)` is a folder", help: "expected the name of a file")
      }
      return
    }
    let bytes = (try? FileSystem.read(path, maximumBytes: 4_096).bytes) ?? [0]
    guard bytes.isEmpty || ["http://", "https://"].contains(where: { bytes.starts(with: $0.utf8) })
    else {
      throw CommandFailure(
        .usage, "`--ready-file \(path)` would replace a file with other content",
        help: "remove it, or give the ready file another name")
    }
    unlink(path)
  }

  /// Writes the file atomically.
  func write(_ url: String) throws {
    do throws(FileProblem) {
      try FileSystem.replace(path, with: Array("\(url)\n".utf8), patience: Self.readerPatience)
    } catch {
      throw CommandFailure(.usage, "`--ready-file \(path)`: \(error.message)", help: error.help)
    }
  }

  func remove() { if FileSystem.isRegular(path) { unlink(path) } }
}

import UnderstudySystem
import UnderstudyVerification

/// A private temporary folder.
struct TemporaryFolder {
  let path: String

  init() throws {
    let above = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array(Path.join(above, "understudy-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else {
      throw CommandFailure(
        .usage, "\(above) cannot hold a temporary folder: \(String(cString: strerror(errno)).lowercased())",
        help: "set TMPDIR to a folder that can be written")
    }
    path = String(cString: made)
  }

  /// Removes the folder with everything in it.
  func remove() { Self.remove(path) }

  private static func remove(_ folder: String) {
    for entry in (try? FileSystem.list(folder)) ?? [] {
      let path = Path.join(folder, entry.name)
      if entry.isFolder, !FileSystem.isLink(path) { remove(path) } else { unlink(path) }
    }
    FileSystem.removeEmptyFolder(folder)
  }
}

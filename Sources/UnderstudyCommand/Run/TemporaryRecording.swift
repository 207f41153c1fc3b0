import UnderstudySystem
import UnderstudyVerification

/// A recording in a private temporary folder.
struct TemporaryRecording {
  private let folder: String

  var path: String { Path.join(folder, "exchanges.har") }

  init() throws {
    let above = Environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    var template = Array(Path.join(above, "understudy-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else {
      throw CommandFailure(
        .usage, "\(above) cannot hold a temporary folder: \(String(cString: strerror(errno)).lowercased())",
        help: "set TMPDIR to a folder that can be written")
    }
    folder = String(cString: made)
  }

  func remove() {
    unlink(path)
    rmdir(folder)
  }
}

import UnderstudyRecording
import UnderstudySystem
import UnderstudyVerification

/// The folder of fixtures, which a recording creates, and writes to alone.
final class RecordingFolder {
  let path: String
  private let descriptor: CInt
  /// The folders that did not exist, the innermost first.
  private let made: [String]

  /// The folder of the command line or the configuration. Throws if the path is that of a file.
  static func path(_ flag: String?, _ configuration: Configuration) throws -> String {
    let setting = Setting(\.fixtures, flag: flag, configuration)
    let path = setting?.text ?? "fixtures"
    guard !path.isEmpty else {
      throw CommandFailure(.usage, "the folder of fixtures has no name", help: "name one with --fixtures")
    }
    guard !FileSystem.exists(path) || FileSystem.isFolder(path) else {
      throw CommandFailure(
        .usage, "the folder of fixtures is a file: \(path)", help: "choose another one with --fixtures")
    }
    return path
  }

  /// Throws, before anything is recorded, if fixtures cannot be written to the folder, or if another recording writes there.
  init(_ path: String, of contracts: [Contract]) throws {
    self.path = path
    do throws(FileProblem) {
      // A recording that fails leaves nothing.
      try StagedFiles(in: path).discard()
    } catch {
      throw CommandFailure(
        .usage, "no fixtures can be written to \(path): \(error.message)",
        help: error.help ?? "choose another folder with --fixtures")
    }
    for contract in contracts {
      try FileProblem.asFailure { () throws(FileProblem) in
        for folder in [contract.name] + contract.compiled.operations.map({ Path.join(contract.name, $0.id) }) {
          try StagedFiles.check(Path.join(path, folder), isWithin: path)
        }
        try DoubtfulFiles.refuseLinks(to: contract.name, in: Path.join(path, DoubtfulFiles.folder))
      }
    }
    // Made for the lock, and removed unless fixtures come into it.
    var missing: [String] = []
    var next = path
    while !next.isEmpty, !FileSystem.exists(next) {
      missing.append(next)
      next = Path.folder(of: next)
    }
    made = missing
    try? FileSystem.makeFolder(path)
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw CommandFailure(
        .usage, "another recording writes to \(path)", help: "end it first, or choose another folder with --fixtures")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    for path in made { FileSystem.removeEmptyFolder(path) }
  }
}

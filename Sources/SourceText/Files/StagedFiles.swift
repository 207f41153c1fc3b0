#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Files that are written to a hidden folder, and take their places together.
package struct StagedFiles {
  private let root: String
  private let folder: String
  private var paths: [String] = []

  /// Makes the folder, and those above it. Throws if it cannot be written to.
  package init(in root: String) throws(FileProblem) {
    self.root = root
    folder = Path.join(root, ".understudy.\(getpid()).part")
    try FileSystem.makeFolder(folder)
  }

  /// Writes a file for a path below the root.
  package mutating func add(_ bytes: [UInt8], as path: String) throws(FileProblem) {
    do {
      try FileSystem.write(bytes, to: Path.join(folder, String(paths.count)))
    } catch {
      throw FileProblem(error.kind, Path.join(root, path), error.message, help: error.help)
    }
    paths.append(path)
  }

  /// Renames every file to its path.
  package func commit() throws(FileProblem) {
    for (index, path) in paths.enumerated() {
      let target = Path.join(root, path)
      try FileSystem.makeFolder(Path.folder(of: target))
      guard rename(Path.join(folder, String(index)), target) == 0 else { throw FileSystem.problem(target, errno) }
    }
    rmdir(folder)
  }

  /// Removes what was not renamed.
  package func discard() {
    for index in 0...paths.count { unlink(Path.join(folder, String(index))) }
    rmdir(folder)
  }
}

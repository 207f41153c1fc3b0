import UnderstudySystem

/// Files that are written to a hidden folder, and take their places together.
package struct StagedFiles {
  private let root: String
  private let folder: String
  private let arePrivate: Bool
  private var paths: [String] = []
  /// The folders that did not exist, the outermost first.
  private var created: [String] = []

  /// Makes the folder, and those above it. Throws if it cannot be written to.
  ///
  /// - Parameter arePrivate: Whether only their owner reads the files, and a new root.
  package init(in root: String, arePrivate: Bool = false) throws(FileProblem) {
    self.root = root
    self.arePrivate = arePrivate
    folder = Path.join(root, ".understudy.\(getpid()).part")
    do {
      if arePrivate { try makeFolder(root, isPrivate: true) }
      try makeFolder(folder)
    } catch {
      for path in created.reversed() { FileSystem.removeEmptyFolder(path) }
      throw error
    }
  }

  /// Writes a file for a path below the root.
  package mutating func add(_ bytes: [UInt8], as path: String) throws(FileProblem) {
    do {
      try FileSystem.write(bytes, to: Path.join(folder, String(paths.count)), isPrivate: arePrivate)
    } catch {
      throw FileProblem(error.kind, Path.join(root, path), error.message, help: error.help)
    }
    paths.append(path)
  }

  private var targets: [String] { paths.map { Path.join(root, $0) } }

  /// Makes the folders of all files. A commit afterwards hardly fails.
  package mutating func prepare() throws(FileProblem) {
    for target in targets {
      try Self.check(Path.folder(of: target), isWithin: root)
      try makeFolder(Path.folder(of: target))
      guard !FileSystem.isFolder(target) else { throw FileProblem(.otherContent, target, "a folder has this name") }
    }
  }

  /// Renames every file to its path. What can fail is done before the first of them.
  package mutating func commit() throws(FileProblem) {
    try prepare()
    for (index, target) in targets.enumerated() {
      guard rename(Path.join(folder, String(index)), target) == 0 else { throw FileSystem.problem(target, errno) }
    }
    rmdir(folder)
  }

  /// Throws if a folder is something else, or if links lead out of the root: what they lead to is not ours to write to.
  package static func check(_ folder: String, isWithin root: String) throws(FileProblem) {
    guard FileSystem.exists(folder) else { return }
    guard FileSystem.isFolder(folder) else { throw FileProblem(.isNotFolder, folder, "it is a file, and not a folder") }
    guard let real = FileSystem.realPath(folder), let base = FileSystem.realPath(root) else { return }
    guard real.utf8.elementsEqual(base.utf8) || real.utf8.starts(with: "\(base == "/" ? "" : base)/".utf8) else {
      throw FileProblem(.denied, folder, "a link leads out of \(root)", help: "replace the link by a folder")
    }
  }

  /// Removes what was not renamed, and the folders that were made for it.
  package func discard() {
    for index in 0...paths.count { unlink(Path.join(folder, String(index))) }
    for path in created.reversed() { FileSystem.removeEmptyFolder(path) }
  }

  private mutating func makeFolder(_ path: String, isPrivate: Bool = false) throws(FileProblem) {
    var missing: [String] = []
    var next = path
    while !next.isEmpty, !FileSystem.exists(next) {
      missing.append(next)
      next = Path.folder(of: next)
    }
    do {
      try FileSystem.makeFolder(path, isPrivate: isPrivate)
    } catch {
      for path in missing { FileSystem.removeEmptyFolder(path) }
      throw error
    }
    created += missing.reversed()
  }
}

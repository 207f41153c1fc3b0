import UnderstudySystem

/// The files that a contract and its fixtures may name, after links are resolved.
///
/// A contract may come from others, and a mock shows its clients what it reads.
package struct FileAccess: Sendable, Equatable {
  /// Every file.
  package static let unlimited = FileAccess(roots: nil)
  /// No file, until folders are added.
  package static let none = FileAccess(roots: [])

  /// The real paths of files, and of folders whose whole tree is allowed; `nil` for every file.
  private var roots: [String]?

  /// Allows a folder with its whole tree, or a single file.
  package mutating func allow(_ path: String) {
    guard roots != nil, FileStatus(of: path).map({ $0.kind != .other }) ?? true else { return }
    roots?.append(Self.real(path))
  }

  /// Allows the tree of a project: not of `/` and of the home directory, which hold more than a project.
  ///
  /// - Parameter folder: `""` for the working directory.
  package mutating func allowProject(_ folder: String) {
    let real = Self.real(folder.isEmpty ? "." : folder)
    guard real != "/", real != Self.home else { return }
    allow(real)
  }

  /// Allows a file that the user names, and the tree of its folder.
  package mutating func allowProject(of file: String) {
    // The folder of a pipe holds the descriptors of this process.
    guard FileSystem.isRegular(file) else { return }
    allow(file)
    allowProject(Path.folder(of: file))
  }

  /// Adds the files of another list.
  package mutating func formUnion(_ other: FileAccess) {
    roots = roots.flatMap { mine in other.roots.map { (mine + $0).unique() } }
  }

  package func allows(_ path: String) -> Bool {
    guard let roots else { return true }
    let real = Self.real(path).utf8
    return roots.contains { root in
      real.elementsEqual(root.utf8) || real.starts(with: (root == "/" ? "/" : root + "/").utf8)
    }
  }

  /// The reason why a file may not be read, with the option that allows it.
  package func problem(of path: String) -> FileProblem? {
    guard !allows(path) else { return nil }
    let folder = Path.folder(of: Self.real(path))
    return FileProblem(
      .outside, path, "the file is outside of the folders of the project",
      help: "copy it into the project, or allow its folder: `--allow-files \(ShellQuoting().word(folder))`")
  }

  /// The home directory; `nil` for a user without one.
  private static let home = getenv("HOME").flatMap { FileSystem.realPath(String(cString: $0)) }

  /// The path without links; the part that does not exist stays as it is.
  private static func real(_ path: String) -> String {
    var (path, rest) = (path.isEmpty ? "." : path, "")
    while true {
      if let real = FileSystem.realPath(path) { return rest.isEmpty ? real : Path.join(real, rest) }
      guard path != ".", path != "/" else { return Path.join(path, rest) }
      let name = Path.name(of: path)
      rest = rest.isEmpty ? name : "\(name)/\(rest)"
      path = Path.folder(of: path)
      if path.isEmpty { path = "." }
    }
  }
}

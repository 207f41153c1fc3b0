import UnderstudySystem

/// The files that a contract and its fixtures may name, after links are resolved.
///
/// A contract may come from others, and a mock shows its clients what it reads. A document at a URL names only the files that
/// the user allows, and no file of the project.
package struct FileAccess: Sendable, Equatable {
  /// Every file.
  package static let unlimited = FileAccess(project: nil)
  /// No file, until folders are added.
  package static let none = FileAccess(project: [])

  /// The real paths of the project's files, and of folders whose whole tree is allowed; `nil` for every file.
  private var project: [String]?
  /// The real paths of the files and folders that documents at URLs may name as well.
  private var shared: [String] = []
  /// Whether the document that names the files is at a URL.
  private var isForURL = false

  private init(project: [String]?) { self.project = project }

  /// Allows a folder with its whole tree, or a single file.
  ///
  /// - Parameter isShared: Whether documents at URLs may name it as well.
  package mutating func allow(_ path: String, isShared: Bool = true) {
    guard project != nil, FileStatus(of: path).map({ $0.kind != .other }) ?? true else { return }
    if isShared { shared.append(Self.real(path)) } else { project?.append(Self.real(path)) }
  }

  /// The files that a document may name.
  ///
  /// - Parameter document: The path or URL of the document.
  package func available(to document: String) -> FileAccess {
    URIReference(document).isRemote ? availableToURLs : self
  }

  /// The files that a document at a URL may name.
  package var availableToURLs: FileAccess {
    guard project != nil else { return self }
    var access = self
    access.project = []
    access.isForURL = true
    return access
  }

  /// Allows the tree of a project, unless the folder holds more than a project.
  ///
  /// - Parameter folder: `""` for the working directory.
  package mutating func allowProject(_ folder: String) {
    let real = Self.real(folder.isEmpty ? "." : folder)
    if !Self.isBroad(real) { allow(real, isShared: false) }
  }

  /// Allows a file that the user names, and the tree of its folder.
  package mutating func allowProject(of file: String) {
    // The folder of a pipe holds the descriptors of this process.
    guard FileSystem.isRegular(file) else { return }
    allow(file, isShared: false)
    allowProject(Path.folder(of: file))
  }

  /// Adds the files of another list.
  package mutating func formUnion(_ other: FileAccess) {
    project = project.flatMap { mine in other.project.map { (mine + $0).unique() } }
    shared = (shared + other.shared).unique()
  }

  package func allows(_ path: String) -> Bool {
    guard let project else { return true }
    let real = Self.real(path)
    return (project + shared).contains { Self.tree($0, holds: real) }
  }

  /// The reason why a file may not be read, with the option that allows it.
  package func problem(of path: String) -> FileProblem? {
    guard !allows(path) else { return nil }
    let folder = Path.folder(of: Self.real(path))
    let option = Self.isBroad(folder) ? "" : ", or allow its folder: `--allow-files \(ShellQuoting().word(folder))`"
    let advice = isForURL ? "a document at a URL names no file of the project: use a URL" : "copy it into the project"
    return FileProblem(.outside, path, "the file is outside the project folders", help: advice + option)
  }

  /// Returns whether a folder is `/`, the home directory or an ancestor of it: its tree is never a single project.
  private static func isBroad(_ folder: String) -> Bool {
    folder == "/" || home.map { tree(folder, holds: $0) } == true
  }

  /// Returns whether a real path is a root itself or lies below it.
  private static func tree(_ root: String, holds path: String) -> Bool {
    path.utf8.elementsEqual(root.utf8) || path.utf8.starts(with: (root == "/" ? "/" : root + "/").utf8)
  }

  /// The home directory of HOME or, without a valid one, of the user database; `nil` for a user without one.
  private static let home = [getenv("HOME"), getpwuid(getuid())?.pointee.pw_dir].lazy
    .compactMap { $0.flatMap { FileSystem.realPath(String(cString: $0)) } }.first

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

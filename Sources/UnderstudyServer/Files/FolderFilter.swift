import UnderstudyMock

/// The watched folders, for events that come from everything below them.
package struct FolderFilter: Equatable {
  /// By the real path; an empty set of names means all. In lower case, since a file system may ignore case.
  private let names: [String: Set<String>]

  /// - Parameter folders: The folders, each with the names that matter; an empty set means all.
  package init(_ folders: [String: Set<String>]) {
    let real = folders.map { (Self.realPath($0).lowercased(), Set($1.map { $0.lowercased() })) }
    names = Dictionary(real) { $0.isEmpty || $1.isEmpty ? [] : $0.union($1) }
  }

  /// Whether a real path is that of a watched folder, or of a name in one that matters.
  package func includes(_ path: String) -> Bool {
    let path = path.lowercased()
    guard names[path] == nil else { return true }
    return names[Path.folder(of: path)].map { $0.isEmpty || $0.contains(Path.name(of: path)) } ?? false
  }

  static func realPath(_ path: String) -> String { FileSystem.realPath(path) ?? path }
}

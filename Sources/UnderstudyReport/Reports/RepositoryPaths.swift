/// Paths relative to the root of the repository, as platforms that show findings in the code expect them.
package struct RepositoryPaths: Sendable {
  /// The absolute path of the folder of relative paths; `nil` leaves paths as they are.
  private let workingFolder: String?
  /// The absolute path of the checked-out repository.
  private let root: String?

  package init(workingFolder: String? = nil, root: String? = nil) {
    self.workingFolder = workingFolder
    self.root = root.map(Self.normal)
  }

  /// `specs/slp.yaml`; absolute if the file lies outside the repository.
  package func path(_ file: String) -> String {
    guard let workingFolder, let root else { return Self.normal(file) }
    let absolute = Self.normal(Path.join(workingFolder, file))
    let prefix = root == "/" ? root : root + "/"
    return absolute.utf8.starts(with: prefix.utf8)
      ? String(absolute.utf8.dropFirst(prefix.utf8.count)) ?? file : absolute
  }

  /// The path without `.` and `..`, resolved by text alone.
  private static func normal(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (path.utf8.first == UInt8(ascii: "/") ? "/" : "") + parts.joined(separator: "/")
  }
}

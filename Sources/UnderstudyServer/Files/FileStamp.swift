import UnderstudyMock

/// The state of a file without its content. A missing file has a state as well.
struct FileStamp: Equatable, Sendable {
  private let status: FileStatus?

  /// - Parameter followsLinks: Whether the stamp of a symbolic link is that of its target, which editors and package
  ///   managers replace.
  init(path: String, followsLinks: Bool = true) { status = FileStatus(of: path, followsLinks: followsLinks) }

  var isDirectory: Bool { status?.kind == .folder }
  var isLink: Bool { status?.kind == .link }
  var device: UInt64 { status?.device ?? 0 }

  /// Whether it exists and may have changed since a time in nanoseconds.
  func hasChanged(since time: Int) -> Bool { status.map { $0.changed >= time } ?? false }

  /// The stamps of `root` and of its descendants, by path. Links that leave `root` are not followed, and no directory is
  /// entered twice, so loops of links end.
  static func all(under root: String) -> [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    var entered: Set<[UInt64]> = []
    let realRoot = FileSystem.realPath(root)
    var open = [root]
    while let path = open.popLast() {
      var stamp = FileStamp(path: path, followsLinks: path == root)
      if stamp.isLink, let realRoot, let target = FileSystem.realPath(path), target.hasPrefix(realRoot + "/") {
        stamp = FileStamp(path: path)
      }
      stamps[path] = stamp
      guard let folder = stamp.status, stamp.isDirectory, entered.insert([folder.device, folder.inode]).inserted else {
        continue
      }
      // Without hidden files, because editors use them while they write.
      let names = (try? FileSystem.names(in: path)) ?? []
      open += names.filter { $0.utf8.first != UInt8(ascii: ".") }.map {
        path.utf8.last == UInt8(ascii: "/") ? path + $0 : path + "/" + $0
      }
    }
    return stamps
  }
}

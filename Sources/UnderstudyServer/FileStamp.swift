import Understudy

/// The state of a file without its content. A missing file has a state as well.
struct FileStamp: Equatable, Sendable {
  private let status: FileStatus?

  /// Follows symbolic links, because editors and package managers replace their targets.
  init(path: String) { status = FileStatus(of: path) }

  var isDirectory: Bool { status?.kind == .folder }

  /// Whether it exists and may have changed since a time in nanoseconds.
  func hasChanged(since time: Int) -> Bool { status.map { $0.changed >= time } ?? false }

  /// The stamps of `path` and of its descendants, by path. No directory is entered twice, so loops of links end.
  static func all(under path: String) -> [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    var entered: Set<[UInt64]> = []
    var open = [path]
    while let path = open.popLast() {
      let stamp = FileStamp(path: path)
      stamps[path] = stamp
      guard let folder = stamp.status, stamp.isDirectory, entered.insert([folder.device, folder.inode]).inserted else {
        continue
      }
      // Without hidden files, because editors use them while they write.
      let names = ((try? FileSystem.list(path)) ?? []).map(\.name)
      open += names.filter { $0.utf8.first != UInt8(ascii: ".") }.map {
        path.utf8.last == UInt8(ascii: "/") ? path + $0 : path + "/" + $0
      }
    }
    return stamps
  }
}

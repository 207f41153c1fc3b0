import Understudy

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What tells one state of a file from another without reading it; also its absence is a state.
struct FileStamp: Equatable, Sendable {
  private var exists = false
  private var device: UInt64 = 0
  private var inode: UInt64 = 0
  private var size: Int64 = 0
  private var seconds = 0
  private var nanoseconds = 0
  private(set) var isDirectory = false

  /// Follows symbolic links: editors and package managers replace what a link points to.
  init(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    exists = true
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(truncatingIfNeeded: status.st_size)
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
    #if canImport(Darwin)
    seconds = status.st_mtimespec.tv_sec
    nanoseconds = status.st_mtimespec.tv_nsec
    #else
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
    #endif
  }

  /// The stamps of `path` and, if it is a directory, of all that is in it, by path. Links to directories are not entered
  /// twice, so a loop of links ends.
  static func all(under path: String) -> [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    var entered: Set<[UInt64]> = []
    var open = [path]
    while let path = open.popLast() {
      let stamp = FileStamp(path: path)
      stamps[path] = stamp
      guard stamp.isDirectory, entered.insert([stamp.device, stamp.inode]).inserted else { continue }
      // Without hidden files, among which are those that editors keep while they write.
      let names = ((try? FileSystem.list(path)) ?? []).map(\.name)
      open += names.filter { $0.utf8.first != UInt8(ascii: ".") }.map {
        path.utf8.last == UInt8(ascii: "/") ? path + $0 : path + "/" + $0
      }
    }
    return stamps
  }
}

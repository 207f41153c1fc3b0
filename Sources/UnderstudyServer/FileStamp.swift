import Understudy

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
#if canImport(SwiftOverlayShims)
// On Linux the compiler may count `stat` among the members of this module, whoever declares it first.
import SwiftOverlayShims
#endif

/// The state of a file without its content. A missing file has a state as well.
struct FileStamp: Equatable, Sendable {
  private var exists = false
  private var device: UInt64 = 0
  private var inode: UInt64 = 0
  private var size: Int64 = 0
  /// In nanoseconds since 1970.
  private var modified = 0
  /// When the content, the name or the mode changed. A moved file may have an old `modified`.
  private var changed = 0
  private(set) var isDirectory = false

  /// The time in nanoseconds since 1970, by the clock of file systems.
  static func now() -> Int {
    var time = timespec()
    #if canImport(Darwin)
    clock_gettime(CLOCK_REALTIME, &time)
    #else
    // The exact clock is milliseconds ahead of the clock of file systems.
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    #endif
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int { Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec) }

  /// Follows symbolic links, because editors and package managers replace their targets.
  init(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    exists = true
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    size = Int64(truncatingIfNeeded: status.st_size)
    isDirectory = status.st_mode & S_IFMT == S_IFDIR
    #if canImport(Darwin)
    modified = Self.nanoseconds(status.st_mtimespec)
    changed = Self.nanoseconds(status.st_ctimespec)
    #else
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
    #endif
  }

  /// Whether it exists and may have changed since a time in nanoseconds.
  func hasChanged(since time: Int) -> Bool { exists && changed >= time }

  /// The stamps of `path` and of its descendants, by path. No directory is entered twice, so loops of links end.
  static func all(under path: String) -> [String: FileStamp] {
    var stamps: [String: FileStamp] = [:]
    var entered: Set<[UInt64]> = []
    var open = [path]
    while let path = open.popLast() {
      let stamp = FileStamp(path: path)
      stamps[path] = stamp
      guard stamp.isDirectory, entered.insert([stamp.device, stamp.inode]).inserted else { continue }
      // Without hidden files, because editors use them while they write.
      let names = ((try? FileSystem.list(path)) ?? []).map(\.name)
      open += names.filter { $0.utf8.first != UInt8(ascii: ".") }.map {
        path.utf8.last == UInt8(ascii: "/") ? path + $0 : path + "/" + $0
      }
    }
    return stamps
  }
}

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

/// What tells one state of a file from another without reading it; also its absence is a state.
struct FileStamp: Equatable, Sendable {
  private var exists = false
  private var device: UInt64 = 0
  private var inode: UInt64 = 0
  private var size: Int64 = 0
  private var modified = Moment()
  /// When anything of it changed, its name or mode too: a file that was moved here may be old by `modified`, and one that may
  /// be read at last is another state.
  private var changed = Moment()
  private(set) var isDirectory = false

  /// A reading of the clock that file systems take their times from.
  struct Moment: Equatable, Sendable {
    fileprivate var seconds = 0
    fileprivate var nanoseconds = 0

    fileprivate init() {}

    fileprivate init(_ time: timespec) {
      seconds = Int(time.tv_sec)
      nanoseconds = Int(time.tv_nsec)
    }

    static func now() -> Moment {
      var time = timespec()
      #if canImport(Darwin)
      clock_gettime(CLOCK_REALTIME, &time)
      #else
      // The exact clock is milliseconds ahead of that of the files.
      clock_gettime(CLOCK_REALTIME_COARSE, &time)
      #endif
      return Moment(time)
    }

    fileprivate func isEarlier(than other: Moment) -> Bool {
      (seconds, nanoseconds) < (other.seconds, other.nanoseconds)
    }
  }

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
    modified = Moment(status.st_mtimespec)
    changed = Moment(status.st_ctimespec)
    #else
    modified = Moment(status.st_mtim)
    changed = Moment(status.st_ctim)
    #endif
  }

  /// Whether it may have changed at that moment or after it; of what is not there nobody knows.
  func hasChanged(since moment: Moment) -> Bool { exists && !changed.isEarlier(than: moment) }

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

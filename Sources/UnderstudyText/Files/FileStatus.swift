#if canImport(SwiftOverlayShims)
// On Linux the compiler may count `stat` and `timespec` among the members of this module.
import UnderstudySystem
import SwiftOverlayShims
#endif

/// The metadata of a file or folder, behind symbolic links.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Sendable {
    case regular, folder
    /// A symbolic link, unless links are followed.
    case link
    /// A pipe, a socket or a device.
    case other
  }

  package let kind: Kind
  /// In bytes; 0 for a pipe.
  package let size: Int
  let permissions: mode_t
  package let device: UInt64
  package let inode: UInt64
  /// When the content changed, in nanoseconds since 1970.
  package let modified: Int
  /// When the content, the name or the mode changed. A moved file may have an old `modified`.
  package let changed: Int

  /// `nil` if nothing has this path, or it cannot be reached; `errno` has the reason.
  ///
  /// - Parameter followsLinks: Whether the status of a symbolic link is that of its target.
  package init?(of path: String, followsLinks: Bool = true) {
    var status = stat()
    guard followsLinks ? stat(path, &status) == 0 : lstat(path, &status) == 0 else {
      let code = errno
      Observations.note { $0.kinds[path] = .some(nil) }
      errno = code
      return nil
    }
    self.init(status)
    let kind = kind
    Observations.note { $0.kinds[path] = kind }
  }

  /// `nil` if the descriptor is not open; `errno` has the reason.
  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .folder
    case S_IFLNK: kind = .link
    default: kind = .other
    }
    size = Int(status.st_size)
    permissions = status.st_mode & 0o7777
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    #if canImport(Darwin)
    modified = Self.nanoseconds(status.st_mtimespec)
    changed = Self.nanoseconds(status.st_ctimespec)
    #else
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
    #endif
  }

  /// The time in nanoseconds since 1970, by the clock of file systems.
  package static func now() -> Int {
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
}

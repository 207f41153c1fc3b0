import UnderstudyMock
import UnderstudySystem

/// The process that uses a file alone, by a lock on a byte that no file reaches; the system ends it with the process.
final class FileOwner: Sendable {
  private let descriptor: CInt

  /// SQLite locks bytes at 1 GiB.
  private static let byte: off_t = 1 << 40

  /// - Throws: If another process owns the file.
  init(_ path: String) throws(SQLiteDatabase.Problem) {
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw SQLiteDatabase.Problem(message: String(cString: strerror(errno)))
    }
    var lock = flock()
    (lock.l_type, lock.l_whence, lock.l_start, lock.l_len) = (Int16(F_WRLCK), Int16(SEEK_SET), Self.byte, 1)
    if fcntl(descriptor, F_SETLK, &lock) == 0 { return }
    let isKnown = fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK) && lock.l_pid > 0
    let process = isKnown ? "process \(lock.l_pid)" : "another process"
    close(descriptor)
    throw SQLiteDatabase.Problem(message: "\(process) uses it, and one process can use it at a time")
  }

  deinit { close(descriptor) }
}

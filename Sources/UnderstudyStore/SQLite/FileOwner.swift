import UnderstudyMock
import UnderstudySystem

/// The process that uses a database alone, by a lock on an empty file beside it; the system ends the lock with the process.
///
/// SQLite itself unlocks all bytes of the database at times, so no other lock on that file would last.
final class FileOwner: Sendable {
  private let descriptor: CInt

  /// - Throws: If another process owns the database.
  init(_ path: String) throws(SQLiteDatabase.Problem) {
    descriptor = open(path + "-lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw SQLiteDatabase.Problem(message: "\(path)-lock: \(String(cString: strerror(errno)))")
    }
    var lock = flock()
    (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
    if fcntl(descriptor, F_SETLK, &lock) == 0 { return }
    let isKnown = fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK) && lock.l_pid > 0
    let process = isKnown ? "process \(lock.l_pid)" : "another process"
    close(descriptor)
    throw SQLiteDatabase.Problem(message: "\(process) uses it, and one process can use it at a time")
  }

  deinit { close(descriptor) }
}

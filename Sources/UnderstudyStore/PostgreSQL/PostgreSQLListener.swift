import Dispatch
import UnderstudySystem

/// Listens for the notifications of other processes, on a connection and a thread of its own.
final class PostgreSQLListener: Sendable {
  private let pool: PostgreSQLPool
  private let channel: String
  private let thread = DispatchQueue(label: "lanes.changes")
  /// A pipe whose closed end stops the thread; `nil` before the start and after the end.
  private let ends = Lock<(reading: CInt, writing: CInt)?>(nil)

  init(_ pool: PostgreSQLPool, channel: String) { (self.pool, self.channel) = (pool, channel) }

  /// Calls `body` after each notification, and after each connection, since some may have been missed before.
  func start(_ body: @escaping @Sendable () -> Void) {
    var pair: [CInt] = [-1, -1]
    guard pipe(&pair) == 0 else { return }
    for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let isFirst = ends.withLock { ends in
      guard ends == nil else { return false }
      ends = (pair[0], pair[1])
      return true
    }
    guard isFirst else { return pair.forEach { _ = UnderstudySystem.close($0) } }
    let reading = pair[0]
    thread.async { [self] in
      var pause = 100
      while true {
        do throws(PostgreSQLFailure) {
          let connection = try pool.connect()
          // PostgreSQL quotes channels as it does names.
          let statement = PostgreSQLStatement("LISTEN \(PostgreSQLTables.quoted(channel))")
          _ = try connection.run(statement, until: .now + PostgreSQLPool.patience)
          pause = 100
          body()
          while try connection.waitsForNotification(orInterruption: reading) { body() }
          break
        } catch {
          var descriptor = pollfd(fd: reading, events: Int16(POLLIN), revents: 0)
          guard poll(&descriptor, 1, CInt(pause)) == 0 else { break }
          pause = min(5_000, pause * 2)
        }
      }
      _ = UnderstudySystem.close(reading)
    }
  }

  /// Ends the thread, and waits for it.
  func close() {
    let writing = ends.withLock { ends in
      defer { ends = nil }
      return ends?.writing
    }
    guard let writing else { return }
    _ = UnderstudySystem.close(writing)
    thread.sync {}
  }
}

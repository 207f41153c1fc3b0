import Dispatch
import Synchronization
import UnderstudyMock
import UnderstudySystem

/// A bounded number of connections, each used by the thread that waits for it.
///
/// After a failure to connect, calls fail at once for a time that grows with each failure.
final class PostgreSQLPool: Sendable {
  private struct State {
    var idle: [PostgreSQLConnection] = []
    /// The connections that exist or are being made.
    var count = 0
    var waiting: [Waiter] = []
    var failure: PostgreSQLFailure?
    /// The failures in a row, and the end of the pause after the last one.
    var failures = 0
    var pauseEnd = ContinuousClock.now
    /// Grows when a connection breaks: those that were made before are broken as well.
    var generation = 0
    var isClosed = false
  }

  /// A thread that waits for a connection. Unchecked, and safe: the lock of the pool guards it until the signal.
  private final class Waiter: @unchecked Sendable {
    let signal = DispatchSemaphore(value: 0)
    var connection: PostgreSQLConnection?
  }

  let settings: PostgreSQLSettings
  private let state = Lock(State())
  private let acceptsOptions = Atomic(true)

  /// The maximum number of connections.
  static let limit = 8
  /// The server's time limit for a statement, in milliseconds.
  private static let statementLimit = 5_000
  /// The time limit for a connection and a statement, longer than the server's.
  static let patience = Duration.seconds(8)

  init(_ settings: PostgreSQLSettings) { self.settings = settings }

  /// Runs a statement, once.
  func run(_ statement: PostgreSQLStatement, within limit: Duration = patience) throws(PostgreSQLFailure) -> [[String?]]
  {
    try withConnection(within: limit) { connection, end throws(PostgreSQLFailure) in
      try connection.run(statement, until: end)
    }
  }

  /// Runs a statement that may run twice, with a second connection if the first one breaks.
  func repeatable(_ statement: PostgreSQLStatement) throws(PostgreSQLFailure) -> [[String?]] {
    do throws(PostgreSQLFailure) {
      return try run(statement)
    } catch {
      guard error.kind == .lost else { throw error }
      return try run(statement)
    }
  }

  func withConnection<Result>(
    within limit: Duration = patience,
    _ body: (PostgreSQLConnection, ContinuousClock.Instant) throws(PostgreSQLFailure) -> Result
  ) throws(PostgreSQLFailure) -> Result {
    let end = ContinuousClock.now + limit
    let connection = try take(until: end)
    defer { release(connection) }
    return try body(connection, end)
  }

  /// Makes a connection that does not count.
  func connect() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    let generation = state.withLock { $0.generation }
    guard acceptsOptions.load(ordering: .relaxed) else {
      return try PostgreSQLConnection(settings, statementLimit: nil, generation: generation)
    }
    do throws(PostgreSQLFailure) {
      return try PostgreSQLConnection(settings, statementLimit: Self.statementLimit, generation: generation)
    } catch {
      // pgbouncer
      guard error.message.contains("unsupported startup parameter") else { throw error }
      acceptsOptions.store(false, ordering: .relaxed)
      return try PostgreSQLConnection(settings, statementLimit: nil, generation: generation)
    }
  }

  private enum Turn {
    case use(PostgreSQLConnection)
    case wait(Waiter)
    case connect
    case fail(PostgreSQLFailure)
  }

  private func take(until end: ContinuousClock.Instant) throws(PostgreSQLFailure) -> PostgreSQLConnection {
    while true {
      switch turn() {
      case .use(let connection):
        if connection.isQuiet { return connection }
        // The thread that finds it broken drops the others, too.
        discard(connection, breaks: true)
      case .connect: return try connected()
      case .fail(let failure): throw failure
      case .wait(let waiter):
        if let connection = wait(waiter, until: end) { return connection }
      }
      if ContinuousClock.now >= end {
        throw PostgreSQLFailure(.notConnected, "all \(Self.limit) connections of this process are in use")
      }
    }
  }

  private func turn() -> Turn {
    state.withLock { state in
      if state.isClosed { return .fail(PostgreSQLFailure(.notConnected, "it is closed")) }
      if let connection = state.idle.popLast() { return .use(connection) }
      if let failure = state.failure, ContinuousClock.now < state.pauseEnd { return .fail(failure) }
      if state.count < Self.limit {
        state.count += 1
        return .connect
      }
      let waiter = Waiter()
      state.waiting.append(waiter)
      return .wait(waiter)
    }
  }

  /// - Returns: `nil` if the wait has ended without a connection.
  private func wait(_ waiter: Waiter, until end: ContinuousClock.Instant) -> PostgreSQLConnection? {
    let left = max(0, (end - .now).wholeMicroseconds)
    _ = waiter.signal.wait(timeout: .now() + .microseconds(left))
    return state.withLock { state in
      state.waiting.removeAll { $0 === waiter }
      return waiter.connection
    }
  }

  private func connected() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    do throws(PostgreSQLFailure) {
      let connection = try connect()
      state.withLock { state in (state.failure, state.failures) = (nil, 0) }
      return connection
    } catch {
      let waiting = state.withLock { state in
        state.count -= 1
        state.failure = error
        state.failures += 1
        state.pauseEnd = .now + Self.pause(after: state.failures)
        defer { state.waiting = [] }
        return state.waiting
      }
      // They fail with the same reason.
      for waiter in waiting { waiter.signal.signal() }
      throw error
    }
  }

  /// 0.1 s, doubled up to 3.2 s, and up to half as long again, so that processes do not connect at the same instant.
  private static func pause(after failures: Int) -> Duration {
    .milliseconds(100 << min(5, failures - 1)) * Double.random(in: 1...1.5)
  }

  /// The time until the next attempt to connect.
  var pause: Duration { state.withLock { max(.zero, $0.pauseEnd - .now) } }

  private func release(_ connection: PostgreSQLConnection) {
    guard connection.isUsable else { return discard(connection, breaks: true) }
    let waiter: Waiter? = state.withLock { state in
      guard !state.isClosed, connection.generation == state.generation else {
        state.count -= 1
        return state.waiting.isEmpty ? nil : state.waiting.removeFirst()
      }
      guard !state.waiting.isEmpty else {
        state.idle.append(connection)
        return nil
      }
      let waiter = state.waiting.removeFirst()
      waiter.connection = connection
      return waiter
    }
    waiter?.signal.signal()
  }

  private func discard(_ connection: PostgreSQLConnection, breaks: Bool) {
    let (others, waiter): ([PostgreSQLConnection], Waiter?) = state.withLock { state in
      state.count -= 1
      var others: [PostgreSQLConnection] = []
      if breaks, connection.generation == state.generation {
        state.generation += 1
        swap(&others, &state.idle)
        state.count -= others.count
      }
      return (others, state.waiting.isEmpty ? nil : state.waiting.removeFirst())
    }
    // They are closed outside of the lock.
    _ = others
    waiter?.signal.signal()
  }

  /// Closes the connections; those in use are closed after their statements.
  func close() {
    let (idle, waiting) = state.withLock { state in
      state.isClosed = true
      state.count -= state.idle.count
      defer { (state.idle, state.waiting) = ([], []) }
      return (state.idle, state.waiting)
    }
    _ = idle
    for waiter in waiting { waiter.signal.signal() }
  }
}

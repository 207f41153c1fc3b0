import CUnderstudyPostgreSQL
import UnderstudyMock
import UnderstudySystem

/// A statement with its values: `$1` is the first.
struct PostgreSQLStatement: Sendable {
  enum Value: Sendable {
    case integer(Int?)
    case text(String?)
    case integers([Int])
    case texts([String])
  }

  let sql: String
  let values: [Value]

  init(_ sql: String, _ values: [Value] = []) { (self.sql, self.values) = (sql, values) }
}

/// The reason that a statement has no result.
struct PostgreSQLFailure: Error {
  enum Kind {
    /// The server has rejected the statement, which has no effect.
    case rejected
    /// No connection was made, so nothing was sent.
    case notConnected
    /// The connection ended, or the time limit passed: the statement may have an effect.
    case lost
  }

  let kind: Kind
  /// The SQLSTATE; empty without one.
  let state: String
  let message: String

  init(_ kind: Kind, _ message: String, state: String = "") {
    (self.kind, self.state, self.message) = (kind, state, message)
  }
}

/// A connection to a PostgreSQL server. Unchecked, and safe: the pool hands it to one thread at a time.
///
/// Statements are unnamed and leave no state in the session, so a pooler may share the session.
final class PostgreSQLConnection: @unchecked Sendable {
  private let handle: OpaquePointer
  private let settings: PostgreSQLSettings
  private(set) var isUsable = true
  /// The generation of the pool that it belongs to.
  let generation: Int

  /// Connects, and waits for it.
  init(_ settings: PostgreSQLSettings, statementLimit: Int?, generation: Int) throws(PostgreSQLFailure) {
    let parameters = settings.parameters(statementLimit: statementLimit)
    let handle = Self.withPointers(parameters.map(\.keyword)) { keywords in
      Self.withPointers(parameters.map(\.value)) { values in pq_connect(keywords, values) }
    }
    guard let handle else { throw PostgreSQLFailure(.notConnected, "out of memory") }
    (self.handle, self.settings, self.generation) = (handle, settings, generation)
    guard pq_status(handle) == CInt(PQ_CONNECTED) else {
      throw PostgreSQLFailure(.notConnected, Self.error(handle, settings))
    }
  }

  deinit { pq_finish(handle) }

  private static func withPointers<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    let pointers = copies.map { UnsafePointer($0) } + [nil]
    return pointers.withUnsafeBufferPointer { body($0.baseAddress!) }
  }

  private static func error(_ handle: OpaquePointer, _ settings: PostgreSQLSettings) -> String {
    let message = settings.shown(
      String(cString: pq_error(handle)), password: pq_password(handle).map { String(cString: $0) })
    return message.isEmpty ? "the connection has ended" : message
  }

  /// Whether nothing has arrived since the last statement: a server that ended has said so, or closed the connection.
  var isQuiet: Bool {
    var descriptor = pollfd(fd: pq_socket(handle), events: Int16(POLLIN), revents: 0)
    return isUsable && poll(&descriptor, 1, 0) == 0
  }

  // MARK: - Statements

  /// Runs a statement; a null is `nil`.
  func run(
    _ statement: PostgreSQLStatement, until deadline: ContinuousClock.Instant
  ) throws(PostgreSQLFailure)
    -> [[String?]]
  {
    guard send(statement) else { throw lost() }
    try flush(until: deadline)
    var rows: [[String?]] = []
    var failure: PostgreSQLFailure?
    while true {
      while pq_is_busy(handle) != 0 {
        try wait(for: POLLIN, until: deadline)
        guard pq_read(handle) != 0 else { throw lost() }
      }
      guard let result = pq_next_result(handle) else { break }
      defer { pq_clear(result) }
      switch pq_result_status(result) {
      case CInt(PQ_COMMAND_OK), CInt(PQ_ROWS): rows = Self.rows(of: result)
      default: failure = self.failure(of: result)
      }
    }
    guard pq_status(handle) == CInt(PQ_CONNECTED) else {
      throw failure.map { lost($0.message, state: $0.state) } ?? lost()
    }
    if let failure { throw failure }
    return rows
  }

  private func lost(_ message: String? = nil, state: String = "") -> PostgreSQLFailure {
    isUsable = false
    return PostgreSQLFailure(.lost, message ?? Self.error(handle, settings), state: state)
  }

  private func failure(of result: OpaquePointer) -> PostgreSQLFailure {
    func field(_ code: Int) -> String? { pq_field(result, CInt(code)).map { String(cString: $0) } }
    let state = field(PQ_FIELD_STATE) ?? ""
    // A server that has become a standby stays connected.
    if state == "25006" { isUsable = false }
    guard let message = field(PQ_FIELD_MESSAGE) else { return lost() }
    return PostgreSQLFailure(.rejected, settings.shown(message), state: state)
  }

  private func flush(until deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) {
    while true {
      switch pq_flush(handle) {
      case 0: return
      case 1:
        // The server may send before it reads.
        try wait(for: POLLIN | POLLOUT, until: deadline)
        guard pq_read(handle) != 0 else { throw lost() }
      default: throw lost()
      }
    }
  }

  private func wait(for events: CInt, until deadline: ContinuousClock.Instant) throws(PostgreSQLFailure) {
    while true {
      let left = (deadline - .now).wholeMicroseconds / 1_000
      var descriptor = pollfd(fd: pq_socket(handle), events: Int16(events), revents: 0)
      let code = left > 0 ? poll(&descriptor, 1, CInt(clamping: left)) : 0
      if code > 0 { return }
      if code < 0, errno == EINTR { continue }
      throw lost(code == 0 ? "the server does not respond in time" : nil)
    }
  }

  private func send(_ statement: PostgreSQLStatement) -> Bool {
    var bytes: [UInt8] = []
    var offsets: [Int?] = []
    var lengths: [CInt] = []
    var formats: [CInt] = []
    for value in statement.values {
      let start = bytes.count
      switch value {
      case .integer(let number): if let number { bytes += "\(number)".utf8 }
      case .text(let text): if let text { bytes += text.utf8 }
      case .integers(let numbers): bytes += "{\(numbers.map(String.init).joined(separator: ","))}".utf8
      case .texts(let texts): Self.append(texts, to: &bytes)
      }
      lengths.append(CInt(clamping: bytes.count - start))
      offsets.append(value.isNull ? nil : start)
      if case .texts = value { formats.append(1) } else { formats.append(0) }
      bytes.append(0)
    }
    return bytes.withUnsafeBytes { bytes in
      let pointers = offsets.map { offset in offset.flatMap { bytes.baseAddress?.advanced(by: $0) } }
        .map { $0?.assumingMemoryBound(to: CChar.self) }
      return pq_send(handle, statement.sql, CInt(pointers.count), pointers, lengths, formats) != 0
    }
  }

  /// Appends an array of `text` in the binary format, which escapes nothing.
  private static func append(_ texts: [String], to bytes: inout [UInt8]) {
    func append(_ number: Int) { withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { bytes += $0 } }
    // One dimension, no nulls, the type `text`, the count, the first index.
    for number in texts.isEmpty ? [0, 0, 25] : [1, 0, 25, texts.count, 1] { append(number) }
    for text in texts {
      append(text.utf8.count)
      bytes += text.utf8
    }
  }

  private static func rows(of result: OpaquePointer) -> [[String?]] {
    (0..<pq_rows(result)).map { row in
      (0..<pq_columns(result)).map { column in
        guard pq_is_null(result, row, column) == 0, let value = pq_value(result, row, column) else { return nil }
        return String(
          decoding: UnsafeRawBufferPointer(start: value, count: Int(pq_length(result, row, column))), as: UTF8.self)
      }
    }
  }

  // MARK: - Notifications

  /// Waits for notifications, and drops them.
  ///
  /// - Parameter interruption: A descriptor that ends the wait once it can be read.
  /// - Returns: Whether one has arrived; `false` if the wait was interrupted.
  func waitsForNotification(orInterruption interruption: CInt) throws(PostgreSQLFailure) -> Bool {
    while true {
      guard pq_read(handle) != 0 else { throw lost() }
      var hasArrived = false
      while let notification = pq_notified(handle) {
        pq_free(notification)
        hasArrived = true
      }
      if hasArrived { return true }
      var descriptors = [pq_socket(handle), interruption].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      if poll(&descriptors, 2, -1) < 0, errno != EINTR { throw lost() }
      if descriptors[1].revents != 0 { return false }
    }
  }
}

extension PostgreSQLStatement.Value {
  fileprivate var isNull: Bool {
    switch self {
    case .integer(let value): value == nil
    case .text(let value): value == nil
    case .integers, .texts: false
    }
  }
}

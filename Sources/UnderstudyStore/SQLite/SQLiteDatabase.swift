import CUnderstudySQLite
import UnderstudyMock

/// A database file of SQLite. Used by one thread at a time.
package final class SQLiteDatabase {
  /// Why a statement could not be carried out.
  package struct Problem: Error {
    package let message: String

    package init(message: String) { self.message = message }
  }

  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - isReadOnly: Whether the file must exist; otherwise it is made where it does not.
  ///   - patience: The maximum wait for another program that uses the file.
  package init(_ path: String, isReadOnly: Bool, patience: Duration = .seconds(60)) throws(Problem) {
    var handle: OpaquePointer?
    let flags = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    // A `:memory:` or `file:` would not be a file.
    let path = path.hasPrefix("/") ? path : "./" + path
    // SQLite gives its log the mode of the file.
    if !isReadOnly { FileSystem.makePrivate(path) }
    let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_FULLMUTEX, nil)
    guard let handle else { throw Problem(message: "out of memory") }
    guard code == SQLITE_OK else {
      let problem = Problem(message: String(cString: sqlite3_errmsg(handle)))
      sqlite3_close_v2(handle)
      throw problem
    }
    self.handle = handle
    // Another program may look at it for a while.
    sqlite3_busy_timeout(handle, Int32(clamping: patience.wholeMicroseconds / 1_000))
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// A value of a column, or of a place in a statement.
  package enum Value: Equatable {
    case integer(Int)
    case text(String)
    case null

    package var integer: Int? { if case .integer(let value) = self { value } else { nil } }
    package var text: String? { if case .text(let value) = self { value } else { nil } }
  }

  /// Carries out several statements without values.
  package func execute(_ sql: String) throws(Problem) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw problem }
  }

  /// Carries out one statement, which is kept for the next time.
  package func run(_ sql: String, _ values: [Value] = []) throws(Problem) {
    try query(sql, values) { _ in }
  }

  /// Gets every row of a statement, as long as `body` returns.
  package func query(_ sql: String, _ values: [Value] = [], _ body: ([Value]) -> Void) throws(Problem) {
    let statement = try prepared(sql)
    defer { sqlite3_reset(statement) }
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      let code =
        switch value {
        case .integer(let number): sqlite3_bind_int64(statement, place, Int64(number))
        case .text(let text): sqlite3_bind_text(statement, place, text, -1, Self.transient)
        case .null: sqlite3_bind_null(statement, place)
        }
      guard code == SQLITE_OK else { throw problem }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: body((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
      case SQLITE_DONE: return
      default: throw problem
      }
    }
  }

  /// Throws if pages of the file are damaged.
  package func requireWhole() throws(Problem) {
    var found: String?
    try query("PRAGMA quick_check(1)") { found = $0.first?.text }
    guard found == "ok" else { throw Problem(message: "it is damaged: \(found ?? "it cannot be checked")") }
  }

  /// Makes all changes of `body`, or none.
  package func transaction(_ body: () throws(Problem) -> Void) throws(Problem) {
    try execute("BEGIN IMMEDIATE")
    do throws(Problem) {
      try body()
      try execute("COMMIT")
    } catch {
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// The number of rows that the last statement has changed.
  package var changedRows: Int { Int(sqlite3_changes(handle)) }

  package var lastRow: Int { Int(sqlite3_last_insert_rowid(handle)) }

  private func prepared(_ sql: String) throws(Problem) -> OpaquePointer {
    if let known = statements[sql] { return known }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw problem }
    statements[sql] = statement
    return statement
  }

  private static func value(_ statement: OpaquePointer, _ column: Int32) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(Int(sqlite3_column_int64(statement, column)))
    case SQLITE_NULL: return .null
    default:
      let count = Int(sqlite3_column_bytes(statement, column))
      let bytes = UnsafeRawBufferPointer(start: sqlite3_column_text(statement, column), count: count)
      return .text(String(decoding: bytes, as: UTF8.self))
    }
  }

  private var problem: Problem { Problem(message: String(cString: sqlite3_errmsg(handle))) }

  /// SQLite copies the text (`SQLITE_TRANSIENT`, a cast that the importer leaves out).
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

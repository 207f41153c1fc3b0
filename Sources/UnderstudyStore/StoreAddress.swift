package import UnderstudyMock

/// The address of a store of lanes: `lanes.db`, `sqlite:lanes.db`, `postgresql://host/database`.
package enum StoreAddress: Sendable, Equatable {
  /// The path of an SQLite file.
  case file(String)
  case postgreSQL(PostgreSQLAddress)

  /// Reads an address.
  ///
  /// - Throws: The reason that it names no store.
  package init(_ text: String) throws(LaneProblem) {
    let scheme = text.prefix { $0 != ":" && $0 != "/" }.lowercased()
    let hasScheme = text.utf8.dropFirst(scheme.utf8.count).first == UInt8(ascii: ":")
    if Self.isServer(text) {
      self = .postgreSQL(try PostgreSQLAddress(text))
      return
    }
    let path = hasScheme && scheme == "sqlite" ? String(text.dropFirst("sqlite:".count)) : text
    guard !path.isEmpty, !path.hasSuffix("/"), !(hasScheme && text.contains("://")) else {
      throw LaneProblem(
        .store,
        "`\(VisibleText.line(VisibleText.withoutUsers(text)))` is not a store: expected the path of a file or "
          + "`postgresql://HOST/DATABASE`", help: "name one: `--store lanes.db`")
    }
    self = .file(path)
  }

  /// Whether an address names a database server, and no file.
  package static func isServer(_ text: String) -> Bool {
    ["postgresql:", "postgres:"].contains { text.lowercased().hasPrefix($0) }
  }

  /// Whether a file is a store.
  package static func isStore(_ path: String) -> Bool {
    guard FileSystem.isRegular(path), let database = try? SQLiteDatabase(path, isReadOnly: true) else { return false }
    return (try? SQLiteTables.names(in: database))?.contains("understudy_meta") == true
  }

  /// The kind and the name of the store, without a password.
  package var name: String {
    switch self {
    case .file(let path): "SQLite \(path)"
    case .postgreSQL(let address): (try? PostgreSQLSettings(address))?.summary ?? "PostgreSQL"
    }
  }

  /// Opens the store.
  ///
  /// - Throws: The reason that it cannot be used.
  package func open() throws(LaneProblem) -> any LaneDatabase {
    switch self {
    case .file(let path): try SQLiteLanes(path)
    case .postgreSQL(let address): try PostgreSQLLanes(address)
    }
  }

  /// Opens the exchanges of the store for reading, also while other processes write them.
  ///
  /// - Throws: The reason that it cannot be read.
  package func openExchanges() throws(LaneProblem) -> any StoredExchanges {
    switch self {
    case .file(let path): try SQLiteExchangeFile(path)
    case .postgreSQL(let address): try PostgreSQLExchanges(address)
    }
  }
}

/// The exchanges of a store that others may write meanwhile.
package protocol StoredExchanges {
  /// The kind and the name of the database, without a password.
  var summary: String { get }
  /// The exchanges of a lane, or of all, in the order of their storage.
  ///
  /// - Parameters:
  ///   - position: The position of the last known exchange; 0 for all.
  ///   - limit: The maximum number of exchanges.
  func exchanges(of key: String?, after position: Int, limit: Int) throws(LaneProblem) -> [StoredExchange]
}

import UnderstudyMock

/// The tables of a store in an SQLite file. Later versions only add to them.
enum SQLiteTables {
  static let version = 2

  /// The statements that lead to each version, from the first.
  private static let steps = [
    """
    CREATE TABLE understudy_meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE understudy_lanes (
      key TEXT PRIMARY KEY, version INTEGER NOT NULL, state TEXT NOT NULL, due INTEGER, contract TEXT NOT NULL,
      format INTEGER NOT NULL, owner TEXT, labels TEXT, expires INTEGER);
    CREATE INDEX understudy_lanes_expires ON understudy_lanes (expires) WHERE expires IS NOT NULL;
    INSERT INTO understudy_meta VALUES ('schema', '1'), ('processes', '0');
    """,
    """
    CREATE TABLE understudy_exchanges (
      position INTEGER PRIMARY KEY AUTOINCREMENT, replica TEXT NOT NULL, number INTEGER NOT NULL, lane TEXT NOT NULL,
      time INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE (replica, number));
    CREATE INDEX understudy_exchanges_lane ON understudy_exchanges (lane, position);
    UPDATE understudy_meta SET value = '2' WHERE key = 'schema';
    """,
  ]

  static func create(in database: SQLiteDatabase) throws(SQLiteDatabase.Problem) {
    for step in steps { try database.execute(step) }
  }

  static func migrate(_ database: SQLiteDatabase) throws(SQLiteDatabase.Problem) {
    for step in steps.dropFirst(try found(in: database) ?? 0) { try database.execute(step) }
  }

  static func names(in database: SQLiteDatabase) throws(SQLiteDatabase.Problem) -> [String] {
    var names: [String] = []
    try database.query("SELECT name FROM sqlite_schema WHERE type = 'table'") { names += [$0[0].text ?? ""] }
    return names
  }

  private static func found(in database: SQLiteDatabase) throws(SQLiteDatabase.Problem) -> Int? {
    var found: Int?
    try database.query("SELECT value FROM understudy_meta WHERE key = 'schema'") { row in
      found = row[0].text.flatMap { Int($0) }
    }
    return found
  }

  /// Throws if the file has no lanes, or lanes that this version cannot read.
  static func require(in database: SQLiteDatabase) throws(SQLiteDatabase.Problem) {
    guard try names(in: database).contains("understudy_meta") else {
      throw SQLiteDatabase.Problem(message: "it is a database, but no store of lanes")
    }
    if let problem = StoreVersion.problem(tables: try found(in: database), version) {
      throw SQLiteDatabase.Problem(message: problem)
    }
    var format = 0
    try database.query("SELECT max(format) FROM understudy_lanes") { format = $0[0].integer ?? 0 }
    if let problem = StoreVersion.problem(format: format) { throw SQLiteDatabase.Problem(message: problem) }
  }
}

import UnderstudyMock

/// The exchanges of the lanes in an SQLite file.
enum SQLiteExchanges {
  /// - Parameter replacing: Whether a known exchange gets the new string and time, or stays as it is.
  static func add(
    _ exchanges: [StoredExchange], replacing: Bool, in database: SQLiteDatabase
  ) throws(SQLiteDatabase.Problem) {
    for exchange in exchanges {
      try database.run(
        """
        INSERT INTO understudy_exchanges (replica, number, lane, time, text) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (replica, number) DO \(replacing ? "UPDATE SET text = excluded.text, time = excluded.time" : "NOTHING")
        """,
        [
          .text(exchange.replica), .integer(exchange.number), .text(exchange.lane), .integer(exchange.time),
          .text(exchange.text),
        ])
    }
  }

  static func read(
    of key: String?, after position: Int, limit: Int, in database: SQLiteDatabase
  )
    throws(SQLiteDatabase.Problem) -> [StoredExchange]
  {
    var exchanges: [StoredExchange] = []
    let condition = key == nil ? "" : "AND lane = ?3"
    try database.query(
      """
      SELECT replica, number, lane, time, text, position FROM understudy_exchanges
      WHERE position > ?1 \(condition) ORDER BY position LIMIT ?2
      """, [.integer(position), .integer(limit)] + (key.map { [.text($0)] } ?? [])
    ) { row in
      exchanges.append(
        StoredExchange(
          replica: row[0].text ?? "", number: row[1].integer ?? 0, lane: row[2].text ?? "", time: row[3].integer ?? 0,
          text: row[4].text ?? "", position: row[5].integer ?? 0))
    }
    return exchanges
  }

  /// Removes old exchanges of lanes that have no row.
  static func removeOrphans(at now: Int, in database: SQLiteDatabase) throws(SQLiteDatabase.Problem) {
    try database.run(
      "DELETE FROM understudy_exchanges WHERE time < ? AND lane NOT IN (SELECT key FROM understudy_lanes)",
      [.integer(now - ExchangePruning.orphanAge)])
  }

  /// Removes the oldest exchanges of a lane that has more than the limit.
  static func prune(_ lane: String, in database: SQLiteDatabase) throws(SQLiteDatabase.Problem) {
    try database.run(
      """
      DELETE FROM understudy_exchanges WHERE lane = ?1 AND position <= (
        SELECT position FROM understudy_exchanges WHERE lane = ?1 ORDER BY position DESC
        LIMIT 1 OFFSET \(ExchangePruning.limit))
      """, [.text(lane)])
  }
}

/// The exchanges of an SQLite file, for reading beside the process that owns it.
final class SQLiteExchangeFile: StoredExchanges {
  let summary: String
  private let path: String
  private let database: SQLiteDatabase
  /// Whether the file has the table: an earlier version made none.
  private let hasExchanges: Bool

  init(_ path: String) throws(LaneProblem) {
    (self.path, summary) = (path, "SQLite \(path)")
    do throws(SQLiteDatabase.Problem) {
      guard FileSystem.exists(path) else { throw SQLiteDatabase.Problem(message: "this file does not exist") }
      database = try SQLiteDatabase(path, isReadOnly: true, patience: .seconds(5))
      try SQLiteTables.require(in: database)
      hasExchanges = try SQLiteTables.names(in: database).contains("understudy_exchanges")
    } catch {
      throw SQLiteLanes.problem(path, error.message, help: "name a file that `serve --store` wrote")
    }
  }

  func exchanges(of key: String?, after position: Int, limit: Int) throws(LaneProblem) -> [StoredExchange] {
    guard hasExchanges else { return [] }
    do throws(SQLiteDatabase.Problem) {
      return try SQLiteExchanges.read(of: key, after: position, limit: limit, in: database)
    } catch {
      throw SQLiteLanes.problem(path, error.message)
    }
  }
}

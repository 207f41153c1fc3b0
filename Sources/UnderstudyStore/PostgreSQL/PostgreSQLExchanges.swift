import UnderstudyMock

/// The exchanges of a PostgreSQL store, for reading.
final class PostgreSQLExchanges: StoredExchanges {
  let summary: String
  private let pool: PostgreSQLPool
  private let tables: PostgreSQLTables

  init(_ address: PostgreSQLAddress) throws(LaneProblem) {
    let settings = try PostgreSQLSettings(address)
    let pool = PostgreSQLPool(settings)
    (self.pool, summary) = (pool, settings.summary)
    do throws(PostgreSQLFailure) {
      tables = try pool.withConnection { connection, end throws(PostgreSQLFailure) in
        try PostgreSQLTables.open(address.schema, writes: false, connection, until: end).0
      }
    } catch {
      throw LaneProblem(error, of: settings.summary)
    }
  }

  func exchanges(of key: String?, after position: Int, limit: Int) throws(LaneProblem) -> [StoredExchange] {
    do throws(PostgreSQLFailure) {
      return try pool.repeatable(tables.exchanges(of: key, after: position, limit: limit)).map(StoredExchange.init)
    } catch {
      throw LaneProblem(error, of: summary)
    }
  }
}

extension PostgreSQLTables {
  func exchanges(of key: String?, after position: Int, limit: Int) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      SELECT replica, number, lane, time, text, position FROM \(exchanges)
      WHERE position > $1::bigint \(key == nil ? "" : "AND lane = $3") ORDER BY position LIMIT $2::bigint
      """, [.integer(position), .integer(limit)] + (key.map { [.text($0)] } ?? []))
  }
}

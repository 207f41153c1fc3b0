import Dispatch
package import UnderstudyMock
import UnderstudySystem

/// The lanes of several processes in a PostgreSQL database.
package final class PostgreSQLLanes: Sendable {
  package let summary: String
  package let earlierProcesses: Int
  package let replica: String
  let pool: PostgreSQLPool
  let tables: PostgreSQLTables
  private let pruning = ExchangePruning()
  private let maintenance = DispatchQueue(label: "lanes.store")
  private let listener: PostgreSQLListener

  /// Connects, and creates the tables if they are missing.
  ///
  /// - Throws: The reason that the database cannot be used: it cannot be reached, or a later version wrote it.
  package init(_ address: PostgreSQLAddress) throws(LaneProblem) {
    let settings = try PostgreSQLSettings(address)
    let pool = PostgreSQLPool(settings)
    (self.pool, summary) = (pool, settings.summary)
    do throws(PostgreSQLFailure) {
      (tables, earlierProcesses) = try pool.withConnection { connection, end throws(PostgreSQLFailure) in
        try PostgreSQLTables.open(address.schema, writes: true, connection, until: end)
      }
    } catch {
      throw LaneProblem(error, of: settings.summary)
    }
    replica = "r\(earlierProcesses + 1)"
    listener = PostgreSQLListener(pool, channel: tables.channel)
  }

  /// Runs a statement that may run twice.
  func rows(_ sql: String, _ values: [PostgreSQLStatement.Value] = []) throws(LaneProblem) -> [[String?]] {
    do throws(PostgreSQLFailure) {
      return try pool.repeatable(PostgreSQLStatement(sql, values))
    } catch {
      throw LaneProblem(error, of: summary)
    }
  }
}

extension PostgreSQLLanes: LaneDatabase {
  package func lanes(at now: Int) throws(LaneProblem) -> [StoredLaneEntry] {
    _ = try rows("DELETE FROM \(tables.lanes) WHERE expires <= $1::bigint", [.integer(now)])
    removeOrphans(at: now)
    return try rows("SELECT key, due, expires FROM \(tables.lanes)").map { row in
      StoredLaneEntry(key: row[0] ?? "", due: row[1].flatMap { Int($0) }, expires: row[2].flatMap { Int($0) })
    }
  }

  package func load(_ key: String) throws(LaneProblem) -> StoredLane? {
    try rows("SELECT version, state, contract FROM \(tables.lanes) WHERE key = $1", [.text(key)]).first.map { row in
      StoredLane(version: row[0].flatMap { Int($0) } ?? 0, state: row[1] ?? "", contract: row[2] ?? "")
    }
  }

  package func commit(_ write: LaneWrite) throws(LaneProblem) -> LaneCommit {
    let result = try PostgreSQLCommit(write, replica: replica, tables).run(in: pool, summary)
    if result.isStored { prune(after: write.exchanges) }
    if case .stored(let number?) = result { removeChanges(before: number) }
    return result
  }

  package func remove(_ keys: [String], expiredBy time: Int?) throws(LaneProblem) {
    _ = try rows(
      "DELETE FROM \(tables.lanes) WHERE key = ANY ($1::text[]) AND ($2::bigint IS NULL OR expires <= $2::bigint)",
      [.texts(keys), .integer(time)])
    pruning.forget(keys)
    if let time { removeOrphans(at: time) }
  }

  // MARK: - Exchanges

  package func append(_ exchanges: [StoredExchange]) throws(LaneProblem) {
    var rest = exchanges[...]
    while !rest.isEmpty {
      // A transaction locks its lanes in order, so that two of them never wait for each other.
      var batch = Array(rest.prefix(Self.batchLimit))
      rest = rest.dropFirst(batch.count)
      // One statement inserts or replaces a row, not both.
      var known = Set<StoredExchange.Identity>()
      batch = batch.reversed().filter { known.insert($0.identity).inserted }.reversed()
      let locks = Set(batch.map { tables.lock("lane", $0.lane) }).sorted()
      _ = try rows(
        """
        WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(key) FROM unnest($1::bigint[]) AS key)
        INSERT INTO \(tables.exchanges) (replica, number, lane, time, text)
        SELECT exchange.* FROM (SELECT count(*) FROM locked) AS done,
          unnest($2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[]) AS exchange
        ON CONFLICT (replica, number) DO UPDATE SET text = excluded.text, time = excluded.time
        """, [.integers(locks)] + PostgreSQLStatement.columns(of: batch))
      prune(after: batch)
    }
  }

  /// The maximum number of exchanges in a statement.
  private static let batchLimit = 500

  package func exchanges(of key: String?, after position: Int, limit: Int) throws(LaneProblem) -> [StoredExchange] {
    let statement = tables.exchanges(of: key, after: position, limit: limit)
    return try rows(statement.sql, statement.values).map(StoredExchange.init)
  }

  /// Removes old exchanges of removed lanes at times, off the threads of requests.
  private func removeOrphans(at now: Int) {
    guard pruning.isDue(at: now) else { return }
    maintenance.async { [self] in
      try? removeInBatches(
        "SELECT position FROM \(tables.exchanges) AS exchange WHERE time < $1::bigint AND NOT EXISTS "
          + "(SELECT FROM \(tables.lanes) WHERE key = exchange.lane)", [.integer(now - ExchangePruning.orphanAge)])
    }
  }

  /// - Parameter positions: A query for the positions of the exchanges.
  private func removeInBatches(_ positions: String, _ values: [PostgreSQLStatement.Value]) throws(LaneProblem) {
    let limit = 5_000
    while true {
      let removed = try rows(
        """
        WITH removed AS (
          DELETE FROM \(tables.exchanges) WHERE position IN (\(positions) LIMIT \(limit)) RETURNING position)
        SELECT count(*) FROM removed
        """, values)
      guard removed.first?[0] == "\(limit)" else { return }
    }
  }

  /// Removes the oldest exchanges of lanes that have many, off the threads of requests.
  private func prune(after exchanges: [StoredExchange]) {
    for lane in pruning.lanes(after: exchanges) {
      maintenance.async { [self] in
        // The next batch removes those that stay now.
        try? removeInBatches(
          """
          SELECT position FROM \(tables.exchanges) WHERE lane = $1 AND position <= (
            SELECT position FROM \(tables.exchanges) WHERE lane = $1 ORDER BY position DESC
            OFFSET \(ExchangePruning.limit) LIMIT 1)
          """, [.text(lane)])
      }
    }
  }

  /// The maximum number of changes, but for those since the last removal.
  private static let changeLimit = 10_000

  /// Removes the oldest changes at times, off the threads of requests.
  func removeChanges(before number: Int) {
    guard number.isMultiple(of: 100) else { return }
    maintenance.async { [self] in
      _ = try? rows("DELETE FROM \(tables.changes) WHERE number <= $1::bigint", [.integer(number - Self.changeLimit)])
    }
  }

  package func close() {
    listener.close()
    maintenance.sync {}
    pool.close()
  }
}

extension PostgreSQLLanes {
  package func onWake(_ body: @escaping @Sendable () -> Void) { listener.start(body) }
}

extension PostgreSQLStatement {
  /// The values of exchanges: an array for each of the columns `replica`, `number`, `lane`, `time`, `text`.
  static func columns(of exchanges: [StoredExchange]) -> [Value] {
    [
      .texts(exchanges.map(\.replica)), .integers(exchanges.map(\.number)), .texts(exchanges.map(\.lane)),
      .integers(exchanges.map(\.time)), .texts(exchanges.map(\.text)),
    ]
  }
}

extension StoredExchange {
  /// The parts that no other exchange has.
  struct Identity: Hashable {
    let replica: String
    let number: Int
  }

  var identity: Identity { Identity(replica: replica, number: number) }

  /// The columns `replica`, `number`, `lane`, `time`, `text`, `position`.
  init(row: [String?]) {
    func number(_ column: Int) -> Int { row[column].flatMap { Int($0) } ?? 0 }
    self.init(
      replica: row[0] ?? "", number: number(1), lane: row[2] ?? "", time: number(3), text: row[4] ?? "",
      position: number(5))
  }
}

package import UnderstudyMock

extension PostgreSQLLanes: ReplicaDatabase {
  /// Microseconds since 1970 by the clock of the database.
  private static let now = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"

  package func renew(_ duration: Int, seen: Int, flushed: Int, contract: String) throws(LaneProblem) -> Int {
    let row = try rows(
      """
      WITH clock AS MATERIALIZED (SELECT \(Self.now) AS now)
      INSERT INTO \(tables.replicas) (name, lease, seen, flushed, contract)
      SELECT $1, now + $2::bigint, $3::bigint, $4::bigint, $5 FROM clock
      ON CONFLICT (name) DO UPDATE SET lease = excluded.lease, seen = excluded.seen, flushed = excluded.flushed,
        contract = excluded.contract
      RETURNING lease
      """, [.text(replica), .integer(duration), .integer(seen), .integer(flushed), .text(contract)])
    return (row.first?[0].flatMap { Int($0) } ?? 0) - duration
  }

  package func leave() throws(LaneProblem) {
    _ = try rows("DELETE FROM \(tables.replicas) WHERE name = $1", [.text(replica)])
  }

  package func replicas() throws(LaneProblem) -> [StoredReplica] {
    try rows("SELECT name, lease, seen, flushed, contract FROM \(tables.replicas) ORDER BY name").map { row in
      func number(_ column: Int) -> Int { row[column].flatMap { Int($0) } ?? 0 }
      return StoredReplica(
        name: row[0] ?? "", lease: number(1), seen: number(2), flushed: number(3), contract: row[4] ?? "")
    }
  }

  package func remove(_ replica: StoredReplica) throws(LaneProblem) -> Bool {
    let statement = PostgreSQLStatement(
      "DELETE FROM \(tables.replicas) WHERE name = $1 AND lease = $2::bigint AND lease < \(Self.now) RETURNING name",
      [.text(replica.name), .integer(replica.lease)])
    do throws(PostgreSQLFailure) {
      return try !pool.run(statement).isEmpty
    } catch {
      guard error.kind == .lost else { throw LaneProblem(error, of: summary) }
      // Of two processes that believe to be first, each may do what follows: the second one finds nothing to do.
      let isGone = try rows("SELECT FROM \(tables.replicas) WHERE name = $1", [.text(replica.name)]).isEmpty
      if isGone { return true }
      return try !rows(statement.sql, statement.values).isEmpty
    }
  }

  // MARK: - Changes

  package func announce(_ change: LaneAnnouncement) throws(LaneProblem) -> Int {
    let steps = tables.announcement(of: "$1::text", by: "$2::text", write: "NULL::bigint", onceIn: nil)
    let row = try rows(
      """
      WITH \(steps.joined(separator: ",\n"))
      SELECT number, pg_notify('\(tables.channel)', '') FROM announced
      """, [.text(change.text), .text(replica)]
    ).first
    let number = row?[0].flatMap { Int($0) } ?? 0
    removeChanges(before: number)
    return number
  }

  package func announcements(after number: Int) throws(LaneProblem) -> [(number: Int, change: LaneAnnouncement)] {
    try rows(
      "SELECT number, change FROM \(tables.changes) WHERE number > $1::bigint ORDER BY number", [.integer(number)]
    ).compactMap { row in
      guard let number = row[0].flatMap({ Int($0) }), let change = row[1].flatMap(LaneAnnouncement.init(text:)) else {
        return nil
      }
      return (number, change)
    }
  }
}

extension PostgreSQLTables {
  /// The steps of a statement that store a change as `announced`, with the next number. Transactions that announce commit in
  /// the order of their numbers, as the row of the last number is locked until the end.
  ///
  /// - Parameter step: The step that must have changed a row; `nil` for none.
  func announcement(of change: String, by replica: String, write: String, onceIn step: String?) -> [String] {
    [
      """
      counted AS (
        UPDATE \(meta) AS meta SET value = (meta.value::bigint + 1)::text \(step.map { "FROM \($0) " } ?? "")\
      WHERE meta.key = 'changes'
        RETURNING meta.value::bigint AS number)
      """,
      """
      announced AS (
        INSERT INTO \(changes) (number, change, replica, write)
        SELECT number, \(change), \(replica), \(write) FROM counted RETURNING number)
      """,
    ]
  }
}

extension LaneAnnouncement {
  /// `lane NAME`, `closed NAME`, `flush`, `mock JSON`.
  var text: String {
    switch self {
    case .lane(let key): "lane \(key)"
    case .closed(let key): "closed \(key)"
    case .flush: "flush"
    case .mock(let json): "mock \(json)"
    }
  }

  /// `nil` for a change of a later version.
  init?(text: String) {
    let word = text.prefix { $0 != " " }
    let rest = String(text.dropFirst(word.count + 1))
    switch word {
    case "lane": self = .lane(rest)
    case "closed": self = .closed(rest)
    case "flush": self = .flush
    case "mock": self = .mock(rest)
    default: return nil
    }
  }
}

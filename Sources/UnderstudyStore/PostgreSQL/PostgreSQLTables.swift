import UnderstudyMock

/// The tables of a store in a schema of a database. Later versions only add to them.
struct PostgreSQLTables: Sendable {
  let schema: String
  /// The channel that wakes the processes of this schema.
  let channel: String

  init(schema: String) {
    self.schema = schema
    channel = "understudy_" + String(StableHash.of(["channel", schema]), radix: 16)
  }

  /// The version of the tables.
  static let version = 1

  /// The name of a table, with its schema.
  func table(_ name: String) -> String { "\(Self.quoted(schema)).understudy_\(name)" }

  var lanes: String { table("lanes") }
  var exchanges: String { table("exchanges") }
  var replicas: String { table("replicas") }
  var changes: String { table("changes") }
  var meta: String { table("meta") }

  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  /// The key of the advisory lock for a purpose.
  func lock(_ purpose: String...) -> Int {
    Int(bitPattern: UInt(truncatingIfNeeded: StableHash.of(["understudy", schema] + purpose)))
  }

  private var statements: [String] {
    [
      "CREATE TABLE \(meta) (key text PRIMARY KEY, value text NOT NULL)",
      """
      CREATE TABLE \(lanes) (
        key text PRIMARY KEY, version bigint NOT NULL, state text NOT NULL, due bigint, contract text NOT NULL,
        format integer NOT NULL, owner text, labels text, expires bigint, replica text NOT NULL, number bigint NOT NULL)
      """,
      "CREATE INDEX understudy_lanes_expires ON \(lanes) (expires) WHERE expires IS NOT NULL",
      """
      CREATE TABLE \(exchanges) (
        position bigserial PRIMARY KEY, replica text NOT NULL, number bigint NOT NULL, lane text NOT NULL,
        time bigint NOT NULL, text text NOT NULL, UNIQUE (replica, number))
      """,
      "CREATE INDEX understudy_exchanges_lane ON \(exchanges) (lane, position)",
      """
      CREATE TABLE \(replicas) (
        name text PRIMARY KEY, lease bigint NOT NULL, seen bigint NOT NULL, flushed bigint NOT NULL,
        contract text NOT NULL)
      """,
      "CREATE TABLE \(changes) (number bigint PRIMARY KEY, change text NOT NULL, replica text NOT NULL, write bigint)",
      "INSERT INTO \(meta) VALUES ('schema', '\(Self.version)'), ('processes', '0'), ('changes', '0')",
    ]
  }

  // MARK: - Opening

  /// Creates or checks the tables, in one transaction.
  ///
  /// - Parameters:
  ///   - name: The schema; `nil` for the first of the search path.
  ///   - writes: Whether missing tables are created, and the process is counted.
  /// - Returns: The tables, and the number of earlier processes.
  static func open(
    _ name: String?, writes: Bool, _ connection: PostgreSQLConnection, until end: ContinuousClock.Instant
  ) throws(PostgreSQLFailure) -> (PostgreSQLTables, processes: Int) {
    func run(_ sql: String, _ values: [PostgreSQLStatement.Value] = []) throws(PostgreSQLFailure) -> [[String?]] {
      try connection.run(PostgreSQLStatement(sql, values), until: end)
    }
    _ = try run("BEGIN ISOLATION LEVEL READ COMMITTED")
    do throws(PostgreSQLFailure) {
      let result = try open(name, writes: writes, run)
      _ = try run("COMMIT")
      return result
    } catch {
      if connection.isUsable { _ = try? run("ROLLBACK") }
      throw error
    }
  }

  private static func open(
    _ name: String?, writes: Bool,
    _ run: (String, [PostgreSQLStatement.Value]) throws(PostgreSQLFailure) -> [[String?]]
  ) throws(PostgreSQLFailure) -> (PostgreSQLTables, processes: Int) {
    var schema = name
    if schema == nil { schema = try run("SELECT current_schema()", []).first?[0] }
    guard let schema else {
      throw PostgreSQLFailure(.rejected, "the search path of the role has no schema", state: "42501")
    }
    let tables = PostgreSQLTables(schema: schema)
    if writes { _ = try run("SELECT pg_advisory_xact_lock($1::bigint)", [.integer(tables.lock("tables"))]) }
    // Quoted, since `to_regclass` reads SQL.
    let known = try run(
      "SELECT to_regnamespace($1)::text, to_regclass($2)::text", [.text(quoted(schema)), .text(tables.meta)])
    if known.first?[1] == nil {
      guard writes else { throw PostgreSQLFailure(.rejected, "it has no tables of a store", state: "42P01") }
      if known.first?[0] == nil { _ = try run("CREATE SCHEMA \(quoted(schema))", []) }
      for statement in tables.statements { _ = try run(statement, []) }
    } else {
      try tables.require(run)
    }
    guard writes else { return (tables, 0) }
    let processes = try run(
      "UPDATE \(tables.meta) SET value = (value::bigint + 1)::text WHERE key = 'processes' RETURNING value", [])
    return (tables, (processes.first?[0].flatMap { Int($0) } ?? 1) - 1)
  }

  /// Throws if a later version has written the tables.
  private func require(
    _ run: (String, [PostgreSQLStatement.Value]) throws(PostgreSQLFailure) -> [[String?]]
  ) throws(PostgreSQLFailure) {
    let found = try run("SELECT value FROM \(meta) WHERE key = 'schema'", []).first?[0].flatMap { Int($0) }
    if let problem = StoreVersion.problem(tables: found, Self.version) { throw PostgreSQLFailure(.rejected, problem) }
    let format = try run("SELECT max(format) FROM \(lanes)", []).first?[0].flatMap { Int($0) } ?? 0
    if let problem = StoreVersion.problem(format: format) { throw PostgreSQLFailure(.rejected, problem) }
  }
}

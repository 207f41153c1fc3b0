import UnderstudyMock

extension LaneProblem {
  /// A problem with the reason and the next step, by the SQLSTATE of a failure; libpq knows none of a failure to connect.
  init(_ failure: PostgreSQLFailure, of summary: String) {
    self.init(
      .store, "the store \(summary) cannot be used: \(failure.message)",
      help: Self.help(state: failure.state) ?? Self.help(message: failure.message) ?? Self.help(kind: failure.kind))
  }

  private static func help(state: String) -> String? {
    switch state {
    case "25006": "name the primary server, or all hosts of the cluster: the first that can be written is chosen"
    case "53100": "make room on the disk of the server: requests succeed again then"
    case "53200", "53300": tooMany
    case "28000", "28P01": password
    case "42501":
      "grant the role CREATE on the database or USAGE and CREATE on the schema, or name another: `?schema=NAME`"
    case "57014", "55P03":
      "look for a transaction that locks the tables, or for an overloaded server, in `pg_stat_activity`"
    case "3F000", "42P01", "42703": "restart the mock, which creates missing tables"
    case "22P05", "22021": "use a database with the encoding UTF8"
    default: nil
    }
  }

  private static func help(message: String) -> String? {
    func has(_ words: String...) -> Bool { words.contains { message.contains($0) } }
    if has("too many clients", "too many connections", "remaining connection slots") { return tooMany }
    if has("password", "authentication failed", "no pg_hba.conf entry") { return password }
    if has("session is read-only", "read-only mode") { return help(state: "25006") }
    if has("does not exist") {
      return "create the database and the role, or name others in the address"
    }
    if has("could not translate host name") { return "check the name of the host" }
    if has("SSL", "certificate") { return "check `sslmode` and `sslrootcert` of the address" }
    return nil
  }

  private static func help(kind: PostgreSQLFailure.Kind) -> String {
    switch kind {
    case .rejected: "see the log of the server"
    case .notConnected, .lost: "check that the server runs and is reachable: requests succeed again then"
    }
  }

  private static let tooMany = """
    raise `max_connections` of the server, or put a pooler before it: a mock uses up to \(PostgreSQLPool.limit + 1) \
    connections
    """
  private static let password = """
    check the user, the password (`PGPASSWORD`, or a line of ~/.pgpass that others cannot read) and `pg_hba.conf` of the \
    server
    """
}

import Dispatch
import UnderstudyMock
import UnderstudySystem

/// A write of a lane as one statement, which is sent again after a lost acknowledgement: it is conditional on a version, so the
/// first one takes effect, or the second one, never both.
struct PostgreSQLCommit {
  private let write: LaneWrite
  private let replica: String
  private let tables: PostgreSQLTables
  private let statement: PostgreSQLStatement

  /// The time for which an unknown outcome is looked up.
  private static let patience = Duration.seconds(6)

  init(_ write: LaneWrite, replica: String, _ tables: PostgreSQLTables) {
    (self.write, self.replica, self.tables) = (write, replica, tables)
    statement = Self.statement(write, replica: replica, tables)
  }

  private static func statement(_ write: LaneWrite, replica: String, _ tables: PostgreSQLTables) -> PostgreSQLStatement
  {
    var values: [PostgreSQLStatement.Value] = []
    func add(_ value: PostgreSQLStatement.Value, _ type: String) -> String {
      values.append(value)
      return "$\(values.count)::\(type)"
    }
    let key = add(.text(write.key), "text")
    let columns = ["version", "state", "due", "contract", "format", "expires", "replica", "number"]
    let row = [
      add(.integer(write.lane.version), "bigint"), add(.text(write.lane.state), "text"),
      add(.integer(write.entry.due), "bigint"), add(.text(write.lane.contract), "text"),
      add(.integer(write.format), "integer"), add(.integer(write.entry.expires), "bigint"),
      add(.text(replica), "text"), add(.integer(write.number), "bigint"),
    ]
    let own = row[6]
    var steps: [String] = []
    if let version = write.version {
      let changes = zip(columns, row).map { "\($0) = \($1)" }.joined(separator: ", ")
      steps.append(
        """
        written AS (
          UPDATE \(tables.lanes) SET \(changes) WHERE key = \(key) AND version = \(add(.integer(version), "bigint"))
          RETURNING key)
        """)
    } else {
      let changes = columns.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      let time = add(.integer(write.time), "bigint")
      steps.append(
        """
        written AS (
          INSERT INTO \(tables.lanes) AS lane (key, \(columns.joined(separator: ", ")))
          VALUES (\(key), \(row.joined(separator: ", ")))
          ON CONFLICT (key) DO UPDATE SET \(changes) WHERE lane.expires <= \(time)
          RETURNING key)
        """)
    }
    if !write.exchanges.isEmpty {
      let lock = add(.integer(tables.lock("lane", write.key)), "bigint")
      let arrays = zip(PostgreSQLStatement.columns(of: write.exchanges), ["text", "bigint", "text", "bigint", "text"])
        .map { add($0, $1 + "[]") }.joined(separator: ", ")
      steps.append("locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(\(lock)) FROM written)")
      steps.append(
        """
        stored AS (
          INSERT INTO \(tables.exchanges) (replica, number, lane, time, text)
          SELECT exchange.* FROM locked, unnest(\(arrays)) AS exchange ON CONFLICT (replica, number) DO NOTHING)
        """)
    }
    var announced = "NULL::bigint, NULL::text"
    if write.isAnnounced {
      let change = add(.text(LaneAnnouncement.lane(write.key).text), "text")
      steps += tables.announcement(of: change, by: own, write: row[7], onceIn: "written")
      announced = "(SELECT number FROM announced), (SELECT pg_notify('\(tables.channel)', '') FROM announced)::text"
    }
    return PostgreSQLStatement(
      "WITH \(steps.joined(separator: ",\n"))\nSELECT (SELECT count(*) FROM written), \(announced)", values)
  }

  /// Sends the write, and looks up a lost acknowledgement.
  func run(in pool: PostgreSQLPool, _ summary: String) throws(LaneProblem) -> LaneCommit {
    let end = ContinuousClock.now + Self.patience
    var isUncertain = false
    while true {
      do throws(PostgreSQLFailure) {
        let row = try pool.run(statement).first ?? []
        if row.first == "1" { return .stored(announcement: row[1].flatMap { Int($0) }) }
        if !isUncertain { return .conflict }
        if let outcome = try outcome(in: pool) { return outcome }
        throw PostgreSQLFailure(.lost, "others have changed the lane since")
      } catch {
        if !isUncertain {
          // A serialization failure or a deadlock has ended this transaction for another one.
          if ["40001", "40P01"].contains(error.state), error.kind == .rejected { return .conflict }
          guard error.kind == .lost else { throw LaneProblem(error, of: summary) }
          isUncertain = true
        }
        let pause = max(pool.pause, .milliseconds(10))
        guard .now + pause < end, error.kind != .rejected || error.state.hasPrefix("40") else {
          throw unknown(error, summary)
        }
        // Nothing signals that a server is back.
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(pause.wholeMicroseconds))
      }
    }
  }

  private func unknown(_ failure: PostgreSQLFailure, _ summary: String) -> LaneProblem {
    let problem = LaneProblem(failure, of: summary)
    return LaneProblem(
      .outcome, "outcome unknown: the change may be stored, its acknowledgement was lost: \(problem.message)",
      help: problem.help)
  }

  /// The outcome of a write that is not on its way any more; `nil` if it cannot be known.
  private func outcome(in pool: PostgreSQLPool) throws(PostgreSQLFailure) -> LaneCommit? {
    let row =
      try pool.repeatable(
        PostgreSQLStatement(
          """
          SELECT lane.version, lane.replica = $2 AND lane.number = $3::bigint,
            EXISTS (SELECT FROM \(tables.exchanges) WHERE replica = $4 AND number = $5::bigint),
            (SELECT number FROM \(tables.changes) WHERE replica = $2 AND write = $3::bigint)
          FROM (SELECT) AS one LEFT JOIN \(tables.lanes) AS lane ON key = $1
          """,
          [
            .text(write.key), .text(replica), .integer(write.number), .text(write.exchanges.first?.replica),
            .integer(write.exchanges.first?.number),
          ])
      ).first ?? []
    let number = row[3].flatMap { Int($0) }
    if row[1] == "t" || row[2] == "t" || number != nil { return .stored(announcement: number) }
    // The new version belongs to one write, here to a write of another process.
    let hasLost = write.version != nil && row[0] == "\(write.lane.version)"
    return hasLost || write.isAnnounced || !write.exchanges.isEmpty ? .conflict : nil
  }
}

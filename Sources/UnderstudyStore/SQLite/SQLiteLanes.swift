import Dispatch
package import UnderstudyMock
import UnderstudySystem

/// The lanes of one process in an SQLite file. One thread writes: all writes that wait by then share a transaction.
///
/// The file is in WAL mode with `synchronous = NORMAL`. A process that is killed loses no acknowledged change, since the
/// system has every write; after a crash of the machine the last changes may be missing, each of them whole.
package final class SQLiteLanes: LaneDatabase {
  package let summary: String
  package let earlierProcesses: Int
  private let path: String
  private let thread = DispatchQueue(label: "lanes.store")
  private let waiting = Lock(Waiting())
  /// Unchecked, and safe: only the thread uses it.
  private nonisolated(unsafe) var database: SQLiteDatabase?
  private let owner: FileOwner
  private let pruning = ExchangePruning()

  private struct Waiting {
    var jobs: [Job] = []
    var isScheduled = false
  }

  /// A write that waits for its acknowledgement. Unchecked, and safe: the semaphore hands it over.
  private final class Job: @unchecked Sendable {
    enum Work {
      case commit(LaneWrite)
      case remove([String], expiredBy: Int?)
      case append([StoredExchange])
    }

    let work: Work
    var isDone = false
    var problem: LaneProblem?
    let done = DispatchSemaphore(value: 0)

    init(_ work: Work) { self.work = work }
  }

  /// Opens a file, or makes one.
  ///
  /// - Throws: The reason that the file cannot be used: another process uses it, or a later version wrote it.
  package init(_ path: String) throws(LaneProblem) {
    self.path = path
    summary = "SQLite \(path)"
    do throws(SQLiteDatabase.Problem) {
      let exists = FileSystem.exists(path)
      owner = try FileOwner(path)
      let database = try SQLiteDatabase(path, isReadOnly: false, patience: .seconds(5))
      let isNew = try SQLiteTables.names(in: database).isEmpty
      if isNew {
        try database.transaction { () throws(SQLiteDatabase.Problem) in try SQLiteTables.create(in: database) }
      } else {
        try SQLiteTables.require(in: database)
        if exists { try database.requireWhole() }
        try database.transaction { () throws(SQLiteDatabase.Problem) in try SQLiteTables.migrate(database) }
      }
      try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
      var processes = 0
      try database.query("SELECT value FROM understudy_meta WHERE key = 'processes'") { row in
        processes = row[0].text.flatMap { Int($0) } ?? 0
      }
      try database.run("UPDATE understudy_meta SET value = ? WHERE key = 'processes'", [.text("\(processes + 1)")])
      earlierProcesses = processes
      self.database = database
    } catch {
      throw Self.problem(path, error.message, help: "name a new file, or a file that `serve --store` wrote")
    }
  }

  static func problem(
    _ path: String, _ message: String, help: String = "make the file writable: requests succeed again then"
  ) -> LaneProblem {
    LaneProblem(.store, "the store \(path) cannot be used: \(message)", help: help)
  }

  // MARK: - Reading

  package func lanes(at now: Int) throws(LaneProblem) -> [StoredLaneEntry] {
    var entries: [StoredLaneEntry] = []
    try onThread { database throws(SQLiteDatabase.Problem) in
      try database.run("DELETE FROM understudy_lanes WHERE expires <= ?", [.integer(now)])
      if pruning.isDue(at: now) { try SQLiteExchanges.removeOrphans(at: now, in: database) }
      try database.query("SELECT key, due, expires FROM understudy_lanes") { row in
        entries.append(StoredLaneEntry(key: row[0].text ?? "", due: row[1].integer, expires: row[2].integer))
      }
    }
    return entries
  }

  package func load(_ key: String) throws(LaneProblem) -> StoredLane? {
    var lane: StoredLane?
    try onThread { database throws(SQLiteDatabase.Problem) in
      try database.query("SELECT version, state, contract FROM understudy_lanes WHERE key = ?", [.text(key)]) { row in
        lane = StoredLane(version: row[0].integer ?? 0, state: row[1].text ?? "", contract: row[2].text ?? "")
      }
    }
    return lane
  }

  private func onThread(_ body: (SQLiteDatabase) throws(SQLiteDatabase.Problem) -> Void) throws(LaneProblem) {
    let problem: LaneProblem? = thread.sync {
      guard let database else { return closed }
      do throws(SQLiteDatabase.Problem) {
        try body(database)
        return nil
      } catch {
        return Self.problem(path, error.message)
      }
    }
    if let problem { throw problem }
  }

  private var closed: LaneProblem {
    LaneProblem(.store, "the store \(path) is closed", help: "the server shuts down: send the request to the next one")
  }

  // MARK: - Writing

  package func commit(_ write: LaneWrite) throws(LaneProblem) -> LaneCommit {
    try perform(.commit(write)) ? .stored(announcement: nil) : .conflict
  }

  package func append(_ exchanges: [StoredExchange]) throws(LaneProblem) {
    if !exchanges.isEmpty { _ = try perform(.append(exchanges)) }
  }

  package func exchanges(of key: String?, after position: Int, limit: Int) throws(LaneProblem) -> [StoredExchange] {
    var exchanges: [StoredExchange] = []
    try onThread { database throws(SQLiteDatabase.Problem) in
      exchanges = try SQLiteExchanges.read(of: key, after: position, limit: limit, in: database)
    }
    return exchanges
  }

  package func remove(_ keys: [String], expiredBy time: Int?) throws(LaneProblem) {
    _ = try perform(.remove(keys, expiredBy: time))
  }

  private func perform(_ work: Job.Work) throws(LaneProblem) -> Bool {
    let job = Job(work)
    let isFirst = waiting.withLock { waiting in
      waiting.jobs.append(job)
      defer { waiting.isScheduled = true }
      return !waiting.isScheduled
    }
    if isFirst { thread.async { self.drain() } }
    job.done.wait()
    if let problem = job.problem { throw problem }
    return job.isDone
  }

  private func drain() {
    while true {
      let jobs = waiting.withLock { waiting in
        defer { waiting.jobs = [] }
        waiting.isScheduled = !waiting.jobs.isEmpty
        return waiting.jobs
      }
      if jobs.isEmpty { return }
      carryOut(jobs)
      for job in jobs { job.done.signal() }
    }
  }

  private func carryOut(_ jobs: [Job]) {
    guard let database else {
      for job in jobs { job.problem = closed }
      return
    }
    do throws(SQLiteDatabase.Problem) {
      try database.transaction { () throws(SQLiteDatabase.Problem) in
        for job in jobs { job.isDone = try carryOut(job.work, in: database) }
      }
    } catch {
      // One write that the database rejects does not stop the others.
      if jobs.count > 1 { return jobs.forEach { carryOut([$0]) } }
      jobs[0].problem = Self.problem(path, error.message)
    }
  }

  private func carryOut(_ work: Job.Work, in database: SQLiteDatabase) throws(SQLiteDatabase.Problem) -> Bool {
    switch work {
    case .commit(let write):
      let values: [SQLiteDatabase.Value] = [
        .integer(write.lane.version), .text(write.lane.state), write.entry.due.map { .integer($0) } ?? .null,
        .text(write.lane.contract), .integer(write.format), write.entry.expires.map { .integer($0) } ?? .null,
        .text(write.key),
      ]
      if let version = write.version {
        try database.run(
          """
          UPDATE understudy_lanes SET version = ?, state = ?, due = ?, contract = ?, format = ?, expires = ?
          WHERE key = ? AND version = ?
          """, values + [.integer(version)])
      } else {
        try database.run(
          """
          INSERT INTO understudy_lanes (version, state, due, contract, format, expires, key) VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (key) DO UPDATE SET version = excluded.version, state = excluded.state, due = excluded.due,
            contract = excluded.contract, format = excluded.format, expires = excluded.expires
          WHERE understudy_lanes.expires <= ?
          """, values + [.integer(write.time)])
      }
      guard database.changedRows == 1 else { return false }
      try store(write.exchanges, replacing: false, in: database)
    case .remove(let keys, let time):
      for key in keys {
        try database.run(
          "DELETE FROM understudy_lanes WHERE key = ?1 AND (?2 IS NULL OR expires <= ?2)",
          [.text(key), time.map { .integer($0) } ?? .null])
      }
      pruning.forget(keys)
      if let time, pruning.isDue(at: time) { try SQLiteExchanges.removeOrphans(at: time, in: database) }
    case .append(let exchanges): try store(exchanges, replacing: true, in: database)
    }
    return true
  }

  private func store(
    _ exchanges: [StoredExchange], replacing: Bool, in database: SQLiteDatabase
  ) throws(SQLiteDatabase.Problem) {
    try SQLiteExchanges.add(exchanges, replacing: replacing, in: database)
    for lane in pruning.lanes(after: exchanges) { try SQLiteExchanges.prune(lane, in: database) }
  }

  package func close() {
    thread.sync {
      // One file is left, which can be copied.
      try? database?.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      database = nil
    }
  }
}

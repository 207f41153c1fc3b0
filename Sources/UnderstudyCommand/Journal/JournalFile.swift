import UnderstudyStore
import UnderstudyVerification

/// A journal in a file of SQLite, whose tables are documented in `docs/journal.md`.
///
/// Exchanges with the same request and answer share a row of `content`.
struct JournalFile {
  private let database: SQLiteDatabase
  let path: String

  private static let format = 1

  private static let schema = """
    CREATE TABLE journal (format INTEGER NOT NULL, version TEXT NOT NULL);
    CREATE TABLE content (
      id INTEGER PRIMARY KEY, method TEXT NOT NULL, target TEXT NOT NULL, contract TEXT, operation TEXT, status INTEGER,
      lane TEXT, reply TEXT NOT NULL, fault TEXT, errors INTEGER NOT NULL, warnings INTEGER NOT NULL,
      detail TEXT NOT NULL);
    CREATE TABLE finding (
      content INTEGER NOT NULL REFERENCES content, rule TEXT NOT NULL, severity TEXT NOT NULL, owner TEXT NOT NULL,
      pointer TEXT, message TEXT NOT NULL);
    CREATE TABLE exchange (
      number INTEGER PRIMARY KEY, started INTEGER NOT NULL, microseconds INTEGER NOT NULL,
      content INTEGER NOT NULL REFERENCES content);
    CREATE VIEW request AS
      SELECT exchange.number,
        strftime('%Y-%m-%dT%H:%M:%S', started / 1000000, 'unixepoch') || printf('.%03dZ', started / 1000 % 1000) AS time,
        exchange.started, exchange.microseconds, content.method, content.target, content.contract, content.operation, content.status,
        content.lane, content.reply, content.fault, content.errors, content.warnings, content.id AS content
      FROM exchange JOIN content ON content.id = exchange.content;
    """

  /// Opens a journal to continue it, or makes one.
  init(writing path: String) throws(FileProblem) {
    self.path = path
    let exists = FileSystem.exists(path)
    do throws(SQLiteDatabase.Problem) {
      database = try SQLiteDatabase(path, isReadOnly: false)
      if try Self.names(of: database).isEmpty {
        try database.transaction { () throws(SQLiteDatabase.Problem) in
          try database.execute(Self.schema)
          try database.run("INSERT INTO journal VALUES (?, ?)", [.integer(Self.format), .text(Version.current)])
        }
      } else {
        // Before anything of it is changed.
        try Self.require(database, path)
        try database.requireWhole()
      }
      try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
    } catch {
      throw Self.problem(path, error, exists: exists)
    }
  }

  /// Opens a journal to read it.
  init(reading path: String) throws(FileProblem) {
    self.path = path
    // SQLite would say the same about all of them.
    guard FileSystem.exists(path) else {
      throw FileProblem(.missing, path, "this file does not exist", help: "name a file that `serve --journal` wrote")
    }
    guard FileSystem.isRegular(path) else { throw FileProblem(.isFolder, path, "this is not a file") }
    do throws(SQLiteDatabase.Problem) {
      database = try SQLiteDatabase(path, isReadOnly: true)
      try Self.require(database, path)
    } catch {
      throw Self.problem(path, error, exists: true)
    }
  }

  private static func names(of database: SQLiteDatabase) throws(SQLiteDatabase.Problem) -> [String] {
    var names: [String] = []
    try database.query("SELECT name FROM sqlite_schema") { names += [$0[0].text ?? ""] }
    return names
  }

  private static func require(_ database: SQLiteDatabase, _ path: String) throws(SQLiteDatabase.Problem) {
    var found: Int?
    if try names(of: database).contains("journal") {
      try database.query("SELECT format FROM journal") { found = $0[0].integer }
    }
    guard let found else { throw SQLiteDatabase.Problem(message: "it is a database, but not a journal") }
    guard found == format else {
      throw SQLiteDatabase.Problem(message: "it has the format \(found), and this program reads \(format)")
    }
  }

  private static func problem(_ path: String, _ problem: SQLiteDatabase.Problem, exists: Bool) -> FileProblem {
    FileProblem(
      .otherContent, path, problem.message,
      help: exists ? "name another file, or one that `serve --journal` wrote" : "choose a folder that can be written")
  }

  // MARK: - Writing

  /// Adds a row of `content` with its findings, and returns its id.
  ///
  /// - Parameter shown: The exchange as the admin API shows it.
  func add(_ shown: Redacted<JSON>) throws(SQLiteDatabase.Problem) -> Int {
    let detail = shown.value
    func text(_ name: String) -> SQLiteDatabase.Value { detail[name]?.string.map { .text($0) } ?? .null }
    func number(_ name: String) -> SQLiteDatabase.Value {
      detail[name].flatMap { Int($0.text) }.map { .integer($0) } ?? .null
    }
    try database.run(
      "INSERT INTO content VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      [
        text("method"), text("target"), text("contract"), text("operation"), number("status"), text("lane"),
        text("reply"), text("fault"), number("errors"), number("warnings"), .text(JSONWriter.text(detail)),
      ])
    let content = database.lastRow
    for finding in detail["findings"]?.elements ?? JSON.array([]).elements {
      func text(_ name: String) -> SQLiteDatabase.Value { finding[name]?.string.map { .text($0) } ?? .null }
      try database.run(
        "INSERT INTO finding VALUES (?, ?, ?, ?, ?, ?)",
        [.integer(content), text("rule"), text("severity"), text("owner"), text("pointer"), text("message")])
    }
    return content
  }

  /// Adds a row of `exchange`.
  func add(startedAt: Int, microseconds: Int, content: Int) throws(SQLiteDatabase.Problem) {
    try database.run(
      "INSERT INTO exchange VALUES (NULL, ?, ?, ?)", [.integer(startedAt), .integer(microseconds), .integer(content)])
  }

  /// Makes all changes of `body`, or none.
  func transaction(_ body: () throws(SQLiteDatabase.Problem) -> Void) throws(SQLiteDatabase.Problem) {
    try database.transaction(body)
  }

  /// Makes one file of the database and its log, where no other program reads it, so that it can be copied.
  func finish() {
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;")
  }

  // MARK: - Reading

  /// Which requests are read.
  struct Filter {
    var operation: String?
    var status: Int?
    var method: String?
    var lane: String?
    var onlyFindings = false
    var onlyUnmatched = false
    var number: Int?
    var limit: Int?

    var condition: (sql: String, values: [SQLiteDatabase.Value]) {
      var terms: [String] = []
      var values: [SQLiteDatabase.Value] = []
      func add(_ term: String, _ value: SQLiteDatabase.Value?) {
        guard let value else { return }
        terms.append(term)
        values.append(value)
      }
      add("operation = ?", operation.map { .text($0) })
      add("status = ?", status.map { .integer($0) })
      add("method = ?", method.map { .text($0) })
      add("coalesce(lane, 'default') = ?", lane.map { .text($0) })
      add("number = ?", number.map { .integer($0) })
      if onlyFindings { terms.append("errors + warnings > 0") }
      if onlyUnmatched { terms.append("operation IS NULL") }
      return (terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "), values)
    }
  }

  /// Gets what the admin API would show of each request, the oldest first.
  func forEach(_ filter: Filter, _ body: (JSON) -> Void) throws(FileProblem) {
    let (condition, values) = filter.condition
    let newest =
      "SELECT number, started, microseconds, (SELECT detail FROM content WHERE id = request.content) FROM request"
      + condition + " ORDER BY number DESC" + (filter.limit.map { " LIMIT \($0)" } ?? "")
    var damaged = 0
    do throws(SQLiteDatabase.Problem) {
      try database.query("SELECT * FROM (\(newest)) ORDER BY number", values) { row in
        guard let detail = try? JSONParser.parse(Array((row[3].text ?? "").utf8)).root else {
          damaged += 1
          return
        }
        body(
          JournalRow(
            number: row[0].integer ?? 0, startedAt: row[1].integer ?? 0, microseconds: row[2].integer ?? 0,
            detail: detail
          ).json)
      }
    } catch {
      throw Self.problem(path, error, exists: true)
    }
    guard damaged == 0 else {
      throw FileProblem(
        .otherContent, path, "\(damaged.counted("request")) left out: their details are not valid JSON",
        help: "another program has changed the file")
    }
  }
}

import Foundation
import Synchronization
import UnderstudySystem

/// A PostgreSQL server in a temporary folder, reached by a Unix socket alone. It ends with the process of the tests.
package final class TestPostgreSQL: Sendable {
  /// The folder of the socket.
  package let folder: String
  private let process: Process
  private let log: ProcessOutput
  private let input: FileHandle

  /// The folder of the programs of the newest PostgreSQL; `nil` on a machine without it.
  private static let programs: String? = {
    var folders = ["/opt/homebrew/opt/postgresql/bin", "/usr/local/opt/postgresql/bin"]
    folders += (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    for root in ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      folders += names.sorted { $0.compare($1, options: .numeric) == .orderedDescending }.map { "\(root)/\($0)/bin" }
    }
    return folders.first { folder in
      ["initdb", "postgres", "psql"].allSatisfy { FileManager.default.isExecutableFile(atPath: "\(folder)/\($0)") }
    }
  }()

  package static let isPresent: Bool = {
    if programs == nil { print("skipped: no PostgreSQL") }
    return programs != nil
  }()

  /// The server that tests share, each in a schema of its own.
  package static let shared = Result { try TestPostgreSQL() }

  /// PostgreSQL refuses to run as root. The server ends with the input, so also if the tests are killed.
  private static let script = """
    programs=$1 folder=$2
    as_user() { if [ "$(id -u)" = 0 ]; then exec setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; else exec "$@"; fi }
    start() {
      ( as_user "$programs/postgres" -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c max_connections=120 ) &
      server=$!
    }
    if [ "$(id -u)" = 0 ]; then chown postgres "$folder"; fi
    chmod 755 "$folder"
    ( as_user "$programs/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --no-locale -N ) || exit 1
    ( as_user sh -c "printf 'local all guarded scram-sha-256\\nlocal all all trust\\n' > '$folder/data/pg_hba.conf'" )
    start
    while read -r word; do
      case $word in
        stop) kill -INT $server; wait $server; echo "server has stopped";;
        start) start;;
      esac
    done
    kill -QUIT $server 2>/dev/null; wait $server
    rm -rf "$folder"
    """

  package init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pg-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let process = Process()
    let log = ProcessOutput()
    let pipe = Pipe()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", Self.script, "sh", Self.programs ?? "", folder]
    process.standardInput = pipe
    process.standardOutput = log.pipe
    process.standardError = log.pipe
    // A process of another test would keep the server running.
    _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try process.run()
    log.start()
    (self.process, self.log, input) = (process, log, pipe.fileHandleForWriting)
    guard waits(for: "ready to accept connections", count: 1) else { throw Failed(printed: log.text) }
  }

  deinit { try? input.close() }

  package struct Failed: Error { package let printed: String }

  private func waits(for text: String, count: Int) -> Bool {
    log.waits(seconds: 60) { $0.components(separatedBy: text).count > count }
  }

  /// The output of the server so far.
  package var printed: String { log.text }

  /// Stops the server, and waits for its end.
  package func stop() throws {
    let count = log.text.components(separatedBy: "server has stopped").count
    try input.write(contentsOf: Data("stop\n".utf8))
    guard waits(for: "server has stopped", count: count) else { throw Failed(printed: log.text) }
  }

  /// Starts the server after `stop`, and waits until it accepts connections.
  package func start() throws {
    let count = log.text.components(separatedBy: "ready to accept connections").count
    try input.write(contentsOf: Data("start\n".utf8))
    guard waits(for: "ready to accept connections", count: count) else { throw Failed(printed: log.text) }
  }

  /// The address of the database `postgres`.
  package func address(schema: String? = nil, user: String = "postgres", password: String? = nil) -> String {
    let login = password.map { "\(user):\($0)" } ?? user
    return "postgresql://\(login)@/postgres?host=\(folder)" + (schema.map { "&schema=\($0)" } ?? "")
  }

  /// The path of the socket.
  package var socket: String { folder + "/.s.PGSQL.5432" }

  /// Runs statements as the superuser; returns the rows, with `|` between columns.
  @discardableResult
  package func query(_ sql: String) throws -> String {
    let result = try Command.run(
      "\(Self.programs ?? "")/psql",
      ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "postgres", "-c", sql])
    guard result.code == 0 else { throw Failed(printed: result.error) }
    return result.output.trimmingCharacters(in: .newlines)
  }

  private static let schemas = Atomic(0)

  /// Runs `body` with the shared server and the name of a new schema.
  package static func withSchema<R>(_ body: (TestPostgreSQL, String) throws -> R) throws -> R {
    let server = try shared.get()
    let schema = "test \(schemas.add(1, ordering: .relaxed).newValue)"
    return try body(server, schema.replacing(" ", with: "_"))
  }
}

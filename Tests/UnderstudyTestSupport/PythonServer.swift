import Foundation

/// An HTTP server of Python's standard library, as the backend of a proxy.
package final class PythonServer: Sendable {
  private let process: Process
  private let log: ProcessOutput
  /// The port of the server.
  package let port: Int

  /// The path of Python; `nil` on a machine without it.
  package static let path: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    return folders.map { "\($0)/python3" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// Starts a program that listens on a free port and prints the port first.
  package convenience init(_ program: String, in folder: String = Project.root) throws {
    try self.init(python: Self.path ?? "/usr/bin/python3", ["-c", program], in: folder)
  }

  /// Starts a program with a given Python and arguments.
  package init(
    python: String, _ arguments: [String], in folder: String = Project.root, environment: [String: String] = [:]
  ) throws {
    let process = Process()
    let log = ProcessOutput()
    process.executableURL = URL(filePath: python)
    process.arguments = ["-u"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = log.pipe
    process.standardError = log.pipe
    try process.run()
    log.start()
    self.process = process
    self.log = log
    var port: Int?
    _ = log.waits(seconds: 60) { text in
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      if lines.count > 1 { port = Int(lines[0]) }
      return port != nil
    }
    guard let port else {
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
      throw Failed(printed: log.text)
    }
    self.port = port
  }

  package struct Failed: Error { package let printed: String }

  deinit { stop() }

  /// The output so far.
  package var printed: String { log.text }

  /// Waits until the program has printed a text.
  package func waits(for text: String) -> Bool { log.waits { $0.contains(text) } }

  package func stop() {
    guard process.isRunning else { return }
    // A child inherits the signals that its parent's thread blocks, and those of a task's thread block SIGTERM.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// A program that serves what `do_GET` and its kin do; `answer(status, body, **fields)` sends an answer, and
  /// `body()` reads what was sent.
  package static func handler(_ methods: String) -> String {
    let indented = methods.split(separator: "\n", omittingEmptySubsequences: false).map { "    " + $0 }
    return """
      import http.server, json

      class Handler(http.server.BaseHTTPRequestHandler):
          protocol_version = "HTTP/1.1"
          def log_message(self, *arguments): pass
          def answer(self, status, body=b"", **fields):
              self.send_response(status)
              for name, value in fields.items(): self.send_header(name.replace("_", "-"), value)
              self.send_header("Content-Length", str(len(body)))
              self.end_headers()
              if self.command != "HEAD": self.wfile.write(body)
          def body(self):
              if self.headers.get("Transfer-Encoding") != "chunked":
                  return self.rfile.read(int(self.headers.get("Content-Length", 0)))
              whole = b""
              while True:
                  piece = self.rfile.read(int(self.rfile.readline(), 16))
                  self.rfile.readline()
                  if not piece: return whole
                  whole += piece
      \(indented.joined(separator: "\n"))

      server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
      print(server.server_port)
      server.serve_forever()
      """
  }
}

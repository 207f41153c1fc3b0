import Foundation
import Testing
import UnderstudyClient

/// A server with fixed answers below `/__admin`, as a mock of another version would give them.
final class FakeMock: @unchecked Sendable {
  let mock: RunningMock
  private let process = Process()

  private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  static var needsPython: ConditionTrait { .enabled(if: python != nil, "no python3") }

  private static let server = """
    import http.server, json, sys
    routes = json.loads(sys.argv[1])
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def answer(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            status, body = routes.get(self.path.removeprefix("/__admin/"), (404, '{"type": "x:not-found", "detail": "none"}'))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body.encode())
        do_GET = do_POST = do_DELETE = do_PATCH = answer
        def log_message(self, *arguments): pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  init(_ routes: [String: (status: Int, body: String)]) throws {
    let output = Pipe()
    let table = JSONValue.object(routes.mapValues { .array([.int($0.status), .string($0.body)]) })
    process.executableURL = URL(fileURLWithPath: try #require(Self.python))
    process.arguments = ["-c", Self.server, table.text]
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    // A pipe of the test runner that it holds would keep the runner waiting.
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let port = line.trimmingCharacters(in: .whitespacesAndNewlines)
    mock = RunningMock(baseURL: try #require(URL(string: "http://127.0.0.1:\(port)")))
  }

  /// It inherits a mask that blocks SIGTERM, where a thread of a pool of Dispatch starts it.
  deinit { kill(process.processIdentifier, SIGKILL) }
}

import Foundation
import Testing
import UnderstudyTestSupport

/// A server behind a Unix domain socket, as podman and many reverse proxies have it.
struct UnixSocketTests {
  private static let isPossible = PythonServer.path != nil

  @Test(.enabled(if: isPossible, "skipped: no Python"))
  func `a proxy forwards to the server of a socket`() throws {
    try Self.withServer { socket, folder in
      // A proxy of the environment does not know the socket.
      let mock = try ServedMock(
        ["shop.yaml", "--upstream", "http://pets", "--unix-socket", socket, "--no-watch"], in: folder,
        environment: ["http_proxy": "http://127.0.0.1:1"])
      defer { mock.stop() }
      // The second request uses the connection of the first one.
      for id in 1...2 {
        let answer = try Curl.get(mock.url + "/pets/\(id)")
        #expect(answer.status == 200)
        #expect(answer.body == #"{"name":"GET /pets/\#(id) of pets","connection":1}"#)
      }
    }
  }

  @Test(.enabled(if: isPossible, "skipped: no Python"))
  func `a live server and a recording may be behind a socket`() throws {
    try Self.withServer { socket, folder in
      let live = try Command.run(
        Command.path,
        ["verify", "shop.yaml", "--live", "http://pets", "--unix-socket", socket, "--mode", "positive"], in: folder)
      #expect(live.code == 0, "\(live.output)\(live.error)")
      #expect(live.output.contains("served 1 (50 %)"), "\(live.output)")
      let proxy = try ServedMock(
        ["shop.yaml", "--upstream", "http://pets", "--unix-socket", socket], command: "record", in: folder)
      #expect(try Curl.get(proxy.url + "/pets/1").status == 200)
      let (code, printed) = proxy.end()
      #expect(code == 0, "\(printed)")
      #expect(FileManager.default.fileExists(atPath: folder + "/fixtures/shop/readPet/200.json"), "\(printed)")
    }
  }

  @Test(.enabled(if: isPossible, "skipped: no Python"))
  func `a reader that stops does not keep others from using connections again`() throws {
    try Self.withServer { socket, folder in
      let mock = try ServedMock(
        ["shop.yaml", "--upstream", "http://pets", "--unix-socket", socket, "--no-watch"], in: folder)
      defer { mock.stop() }
      let slow = try RawClient(port: mock.port)
      try slow.get("/large")
      _ = try slow.head()
      let answers = try (1...3).map { _ in try Curl.get(mock.url + "/pets/1").body }
      #expect(Set(answers).count == 1, "\(answers)")
    }
  }

  @Test(.enabled(if: isPossible, "skipped: no Python"))
  func `requests wait for a server that accepts one connection after another`() throws {
    try withProject(Shop.files) { folder in
      let server = try PythonServer(Self.lateServer, in: folder)
      defer { server.stop() }
      let mock = try ServedMock(
        ["shop.yaml", "--upstream", "http://pets", "--unix-socket", "late.sock", "--no-watch"], in: folder)
      defer { mock.stop() }
      let ends = try Command.run(
        "/usr/bin/env",
        [
          "curl", "-s", "--parallel", "--parallel-immediate", "-o", "/dev/null", "-w", "%{http_code} ",
          mock.url + "/pets/[1-16]",
        ], in: folder)
      #expect(ends.output == String(repeating: "200 ", count: 16))
    }
  }

  @Test(.enabled(if: isPossible, "skipped: no Python"))
  func `a server that never accepts a connection has the time of a timeout`() throws {
    try withProject(Shop.files) { folder in
      let server = try PythonServer(Self.silentServer, in: folder)
      defer { server.stop() }
      let mock = try ServedMock(
        [
          "shop.yaml", "--upstream", "http://pets", "--unix-socket", "silent.sock", "--upstream-timeout", "300ms",
          "--no-watch",
        ], in: folder)
      defer { mock.stop() }
      let ends = try Command.run(
        "/usr/bin/env",
        [
          "curl", "-s", "--parallel", "--parallel-immediate", "-w", "%{http_code}\n", mock.url + "/pets/[1-8]",
        ], in: folder)
      let details = ends.output.split(separator: "\n")
      #expect(details.count == 8 && details.allSatisfy { $0.hasSuffix("504") }, "\(ends.output)")
      #expect(ends.output.contains("http://pets: its queue of connections stayed full"), "\(ends.output)")
    }
  }

  @Test func `a socket that is not there is named as the reason`() throws {
    try withProject(Shop.files) { folder in
      let mock = try ServedMock(
        ["shop.yaml", "--upstream", "http://pets", "--unix-socket", "none.sock", "--no-watch"], in: folder)
      defer { mock.stop() }
      let answer = try Curl.get(mock.url + "/pets/1")
      #expect(answer.status == 502)
      #expect(answer.body.contains("http://pets: there is no socket at the path of --unix-socket"), "\(answer.body)")
    }
  }

  @Test func `a socket without a server, and a path that no socket can have, are errors`() throws {
    try withProject(Shop.files) { folder in
      let serve = ["serve", "shop.yaml", "--port", "0", "--unix-socket"]
      let alone = try Command.run(Command.path, serve + ["a.sock"], in: folder)
      #expect(alone.code == 2)
      #expect(
        alone.error == """
          error: `--unix-socket` has no effect without `--upstream`
            help: add `--upstream`, or remove `--unix-socket`

          """)
      let longest = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
      let path = String(repeating: "a", count: longest + 1)
      let long = try Command.run(Command.path, serve + [path, "--upstream", "http://pets"], in: folder)
      #expect(long.code == 2)
      #expect(
        long.error == """
          error: the path of `--unix-socket \(path)` is too long for a socket
            help: expected at most \(longest) bytes; a shorter symbolic link will do

          """)
      let empty = try Command.run(Command.path, serve + ["", "--upstream", "http://pets"], in: folder)
      #expect(empty.code == 2)
      #expect(
        empty.error == """
          error: `--unix-socket` is empty
            help: expected the path of a socket, as in /run/podman/podman.sock

          """)
    }
  }

  /// A server on a socket, which answers with the target, the host and the number of its connection.
  private static func withServer(_ body: (_ socket: String, _ folder: String) throws -> Void) throws {
    try withProject(Shop.files) { folder in
      let server = try PythonServer(program, in: folder)
      defer { server.stop() }
      try body("pets.sock", folder)
    }
  }

  private static let program = """
    import http.server, socketserver

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        connections = 0
        def setup(self):
            super().setup()
            Handler.connections += 1
            self.number = Handler.connections
        def log_message(self, *arguments): pass
        def do_GET(self):
            if self.path == "/large":
                self.send_response(200)
                self.send_header("Content-Length", str(64 << 20))
                self.end_headers()
                return self.wfile.write(bytes(64 << 20))
            text = f'{{"name":"GET {self.path} of {self.headers["Host"]}","connection":{self.number}}}'
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text.encode())

    class Server(socketserver.ThreadingUnixStreamServer):
        daemon_threads = True
        def get_request(self): return super().get_request()[0], ("socket", 0)

    server = Server("pets.sock", Handler)
    print(0)
    server.serve_forever()
    """

  private static let silentServer = """
    import socket, time

    listener = socket.socket(socket.AF_UNIX)
    listener.bind("silent.sock")
    listener.listen(0)
    print(0, flush=True)
    while True: time.sleep(1)
    """

  /// A server with the shortest queue, which closes each connection after its answer.
  private static let lateServer = """
    import socket

    listener = socket.socket(socket.AF_UNIX)
    listener.bind("late.sock")
    listener.listen(0)
    print(0, flush=True)
    while True:
        connection, _ = listener.accept()
        while b"\\r\\n\\r\\n" not in connection.recv(65536): pass
        connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\nConnection: close\\r\\n\\r\\n{}")
        connection.close()
    """
}

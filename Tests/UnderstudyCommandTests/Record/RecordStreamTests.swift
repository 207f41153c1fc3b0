import Foundation
import Testing
import UnderstudyTestSupport

/// Answers reach the client before they are recorded, and clients and servers that fail leave whole files.
struct RecordStreamTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Feed, version: "1"}
    paths:
      /events:
        get:
          operationId: readEvents
          responses: {"200": {description: Events., content: {text/event-stream: {}}}}
      /archive:
        get:
          operationId: readArchive
          responses: {"200": {description: A file., content: {application/zip: {}}}}

    """

  private func recording(
    _ port: Int, _ session: (ServedMock) throws -> Void
  ) throws -> (files: [String: Data], printed: String, code: Int32) {
    try withProject(["feed.yaml": Self.contract]) { folder in
      let proxy = try ServedMock(
        ["feed.yaml", "--upstream", "http://127.0.0.1:\(port)"], command: "record", in: folder)
      try session(proxy)
      let (code, printed) = proxy.end()
      let root = folder + "/fixtures/feed"
      var files: [String: Data] = [:]
      for path in (try? FileManager.default.subpathsOfDirectory(atPath: root)) ?? [] where !path.hasPrefix("_") {
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder)
        if !isFolder.boolValue { files[path] = FileManager.default.contents(atPath: "\(root)/\(path)") }
      }
      return (files, printed, code)
    }
  }

  @Test func `the first event of a stream arrives at once, and a client that leaves ends the recording of it`() throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nd\r\ndata: first\n\n\r\n"
      )
      // Nothing more comes until the client leaves.
      return "\(try connection.rest().end)"
    }
    defer { server.stop() }
    let (files, printed, code) = try recording(server.port) { proxy in
      let client = try RawClient(port: proxy.port)
      try client.get("/events")
      #expect(try client.text(through: "data: first\n\n").hasSuffix("data: first\n\n"))
      client.reset()
    }
    #expect(code == 0)
    // A client that is slow here makes a pause.
    let body = files["readEvents/200.txt"] ?? files["readEvents/bodies/200.txt"]
    #expect(body.map { String(decoding: $0, as: UTF8.self) } == "data: first\n\n", "\(printed)")
  }

  @Test(.enabled(if: PythonServer.path != nil, "skipped: no python3"))
  func `a long binary answer is a file, byte for byte`() throws {
    let backend = try PythonServer(
      PythonServer.handler(
        """
        def do_GET(self): self.answer(200, bytes(range(256)) * 12000, Content_Type="application/zip")
        """))
    defer { backend.stop() }
    let (files, printed, _) = try recording(backend.port) { proxy in
      let arguments = ["-sS", "-o", "/dev/null", "-w", "%{size_download}", proxy.url + "/archive"]
      let answer = try Command.run("/usr/bin/curl", arguments)
      #expect(answer.output == "3072000")
    }
    #expect(files["readArchive/200.zip"]?.count == 3_072_000, "\(printed)")
  }

  @Test func `an answer that is cut off is not recorded, and neither is an upstream that does not answer`() throws {
    let server = try RawServer { connection, number in
      _ = try connection.head()
      if number == 1 {
        try connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nContent-Length: 5000000\r\n\r\n")
        try connection.send([UInt8](repeating: 7, count: 2_000_000))
      }
      connection.reset()
      return "reset"
    }
    defer { server.stop() }
    let (files, printed, code) = try recording(server.port) { proxy in
      for _ in 0..<2 {
        _ = try Command.run("/usr/bin/curl", ["-sS", "-o", "/dev/null", proxy.url + "/archive"])
      }
    }
    #expect(code == 4)
    #expect(files == [:])
    #expect(printed.contains("1 exchange: the answer's body was cut off (GET /archive, exchange 1)"), "\(printed)")
  }

  @Test func `an upstream that cannot be reached leaves no files`() throws {
    let (files, printed, code) = try recording(1) { proxy in
      let answer = try Command.run(
        "/usr/bin/curl", ["-sS", "-o", "/dev/null", "-w", "%{http_code}", proxy.url + "/events"])
      #expect(answer.output == "502")
    }
    #expect(code == 4)
    #expect(files == [:])
    #expect(
      printed.hasSuffix(
        """
        recorded 0 of 1 exchange of 0 operations: 0 fixtures, 0 seen
        not recorded:
          1 exchange: the upstream did not answer: connection refused (GET /events, exchange 1)
        next: make the upstream answer, and send the requests again
        error: no exchange was recorded, so no fixture was written

        """), "\(printed)")
  }

  @Test(arguments: [false, true])
  func `a client that leaves before the answer is counted, and the end of a recording does not wait for it`(
    _ resets: Bool
  ) throws {
    let (received, left) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      received.signal()
      defer { left.signal() }
      return "\(try connection.rest().end)"
    }
    defer { server.stop() }
    let (files, printed, code) = try recording(server.port) { proxy in
      let client = try RawClient(port: proxy.port)
      try client.get("/archive")
      #expect(received.wait(timeout: .now() + 60) == .success)
      if resets { client.reset() } else { client.endOutput() }
      #expect(left.wait(timeout: .now() + 60) == .success)
    }
    #expect(code == 4)
    #expect(files == [:])
    #expect(
      printed.contains("1 exchange: the client left before the upstream answered (GET /archive, exchange 1)"),
      "\(printed)")
    #expect(!printed.contains("waits up to"), "\(printed)")
  }

  @Test func `a second signal ends an open stream, and what was recorded is written`() throws {
    let server = try RawServer { connection, _ in
      let isStream = try connection.head().contains("/events")
      try connection.send(
        isStream
          ? "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nd\r\ndata: first\n\n\r\n"
          : "HTTP/1.1 200 OK\r\nContent-Type: application/zip\r\nContent-Length: 2\r\nConnection: close\r\n\r\nPK")
      return isStream ? "\(try connection.rest().end)" : "answered"
    }
    defer { server.stop() }
    let (files, printed, code) = try recording(server.port) { proxy in
      _ = try Command.run("/usr/bin/curl", ["-sS", "-o", "/dev/null", proxy.url + "/archive"])
      let client = try RawClient(port: proxy.port)
      try client.get("/events")
      _ = try client.text(through: "data: first\n\n")
      proxy.signal(SIGINT)
      #expect(proxy.waits(for: "waits up to ten seconds for answers in progress; another Ctrl-C ends them\n"))
    }
    #expect(code == 0, "\(printed)")
    #expect(files.keys.contains("readArchive/200.zip"), "\(printed)")
  }

  @Test func `a path and a header of lanes reach the server that is recorded`() async throws {
    let server = try RawServer { connection, _ in
      let head = try connection.head()
      try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
      return head
    }
    defer { server.stop() }
    _ = try recording(server.port) { proxy in
      let arguments = ["-sS", "-H", "Understudy-Lane: ann", proxy.url + "/~ann/archive", proxy.url + "/__admin/lanes"]
      _ = try Command.run("/usr/bin/curl", arguments)
    }
    for path in ["/~ann/archive", "/__admin/lanes"] {
      let head = await server.report()
      #expect(head.hasPrefix("GET \(path) HTTP/1.1") && head.lowercased().contains("understudy-lane: ann"), "\(head)")
    }
  }

  @Test func `a header without end is named`() throws {
    let server = try RawServer { connection, _ in
      _ = try connection.head()
      try connection.send("HTTP/1.1 200 OK\r\nX-Long: " + String(repeating: "x", count: 1_000_000) + "\r\n\r\n")
      return "answered"
    }
    defer { server.stop() }
    let (_, printed, code) = try recording(server.port) { proxy in
      _ = try Command.run("/usr/bin/curl", ["-sS", "-o", "/dev/null", proxy.url + "/archive"])
    }
    #expect(code == 4)
    #expect(printed.contains("a header of its answer is longer than 100 KiB"), "\(printed)")
  }
}

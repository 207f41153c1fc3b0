import Foundation
import Testing
import UnderstudyTestSupport

/// How `serve` ends, and what happens when the system runs out of something.
struct ServeEndTests {
  // MARK: - Signals

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func `a signal ends the mock with its report`(_ number: Int32) throws {
    try withTemporaryFolder { folder in
      let mock = try ServedMock(["specs/petstore.yaml", "--har", folder + "/a.har"])
      #expect(try Curl.get(mock.url + "/api/hours").status == 200)
      let (code, printed) = mock.end(by: number)
      #expect(code == 0)
      #expect(printed.hasSuffix("stopped\nrecorded 1 exchange in \(folder)/a.har\n"))
    }
  }

  @Test func `a mock that was started to ignore the end of its terminal ignores it`() throws {
    let mock = try ServedMock(["specs/petstore.yaml"], after: "trap '' HUP")
    mock.signal(SIGHUP)
    #expect(try Curl.get(mock.url + "/api/hours").status == 200)
    #expect(mock.end().code == 0)
  }

  @Test func `a stop answers what was received on busy connections`() throws {
    let mock = try ServedMock(["specs/petstore.yaml", "--quiet"])
    let port = mock.port
    let counts = Awaited((answered: 0, lost: 0))
    let clients = (0..<20).map { _ in
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        defer { done.signal() }
        guard let client = try? RawClient(port: port) else { return counts.change { $0.lost += 1 } }
        while true {
          guard (try? client.get("/api/hours")) != nil, let response = try? client.response() else {
            return counts.change { $0.lost += 1 }
          }
          counts.change { $0.answered += 1 }
          if response["connection"] == "close" { return }
        }
      }
      return done
    }
    #expect(counts.waits { $0.answered > 200 })
    #expect(mock.end(by: SIGTERM).code == 0)
    for client in clients { client.wait() }
    #expect(counts.value.lost == 0)
  }

  // MARK: - Files

  @Test func `a recording that finds no room is reported at once, ends whole, and fails the run`() throws {
    try withTemporaryFolder { folder in
      let har = folder + "/a.har"
      let mock = try ServedMock(["specs/petstore.yaml", "--har", har], after: "ulimit -f 32")
      // More than the file may hold.
      let client = try RawClient(port: mock.port)
      for _ in 0..<200 {
        try client.get("/api/hours")
        _ = try client.response()
      }
      #expect(mock.waits(for: "error: the recording in \(har) ends here: file too large\n"))
      let (code, printed) = mock.end()
      #expect(code == 2)
      #expect(printed.contains(" missing in \(har): file too large\n"))
      let verified = try Command.run("verify", "specs/petstore.yaml", "--har", har)
      #expect(verified.code == 0)
      let text = try String(contentsOfFile: har, encoding: .utf8)
      #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "skipped: no /dev/full"))
  func `a full disk at the start is an error of the start`() throws {
    let result = try Command.run("serve", "specs/petstore.yaml", "--port", "0", "--har", "/dev/full", "--overwrite")
    #expect(result.code == 2)
    #expect(result.error.contains("--har /dev/full: No space left on device"))
  }

  @Test func `a pipe is not a place for a recording`() throws {
    try withTemporaryFolder { folder in
      #expect(mkfifo(folder + "/pipe", 0o600) == 0)
      let result = try Command.run("serve", "specs/petstore.yaml", "--port", "0", "--har", folder + "/pipe")
      #expect(result.code == 2)
      #expect(result.error.contains("expected a regular file, found a pipe or a socket"))
    }
  }

  // MARK: - Connections

  @Test func `idle connections are closed before descriptors run out, the oldest first`() throws {
    // It has 48 connections; the tests themselves may have only 256 descriptors.
    let mock = try ServedMock(["specs/petstore.yaml", "--quiet"], after: "ulimit -n 96")
    let clients = try (0..<70).map { _ in try RawClient(port: mock.port) }
    // The newest connection is served, and so is a file that has to be opened.
    for client in [clients[69], try RawClient(port: mock.port)] {
      try client.get("/api/hours")
      #expect(try client.response().status == 200)
    }
    #expect(try clients[0].rest().end == .closed)
    #expect(mock.isRunning)
    #expect(mock.end().code == 0)
  }

  @Test func `followers of the journal leave connections to the clients`() throws {
    // It has 32 connections, of which 8 may follow.
    let mock = try ServedMock(["specs/petstore.yaml", "--quiet"], after: "ulimit -n 64")
    let followers = try (0..<9).map { _ in
      let follower = try RawClient(port: mock.port)
      try follower.send("GET /__admin/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
      return follower
    }
    let last = try followers[8].response()
    #expect(last.status == 503)
    #expect(last.body.contains("8 clients follow the journal already"), "\(last.body)")
    let client = try RawClient(port: mock.port)
    try client.get("/api/hours")
    #expect(try client.response().status == 200)
    #expect(mock.end().code == 0)
  }

  @Test func `a low soft limit of descriptors is raised for connections`() throws {
    let mock = try ServedMock(["specs/petstore.yaml", "--quiet"], after: "ulimit -S -n 64")
    // Without that it would have 32 connections.
    let clients = try (0..<50).map { _ in try RawClient(port: mock.port) }
    for client in [clients[0], clients[49]] {
      try client.get("/api/hours")
      #expect(try client.response().status == 200)
    }
    #expect(mock.end().code == 0)
  }

  @Test func `a reader of the log that leaves does not end the server`() throws {
    try withProject(Shop.files) { folder in
      let script = """
        mkfifo log ready
        head -1 log & reader=$!
        "$0" serve shop.yaml --port 0 --ready-file ready 2>log & mock=$!
        url=$(cat ready)
        wait $reader
        curl -s -o /dev/null -o /dev/null -w '%{http_code} ' $url/pets/1 $url/pets/1
        kill $mock
        wait $mock
        echo $?
        """
      let result = try Command.run("/bin/sh", ["-c", script, Command.path], in: folder)
      #expect(result.output.hasSuffix("\n200 200 0\n"), "\(result)")
    }
  }

  @Test func `a proxy keeps descriptors for its upstream beside idle connections`() throws {
    let upstream = try RawServer { connection, _ in
      while (try? connection.head()) != nil {
        try connection.send(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
      }
      return ""
    }
    let mock = try ServedMock(
      ["specs/petstore.yaml", "--quiet", "--upstream", "http://127.0.0.1:\(upstream.port)"], after: "ulimit -n 128")
    let clients = try (0..<80).map { _ in try RawClient(port: mock.port) }
    // Each request needs a connection to the upstream as well.
    for client in [clients[79], try RawClient(port: mock.port)] {
      try client.get("/api/hours")
      #expect(try client.response().status == 200)
    }
    #expect(try clients[0].rest().end == .closed)
    #expect(mock.isRunning)
    #expect(mock.end().code == 0)
  }

  // MARK: - Interim answers

  @Test func `a fixture with an interim status is reported and not served`() throws {
    try withProject([
      "a.yaml": """
      openapi: 3.1.0
      info: {title: A, version: "1"}
      paths: {/a: {get: {operationId: a, responses: {"101": {description: d}, "200": {description: d}}}}}

      """, "fixtures/a/a/101.json": "{}", "fixtures/a/a/100.slow.json": "{}",
    ]) { folder in
      let mock = try ServedMock(["a.yaml"], in: folder)
      #expect(mock.printed.contains("`101.json` has an interim status, after which the client waits for the answer"))
      #expect(mock.printed.contains("`100.slow.json` has an interim status"))
      #expect(try Curl.get(mock.url + "/a").status == 200)
      #expect(try Curl.get(mock.url + "/a?__code=101").status == 422)
      mock.stop()
      let forced = try Command.run("serve", "a.yaml", "--port", "0", "--force", "a=101", in: folder)
      #expect(forced.code == 2)
      #expect(forced.error.contains("--force asks a for 101, an interim status, which ends no request"))
      #expect(try Command.run("verify", "a.yaml", in: folder).code == 1)
    }
  }
}

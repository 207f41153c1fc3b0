import Testing
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  @Suite struct ConnectionTimeoutTests {
    @Test func `a head that does not end is refused`() async throws {
      try await serving {
        $0.headTimeout = .milliseconds(50)
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.send("GET / HTTP/1.1\r\nHos")
        let response = try client.response()
        #expect(response.status == 408)
        #expect(response["connection"] == "close")
        #expect(try client.rest() == .closed)
      }
    }

    @Test(arguments: [
      "GET /ready HTTP/1.1\r\nHost: a\r\n\r\n", "POST /ready HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody",
      "POST /ready HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
    ])
    func `a head that begins in the packet of another request has to end as well`(request: String) async throws {
      try await serving {
        $0.headTimeout = .milliseconds(50)
        $0.idleTimeout = .seconds(3600)
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.send("\(request)GET / HT")
        #expect(try client.response().body == "ready")
        #expect(try client.response().status == 408)
        #expect(try client.rest() == .closed)
      }
    }

    @Test(arguments: [
      "GET /ready HTTP/1.1\r\nHost: a\r\n\r\n", "POST /ready HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody",
      "POST /ready HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1\r\n",
      "POST /ready HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
    ])
    func `a client without further requests is not late`(request: String) async throws {
      try await serving {
        $0.headTimeout = .milliseconds(10)
        $0.idleTimeout = .milliseconds(100)
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.send(request)
        #expect(try client.response().body == "ready")
        // Closed for idleness, without an answer.
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `a body that stops is refused`() async throws {
      try await serving {
        $0.bodyTimeout = .milliseconds(50)
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nab")
        #expect(try client.response().status == 408)
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `a body that drips steadily is refused`() async throws {
      try await serving {
        $0.bodyTimeout = .milliseconds(100)
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 100000\r\n\r\n")
        #expect(client.isClosed(whileSending: "x"))
      }
    }

    @Test func `an idle connection is closed without an answer`() async throws {
      try await serving {
        $0.idleTimeout = .milliseconds(40)
      } _: { port, _ in
        let silent = try RawClient(port: port)
        #expect(try silent.rest() == .closed)
        let client = try RawClient(port: port)
        try client.get("/ready")
        #expect(try client.response().status == 200)
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `a delayed answer is not idleness`() async throws {
      try await serving {
        $0.idleTimeout = .milliseconds(20)
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.get("/delay/150")
        #expect(try client.response().body == "ready")
      }
    }

    @Test func `a client that does not read its answer is idle`() async throws {
      try await serving {
        $0.idleTimeout = .milliseconds(40)
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.send(String(repeating: "GET /long HTTP/1.1\r\nHost: a\r\n\r\n", count: 40))
        let other = try RawClient(port: port)
        #expect(try other.rest() == .closed)
        #expect(client.isClosed(whileSending: "x"))
        #expect(try client.rest().text.utf8.count < 40_000_000)
      }
    }
  }
}

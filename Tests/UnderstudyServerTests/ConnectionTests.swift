import HTTPTypes
import Synchronization
import Testing
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  @Suite struct ConnectionTests {
    @Test func `requests on one connection are answered one after the other`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        for index in 0..<3 {
          try client.get("/echo/\(index)")
          #expect(try client.response().body == "GET /echo/\(index) ")
        }
      }
    }

    @Test func `a hundred pipelined requests are answered in order`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        var requests = ""
        for index in 0..<100 {
          requests += "GET /\(index % 10 == 3 ? "delay/1" : "\(index)") HTTP/1.1\r\nHost: a\r\n\r\n"
        }
        try client.send(requests)
        for index in 0..<100 {
          #expect(try client.response().body == (index % 10 == 3 ? "ready" : "GET /\(index) "))
        }
      }
    }

    @Test func `a request that arrives byte by byte is understood`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        for byte in "POST /slow HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi".utf8 { try client.send([byte]) }
        #expect(try client.response().body == "POST /slow hi")
      }
    }

    @Test func `a chunked body is assembled`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send("POST /up HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: Chunked\r\n\r\n")
        try client.send("3\r\nabc\r\n2;name=value\r\nde\r\n0\r\nTrailer: x\r\n\r\n")
        #expect(try client.response().body == "POST /up abcde")
        try client.get("/after")
        #expect(try client.response().body == "GET /after ")
      }
    }

    // MARK: Expectations

    @Test func `a client that expects 100 Continue gets it before its body`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send("POST /up HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\nExpect: 100-Continue\r\n\r\n")
        #expect(try client.response().status == 100)
        try client.send("body")
        #expect(try client.response().body == "POST /up body")
      }
    }

    @Test func `100 Continue follows the earlier answers`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get("/delay/30")
        try client.send("POST /up HTTP/1.1\r\nHost: test\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.response().body == "ready")
        #expect(try client.response().status == 100)
        try client.send("body")
        #expect(try client.response().body == "POST /up body")
      }
    }

    @Test func `another expectation fails`() async throws {
      try await expectRefusal(417, of: "GET / HTTP/1.1\r\nHost: test\r\nExpect: miracles\r\n\r\n")
    }

    // MARK: Limits

    @Test func `an announced gigabyte is refused before it is sent`() async throws {
      try await expectRefusal(413, of: "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000000\r\n\r\n")
      try await expectRefusal(
        413, of: "POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 1000000000\r\nExpect: 100-continue\r\n\r\n")
    }

    @Test func `a chunked body is counted`() async throws {
      try await serving {
        $0.maximumBodyBytes = 10
      } _: { port, _ in
        let client = try RawClient(port: port)
        let head = "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"
        try client.send("\(head)5\r\n12345\r\n5\r\n67890\r\n0\r\n\r\n")
        #expect(try client.response().status == 200)
        try client.send("\(head)5\r\n12345\r\n6\r\n678901\r\n")
        #expect(try client.response().status == 413)
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `the answer to a refused body reaches a client that keeps sending`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 100000000\r\n\r\n")
        try client.send([UInt8](repeating: 0, count: 500_000))
        #expect(try client.response().status == 413)
      }
    }

    @Test func `heads beyond the limits are refused`() async throws {
      let long = String(repeating: "a", count: 40_000)
      try await expectRefusal(431, of: "GET / HTTP/1.1\r\nHost: test\r\nX: \(long)\r\n\r\n")
      try await expectRefusal(431, of: "GET /\(long) HTTP/1.1\r\nHost: test\r\n\r\n")
      let many = String(repeating: "X: y\r\n", count: 200)
      try await expectRefusal(431, of: "GET / HTTP/1.1\r\nHost: test\r\n\(many)\r\n")
    }

    // MARK: Invalid requests

    @Test(arguments: [
      "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
      "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
      "Content-Length: 5\r\nContent-Length: 6\r\n",
      "Content-Length: 5, 6\r\n",
      "Content-Length: +5\r\n",
      "Content-Length: -5\r\n",
      "Content-Length: 0x5\r\n",
      "Transfer-Encoding: xchunked\r\n",
      "Transfer-Encoding: chunked, identity\r\n",
      "Transfer-Encoding : chunked\r\n",
      "Transfer-Encoding:\u{0B}chunked\r\n",
      " Transfer-Encoding: chunked\r\n",
    ])
    func `a body of ambiguous length is refused`(fields: String) async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send(
          "POST / HTTP/1.1\r\nHost: test\r\n\(fields)\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: test\r\n\r\n")
        let response = try client.response()
        #expect([400, 501].contains(response.status))
        #expect(response["connection"] == "close")
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `an unknown transfer coding is refused with 501`() async throws {
      try await expectRefusal(501, of: "POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: gzip, chunked\r\n\r\n")
    }

    @Test(arguments: [
      "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}", "hello\r\n\r\n", "GET / HTTP/1.1\r\nHost test\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n",
    ])
    func `a request that is not HTTP is refused`(bytes: String) async throws {
      try await expectRefusal(400, of: bytes)
    }

    @Test(arguments: [
      ("BREW / HTTP/1.1\r\nHost: a\r\n\r\n", "method"),
      ("GET /\u{E9} HTTP/1.1\r\nHost: a\r\n\r\n", "percent-encoded"),
      ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", "%20"),
      ("GET / HTTP/1.1\r\nHost: a\n\r\n", "CR LF"), ("GET / HTTP/1.1\nHost: a\n\n", "CR LF"),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", "Content-Length"),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", "Content-Length"),
      ("GET / HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", "header field"),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "size of a chunk"),
    ])
    func `a refusal names the error`(bytes: String, detail: String) async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send(bytes)
        let response = try client.response()
        #expect([400, 501, 505].contains(response.status))
        #expect(response.body.contains(detail), "\(response.body)")
      }
    }

    @Test func `another version of HTTP is refused`() async throws {
      try await expectRefusal(505, of: "GET / HTTP/2.0\r\nHost: a\r\n\r\n")
    }

    @Test func `a tunnel is refused`() async throws {
      try await expectRefusal(501, of: "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n")
    }

    @Test func `an incomplete request is refused`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nab")
        client.endOutput()
        #expect(try client.response().status == 400)
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `requests before a malformed one are answered first`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send(
          "GET /delay/20 HTTP/1.1\r\nHost: a\r\n\r\nGET /second HTTP/1.1\r\nHost: a\r\n\r\nnonsense\r\n\r\n")
        #expect(try client.response().body == "ready")
        #expect(try client.response().body == "GET /second ")
        #expect(try client.response().status == 400)
        #expect(try client.rest() == .closed)
      }
    }

    // MARK: Back-pressure

    @Test func `requests wait while their client does not read`() async throws {
      let validated = Mutex(0)
      try await serving(Sample.responder { _ in validated.withLock { $0 += 1 } }) { port, _ in
        let client = try RawClient(port: port)
        try client.send(String(repeating: "GET /long HTTP/1.1\r\nHost: a\r\n\r\n", count: 200))
        #expect(try client.response().body.utf8.count == 1_000_000)
        #expect(validated.withLock { $0 } < 100)
        for _ in 1..<200 { #expect(try client.response().body.utf8.count == 1_000_000) }
      }
    }

    // MARK: Ends of connections

    @Test(arguments: [
      "Connection: close", "connection: Close", "Connection: x, CLOSE ,y", "Connection: x\r\nConnection: close",
    ])
    func `a client may end the connection`(field: String) async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get("/ready", field + "\r\n")
        try client.send("GET /ignored HTTP/1.1\r\nHost: a\r\n\r\n")
        let response = try client.response()
        #expect(response["connection"] == "close")
        #expect(response.body == "ready")
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `a client that closes its output gets its answers`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get("/delay/20")
        try client.get("/second")
        client.endOutput()
        #expect(try client.response().body == "ready")
        #expect(try client.response().body == "GET /second ")
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `an HTTP 1.0 connection ends with the answer unless it is kept alive`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send("GET /ready HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
        #expect(try client.response()["connection"] == "keep-alive")
        try client.send("GET /ready HTTP/1.0\r\n\r\n")
        #expect(try client.response()["connection"] == "close")
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `an upgrade is declined and the connection ends`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get(
          "/ready", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n")
        let response = try client.response()
        #expect(response.status == 200)
        #expect(response["connection"] == "close")
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `changed fields of a request are received`() async throws {
      let seen = Mutex<[String]>([])
      let responder = Sample.responder { request in seen.withLock { $0.append(request.headerFields[.accept] ?? "-") } }
      try await serving(responder) { port, _ in
        let client = try RawClient(port: port)
        // The last two are canonically equivalent and have the same number of bytes.
        for accept in ["a", "a", "b", "\u{212B}", "A\u{030A}"] {
          try client.get("/ready", "Accept: \(accept)\r\n")
          #expect(try client.response().status == 200)
        }
        #expect(
          seen.withLock { $0.map { Array($0.utf8) } }
            == ["a", "a", "b", "\u{212B}", "A\u{030A}"].map { Array($0.utf8) })
      }
    }

    private func expectRefusal(_ status: Int, of request: String) async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.send(request)
        let response = try client.response()
        #expect(response.status == status)
        #expect(response["connection"] == "close")
        #expect(response["content-type"] == "application/problem+json")
        #expect(response["date"] != nil)
        #expect(try client.rest() == .closed)
      }
    }
  }
}

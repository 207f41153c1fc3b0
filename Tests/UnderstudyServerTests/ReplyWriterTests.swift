import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  @Suite struct ReplyWriterTests {
    @Test func `a prepared answer has its fields, its length and the date`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get("/ready")
        let response = try client.response()
        #expect(response.status == 200)
        #expect(response.fields.map(\.name) == ["content-type", "etag", "content-length", "date"])
        #expect(response["content-length"] == "5")
        #expect(response["date"]?.utf8.count == 29)
        #expect(response.body == "ready")
      }
    }

    @Test func `a long prepared answer is whole`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        for _ in 0..<2 {
          try client.get("/long")
          #expect(try client.response().body == String(repeating: "x", count: 1_000_000))
        }
      }
    }

    @Test func `HEAD gets the length of the body`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        for (path, length) in [("/ready", "5"), ("/long", "1000000"), ("/echo", "11")] {
          try client.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
          #expect(try client.response(hasBody: false)["content-length"] == length)
        }
        try client.get("/after")
        #expect(try client.response().body == "GET /after ")
      }
    }

    @Test(arguments: [(204, nil), (205, "0"), (304, nil), (200, "4"), (404, "4"), (599, "4")])
    func `only statuses with content announce some`(status: Int, length: String?) async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get("/status/\(status)")
        let response = try client.response()
        #expect(response.status == status)
        #expect(response["content-length"] == length)
        #expect(response.body == (length == "4" ? "body" : ""))
        try client.get("/after")
        #expect(try client.response().body == "GET /after ")
      }
    }

    @Test(arguments: [204, 205, 304])
    func `a body that HTTP forbids is sent on purpose, and ends the connection`(status: Int) async throws {
      let answer = PreparedResponse(
        index: 0, response: HTTPResponse(status: .init(code: status)), body: Array("body".utf8), forcesBody: true)
      try await serving(Responder(prepared: [answer]) { _, _ in Reply(.prepared(answer), reason: "test") }) { port, _ in
        let client = try RawClient(port: port)
        try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.response(hasBody: false)["connection"] == nil)
        try client.get("/")
        let response = try client.response()
        #expect(response.status == status)
        #expect(response["content-length"] == "4")
        #expect(response["connection"] == "close")
        #expect(response.body == "body")
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `fields that frame a message are left to the server`() async throws {
      let fields: HTTPFields = [.contentLength: "3", .transferEncoding: "chunked", .connection: "close", .eTag: "x"]
      let responder = Responder { _, _ in
        Reply(.made(HTTPResponse(status: .ok, headerFields: fields), body: Array("whole".utf8)), reason: "test")
      }
      try await serving(responder) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/")
        let response = try client.response()
        #expect(response.fields.map(\.name) == ["etag", "content-length", "date"])
        #expect(response.body == "whole")
      }
    }

    @Test func `a prepared answer that was not announced is served all the same`() async throws {
      let stranger = PreparedResponse(index: 7, response: HTTPResponse(status: .created), body: Array("new".utf8))
      try await serving(Responder { _, _ in Reply(.prepared(stranger), reason: "test") }) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/")
        let response = try client.response()
        #expect(response.status == 201)
        #expect(response.body == "new")
      }
    }

    // MARK: Delays and faults

    @Test(arguments: [("close", RawClient.End.closed), ("reset", .reset)])
    func `a connection that fails sends nothing`(fault: String, end: RawClient.End) async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get("/ready")
        #expect(try client.response().body == "ready")
        try client.get("/fault/\(fault)")
        #expect(try client.rest() == RawClient.Rest(text: "", end: end))
      }
    }

    @Test func `a truncated answer announces more than it sends`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get("/fault/truncate")
        let rest = try client.rest()
        #expect(rest.end == .closed)
        #expect(rest.text.contains("\r\nContent-Length: 5\r\n"))
        #expect(rest.text.hasSuffix("\r\n\r\nre"))
      }
    }

    @Test func `an answer without a body is cut within its head`() async throws {
      let responder = Responder { _, _ in
        Reply(.made(HTTPResponse(status: .noContent), body: []), fault: .truncate, reason: "test")
      }
      try await serving(responder) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/")
        let rest = try client.rest()
        #expect(rest.text.hasPrefix("HTTP/1.1 204"))
        #expect(!rest.text.contains("\r\n\r\n"))
      }
    }

    @Test func `garbage is not HTTP`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        try client.get("/fault/garbage")
        let rest = try client.rest()
        #expect(rest.end == .closed)
        #expect(!rest.text.isEmpty)
        #expect(!rest.text.contains("HTTP"))
      }
    }

    @Test func `an answer with pauses is whole, and the connection goes on`() async throws {
      try await serving { port, _ in
        let client = try RawClient(port: port)
        for path in ["/fault/drip", "/ready"] {
          try client.get(path)
          #expect(try client.response().body == "ready")
        }
      }
    }

    @Test func `a hanging answer never comes`() async throws {
      try await serving {
        $0.idleTimeout = .milliseconds(10)
        $0.hangLimit = .milliseconds(80)
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.get("/fault/hang")
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `a client that gives up on a hanging answer is let go`() async throws {
      let (exchanges, continuation) = AsyncStream.makeStream(of: ServedRequest.self)
      try await serving(observer: { continuation.yield($0) }) { port, _ in
        try { try RawClient(port: port).get("/fault/hang") }()
        let exchange = await exchanges.first { _ in true }
        #expect(exchange?.status == nil)
        #expect(exchange?.target == "/fault/hang")
      }
    }
  }
}

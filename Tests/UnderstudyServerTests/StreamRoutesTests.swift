import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// Answers that arrive over time, as the admin API shows them.
  struct StreamRoutesTests {
    private static let contract = """
      openapi: 3.1.0
      info: {title: Feed, version: "1"}
      paths:
        /feed:
          get:
            operationId: readFeed
            responses: &feed
              "200": {description: d, content: {text/event-stream: {}, application/x-ndjson: {}, application/zip: {}}}
          post:
            operationId: askFeed
            requestBody: {content: {application/json: {schema: {type: object}}}}
            responses: *feed
      """

    private struct Feed {
      let pieces: AsyncStream<[UInt8]>.Continuation
      let ended = Awaited(0)
      func send(_ text: String) { pieces.yield(Array(text.utf8)) }
      func end() { pieces.finish() }
    }

    /// Gets the upstream of one answer, and what makes clients.
    private func withFeed(
      _ type: String = "text/event-stream", _ body: (Feed, () throws -> RawClient) throws -> Void
    ) async throws {
      let mock = try ContractFixture(Self.contract).mock { $0.upstream = Upstream("http://up") }
      let (pieces, continuation) = AsyncStream.makeStream(of: [UInt8].self)
      let feed = Feed(pieces: continuation)
      let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: true))
      try await UnderstudyServerTests.serving(
        host.responder(for: mock), configure: { $0.servesLanes = true },
        transport: { _, _ in
          (HTTPResponse(status: .ok, headerFields: [.contentType: type]), Body(length: nil, pieces))
        },
        open: { host.journal.open($0) },
        observer: { exchange in
          // Those of the admin API have no number.
          host.journal.append(exchange)
          if !exchange.reply.isAboutMock { feed.ended.change { $0 += 1 } }
        }
      ) { port, _ in
        defer {
          feed.end()
          host.journal.close()
        }
        try body(feed) { try RawClient(port: port) }
      }
    }

    private func json(_ client: RawClient, _ target: String) throws -> JSON {
      try ask(client, target)
      let reply = try client.response()
      try #require(reply.status == 200, "\(reply.body)")
      return try JSONParser.parse(Array(reply.body.utf8)).root
    }

    private func ask(_ client: RawClient, _ target: String) throws {
      try client.send("GET /__admin/\(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    }

    private func texts(_ messages: JSON?) -> [String] {
      messages?["last"]?.elements.map { $0["text"]?.text ?? "" } ?? []
    }

    @Test func `a stream is a row with its messages while it is open, and a request when it has ended`() async throws {
      try await withFeed { feed, connect in
        let (client, admin, follower) = (try connect(), try connect(), try connect())
        try client.get("/~ann/feed?user=u1")
        feed.send("event: hello\nid: 7\ndata: one\n\n: still here\n\ndata: two\n\ndata: thr")
        _ = try client.text(through: "data: thr")
        let row = try #require(try json(admin, "streams")["streams"]?.elements.first { _ in true })
        #expect(row["id"]?.text == "1" && row["target"]?.text == "/~ann/feed?user=u1" && row["lane"]?.text == "ann")
        #expect(row["operation"]?.text == "readFeed" && row["status"]?.text == "200", "\(row)")
        #expect(row["messages"]?["count"]?.text == "2" && texts(row["messages"]) == ["two"], "\(row)")
        let detail = try json(admin, "streams/1")
        #expect(texts(detail["messages"]) == ["one", "two"])
        let first = try #require(detail["messages"]?["last"]?.elements.first { _ in true })
        #expect(first["event"]?.text == "hello" && first["id"]?.text == "7" && first["number"]?.text == "1")
        #expect(try json(admin, "requests")["requests"]?.elements.count == 0)

        try ask(follower, "events?after=0")
        let event = try follower.text(through: "\"text\":\"two\"")
        #expect(event.contains("event: streams\ndata: {\"streams\":[{\"id\":1,"), "\(event)")
        feed.send("ee\n\n")
        _ = try follower.text(through: "\"text\":\"three\"")
        feed.end()
        _ = try client.text(through: "0\r\n\r\n")
        // The list without the stream comes with or behind the request.
        _ = try follower.text(through: "data: {\"streams\":[]}")
        #expect(try json(admin, "streams")["streams"]?.elements.count == 0)
        let ended = try json(admin, "requests/1")
        #expect(texts(ended["messages"]) == ["one", "two", "three"], "\(ended)")
        let line = try #require(try json(admin, "requests")["requests"]?.elements.first { _ in true })
        #expect(line["messages"]?["count"]?.text == "3" && texts(line["messages"]) == ["three"])
        try ask(admin, "streams/1")
        #expect(try admin.response().body.contains("no stream `1` is open"))
      }
    }

    @Test func `a client that leaves ends its stream, whose messages stay`() async throws {
      try await withFeed("application/x-ndjson") { feed, connect in
        let client = try connect()
        try client.get("/feed")
        feed.send("{\"n\": 1}\n{\"n\": 2}\n{\"n\"")
        _ = try client.text(through: "{\"n\"\r\n")
        client.reset()
        feed.send(": 3}\n")
        #expect(feed.ended.waits { $0 == 1 })
        let ended = try json(try connect(), "requests/1")
        #expect(texts(ended["messages"]).prefix(2) == ["{\"n\": 1}", "{\"n\": 2}"], "\(ended)")
        #expect(ended["status"]?.text == "200", "\(ended)")
        #expect(ended["reply"]?.text == "upstream, broken off: the client left", "\(ended)")
      }
    }

    @Test func `messages show no secrets`() async throws {
      try await withFeed { feed, connect in
        let (client, admin) = (try connect(), try connect())
        let body = #"{"password": "third-secret-thing"}"#
        try client.send(
          "POST /feed HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer very-secret-thing\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        feed.send("data: {\"refreshToken\": \"another-secret-thing\"}\n\n")
        feed.send("data: it is very-secret-thing or third-secret-thing\n\n")
        _ = try client.text(through: "third-secret-thing\n\n")
        for target in ["streams", "streams/1"] {
          let text = JSONWriter.text(try json(admin, target))
          #expect(text.contains("it is "), "\(text)")
          #expect(!text.contains("secret-thing"), "\(text)")
        }
        feed.end()
        #expect(feed.ended.waits { $0 == 1 })
        let text = JSONWriter.text(try json(admin, "requests/1"))
        #expect(text.contains("it is ") && !text.contains("secret-thing"), "\(text)")
      }
    }

    @Test func `a list shows the beginning of a long message, and a detail all of it`() async throws {
      try await withFeed { feed, connect in
        let (client, admin) = (try connect(), try connect())
        try client.get("/feed")
        feed.send("data: \(String(repeating: "long ", count: 200))end\n\n")
        _ = try client.text(through: "end\n\n")
        let row = try #require(try json(admin, "streams")["streams"]?.elements.first { _ in true })
        #expect(texts(row["messages"]).map(\.count) == [303], "\(row)")
        #expect(texts(try json(admin, "streams/1")["messages"]).map(\.count) == [1003])
      }
    }

    @Test func `a stream without messages is a row, too`() async throws {
      try await withFeed("application/zip") { feed, connect in
        let (client, admin) = (try connect(), try connect())
        try client.get("/feed")
        feed.send("PK")
        _ = try client.text(through: "PK")
        let row = try #require(try json(admin, "streams")["streams"]?.elements.first { _ in true })
        #expect(row["target"]?.text == "/feed" && row["messages"] == nil, "\(row)")
      }
    }

    @Test(arguments: ["streams/0", "streams/x", "streams/99999999999999999999", "streams/1/2"])
    func `a stream that is not open is not found`(_ target: String) async throws {
      try await withFeed { _, connect in
        let client = try connect()
        try ask(client, target)
        #expect(try client.response().status == 404)
      }
    }
  }
}

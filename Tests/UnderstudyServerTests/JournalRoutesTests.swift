import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// The journal and the numbers of a mock over HTTP.
  struct JournalRoutesTests {
    private static let contract = """
      openapi: 3.1.0
      info: {title: Jobs, version: "1"}
      paths:
        /job:
          get:
            operationId: readJob
            responses: {"200": {description: Done}, "202": {description: Later}}
      """

    private func withJournal(_ body: (Journal, () throws -> RawClient) async throws -> Void) async throws {
      let mock = try ContractFixture(Self.contract).mock()
      let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: true))
      try await UnderstudyServerTests.serving(
        host.responder(for: mock),
        configure: {
          $0.servesLanes = true
          $0.connections = host.connections
        }, observer: { host.journal.append($0) }
      ) { port, _ in
        do {
          try await body(host.journal) { try RawClient(port: port) }
        } catch {
          host.journal.close()
          throw error
        }
        host.journal.close()
      }
    }

    private func send(
      _ client: RawClient, _ method: String, _ target: String, _ fields: String = ""
    ) throws
      -> RawClient.Response
    {
      try client.send("\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)\r\n")
      return try client.response()
    }

    private func json(_ client: RawClient, _ target: String) throws -> JSON {
      let reply = try send(client, "GET", "/__admin/\(target)")
      try #require(reply.status == 200, "\(reply.body)")
      return try JSONParser.parse(Array(reply.body.utf8)).root
    }

    private func ids(_ root: JSON) -> [String] { root["requests"]?.elements.map { $0["id"]?.text ?? "" } ?? [] }

    private static let numbers = [
      "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "-1", "0", "1e400",
      "NaN", "-0", String(repeating: "9", count: 400),
    ]

    @Test(arguments: numbers) func `a number that no request has is not found`(_ number: String) async throws {
      try await withJournal { _, connect in
        let client = try connect()
        for path in ["requests/\(number)", "streams/\(number)"] {
          #expect(try send(client, "GET", "/__admin/\(path)").status == 404)
        }
        #expect(try send(client, "POST", "/__admin/requests/\(number)/again").status == 404)
      }
    }

    @Test(arguments: ["requests?wait=60s", "requests/count?wait=60s", "requests/unmatched?wait=60s"])
    func `a client that closes its output while it waits for a request has left`(_ target: String) async throws {
      try await withJournal { _, connect in
        let client = try connect()
        try client.send("GET /__admin/\(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        client.endOutput()
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `a client that does not wait receives its response after it has closed its output`() async throws {
      try await withJournal { _, connect in
        let client = try connect()
        try client.send("GET /__admin/requests/count HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        client.endOutput()
        #expect(try client.response().status == 200)
      }
    }

    /// A token that a client sent in its place is known, wherever else it stands.
    @Test func `the secret of one request is hidden in the target of another, whichever came first`() async throws {
      try await withJournal { _, connect in
        let (client, token) = (try connect(), "x4YzQ0qkVfR2mJtUcP8hLwB1nSd2")
        for _ in 0..<2 {
          _ = try send(client, "PUT", "/nowhere/\(token)")
          _ = try send(client, "OPTIONS", "/job", "Authorization: Bearer \(token)\r\n")
        }
        for target in ["requests/unmatched", "requests/unmatched/near-misses"] {
          let shown = JSONWriter.text(try json(client, target))
          #expect(shown.contains("/nowhere/[redacted 1]") && !shown.contains(token), "\(shown)")
        }
      }
    }

    @Test func `requests are listed, filtered, shown and forgotten, those of the admin API not among them`()
      async throws
    {
      try await withJournal { _, connect in
        let client = try connect()
        for target in ["/job", "/~ann/job", "/jub", "/job"] { _ = try send(client, "GET", target) }
        #expect(ids(try json(client, "requests")) == ["4", "3", "2", "1"])
        #expect(ids(try json(client, "requests?limit=1")) == ["4"])
        #expect(ids(try json(client, "requests?after=2")) == ["4", "3"])
        #expect(ids(try json(client, "requests?lane=ann")) == ["2"])
        #expect(ids(try json(client, "requests?operation=readJob&lane=default")) == ["4", "1"])
        #expect(ids(try json(client, "requests?findings=true")) == ["3"])
        #expect(ids(try json(client, "requests?path=/job")) == ["4", "2", "1"])
        #expect(ids(try json(client, "requests?method=get&path=/jub")) == ["3"])
        #expect(ids(try json(client, "requests?header=Host:127.0.0.1&limit=1")) == ["4"])
        #expect(ids(try json(client, "requests?header=host:other")) == [])
        #expect(ids(try json(client, "requests?header=other")) == [])
        #expect(ids(try json(client, "requests?since=2000-01-01T00:00:00Z&limit=1")) == ["4"])
        #expect(ids(try json(client, "requests?since=2200-01-01T00:00:00Z")) == [])
        #expect(try json(client, "requests/count?operation=readJob")["count"]?.int == 3)
        let unmatched = try json(client, "requests/unmatched")
        #expect(ids(unmatched) == ["3"])
        #expect(JSONWriter.text(unmatched).contains("`GET /job`") || JSONWriter.text(unmatched).contains("/job"))
        let detail = try json(client, "requests/3")
        #expect(detail["findings"]?.elements.map { $0["rule"]?.text ?? "" } == ["req.path.unknown"], "\(detail)")
        #expect(detail["exchange"]?["request"]?["url"]?.string == "http://127.0.0.1/jub", "\(detail)")
        #expect(try json(client, "requests/har")["log"]?["entries"]?.elements.count == 4)
        #expect(try send(client, "DELETE", "/__admin/requests").status == 200)
        let empty = try json(client, "requests")
        #expect(ids(empty) == [] && empty["meta"]?["total"]?.text == "4" && empty["meta"]?["dropped"]?.text == "4")
      }
    }

    @Test(arguments: [
      ("requests?limit=0", 400), ("requests?limit=x", 400), ("requests?nothing=1", 400),
      ("requests?findings=maybe", 400), ("requests?operation=readJub", 404), ("requests?body=chat", 400),
      ("requests?since=yesterday", 400), ("lanes/default?state=maybe", 400),
      ("requests/0", 404), ("requests/99999999999999999999", 404), ("requests/x", 404), ("health?a=1", 400),
      ("requests/unmatched/x", 404), ("lanes/nobody/forced", 405), ("requests/har/..", 404),
    ]) func `a request that the API does not have is refused`(target: String, status: Int) async throws {
      try await withJournal { _, connect in
        let reply = try send(try connect(), "GET", "/__admin/\(target)")
        #expect(reply.status == status && reply["content-type"] == "application/problem+json", "\(reply.body)")
      }
    }

    @Test func `the matrix counts what was served and names what is forced`() async throws {
      try await withJournal { _, connect in
        let client = try connect()
        let change = #"{"force": {"readJob": "202*2"}}"#
        try client.send(
          "PATCH /__admin/lanes/default HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: \(change.utf8.count)\r\n\r\n\(change)"
        )
        #expect(try client.response().status == 200)
        #expect(try send(client, "GET", "/job").status == 202)
        let row = try #require(try json(client, "operations")["operations"]?.elements.first { _ in true })
        #expect(row["forced"]?.text == "202" && row["forcedTimes"]?.text == "1", "\(row)")
        #expect(row["cells"]?.elements.map { $0["served"]?.text ?? "" } == ["0", "1"], "\(row)")
        #expect(try send(client, "DELETE", "/__admin/lanes/default/forced").status == 200)
        #expect(try send(client, "GET", "/job").status == 200)
      }
    }

    @Test(arguments: ["9223372036854775807", "-9223372036854775808", "-1", "77"])
    func `a number of another run begins the events anew`(_ last: String) async throws {
      try await withJournal { _, connect in
        _ = try send(try connect(), "GET", "/job")
        let follower = try connect()
        try follower.send("GET /__admin/events HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: \(last)\r\n\r\n")
        #expect(try follower.text(through: "\"id\":1,").contains("id: 1\n"))
      }
    }

    @Test func `secrets of a request are in none of its findings`() async throws {
      try await withJournal { _, connect in
        let client = try connect()
        _ = try send(client, "GET", "/jobs/very-secret-thing", "Authorization: Bearer very-secret-thing\r\n")
        for target in ["requests", "requests/unmatched", "requests/unmatched/near-misses", "requests/1"] {
          let text = try send(client, "GET", "/__admin/\(target)").body
          #expect(text.contains("/jobs/") && !text.contains("very-secret-thing"), "\(target): \(text)")
        }
      }
    }

    @Test func `metrics are lines of Prometheus`() async throws {
      try await withJournal { _, connect in
        let client = try connect()
        _ = try send(client, "GET", "/job")
        let reply = try send(client, "GET", "/__admin/metrics")
        #expect(reply["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
        for line in reply.body.split(separator: "\n") {
          #expect(
            line.wholeMatch(
              of:
                /# (HELP|TYPE) understudy_[a-z_]+ .+|understudy_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? [0-9.e+-]+/
            )
              != nil, "\(line)")
        }
        #expect(
          reply.body.contains(#"understudy_requests_total{operation="api/readJob",status="200"} 1"#), "\(reply.body)")
        #expect(reply.body.contains("\nunderstudy_connections 1\n"), "\(reply.body)")
      }
    }

    @Test func `those who follow get each request once, and go on where they lost the connection`() async throws {
      try await withJournal { journal, connect in
        let client = try connect()
        _ = try send(client, "GET", "/job")
        let follower = try connect()
        try follower.send("GET /__admin/events?after=0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        let first = try follower.text(through: "\"id\":1,")
        #expect(first.contains("text/event-stream") && first.contains("id: 1\n"), "\(first)")
        _ = try send(client, "GET", "/job")
        _ = try follower.text(through: "\"id\":2,")
        let second = try connect()
        try second.send("GET /__admin/events HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: 1\r\n\r\n")
        let text = try second.text(through: "\"id\":2,")
        #expect(!text.contains("\"id\":1,"), "\(text)")
        // The streams end when the server is about to stop.
        journal.close()
        _ = try follower.text(through: "0\r\n\r\n")
      }
    }

    @Test func `a page of another origin cannot follow`() async throws {
      try await withJournal { _, connect in
        let reply = try send(try connect(), "GET", "/__admin/events", "Origin: http://evil.example\r\n")
        #expect(reply.status == 403)
      }
    }
  }
}

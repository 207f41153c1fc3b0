import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// Requests whose responses are late, as the admin API shows them from their arrival.
  struct ArrivalTests {
    private static let contract = """
      openapi: 3.1.0
      info: {title: Jobs, version: "1"}
      paths:
        /job:
          get:
            operationId: readJob
            security: [{token: []}]
            responses: {"200": {description: Done, content: {text/plain: {example: done}}}}
      components: {securitySchemes: {token: {type: apiKey, in: header, name: idtoken}}}
      """

    private func withMock(_ body: (MockServer, Mock) async throws -> Void) async throws {
      let mock = try ContractFixture(Self.contract).mock()
      try await withMockServer(mock) { try await body($0, mock) }
    }

    private func ask(
      _ server: MockServer, _ method: String, _ target: String, _ body: String = ""
    ) throws -> RawClient.Response {
      let client = try RawClient(port: server.port)
      let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
      try client.send("\(method) /__admin/\(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(length)\r\n\(body)")
      return try client.response()
    }

    private func json(_ server: MockServer, _ target: String) throws -> JSON {
      let reply = try ask(server, "GET", target)
      try #require(reply.status == 200, "\(reply.body)")
      return try JSONParser.parse(Array(reply.body.utf8)).root
    }

    private func only(_ list: JSON?) throws -> JSON {
      let elements = try #require(list).elements.map(\.self)
      try #require(elements.count == 1, "\(elements)")
      return elements[0]
    }

    private static let late = [
      ("{\"name\": \"a\", \"fault\": [\"readJob=hang\"]}", "hang"),
      ("{\"name\": \"a\", \"delay\": [\"readJob=3600s\"]}", "delayed by 3600.0 seconds"),
      ("{\"name\": \"a\", \"fault\": [\"readJob=stall:3600s\"]}", "sent slowly"),
      ("{\"name\": \"a\", \"fault\": [\"readJob=hang:body\"]}", "hang"),
    ]

    @Test(arguments: late) func `a request whose response is late is listed from its arrival`(
      opening: String, reason: String
    ) async throws {
      try await withMock { server, _ in
        #expect(try ask(server, "POST", "lanes", opening).status == 201)
        let client = try RawClient(port: server.port)
        try client.get("/~a/job?n=1", "idtoken: t\r\n")
        let list = try json(server, "requests?lane=a&open=0&wait=60s")
        #expect(list["requests"]?.elements.count == 0)
        let row = try only(list["open"])
        #expect(row["late"]?.text == reason && row["id"]?.text == "1" && row["status"] == nil, "\(row)")
        #expect(row["operation"]?.text == "readJob" && row["method"]?.text == "GET" && row["lane"]?.text == "a")
        #expect(try json(server, "requests?lane=a&open=1")["open"]?.elements.count == 0)
        #expect(try json(server, "requests?lane=b&open=0")["open"]?.elements.count == 0)
        #expect(try json(server, "requests?lane=a")["open"] == nil)
        let count = try json(server, "requests/count?lane=a&operation=readJob&open=0")
        #expect(count["count"]?.text == "0" && count["open"]?.text == "1", "\(count)")
        for detail in [
          try json(server, "streams/1"), try only(try json(server, "requests/details?lane=a&open=0")["open"]),
        ] {
          #expect(
            detail["late"]?.text == reason && detail["exchange"]?["response"]?["status"]?.text == "0", "\(detail)")
          #expect(detail["exchange"]?["request"]?["url"]?.text.hasSuffix("/job?n=1") == true, "\(detail)")
        }
        client.reset()
        let ended = try only(try json(server, "requests?lane=a&wait=60s")["requests"])
        #expect(ended["open"]?.text == "1" && ended["late"] == nil, "\(ended)")
        #expect(try json(server, "streams")["streams"]?.elements.count == 0)
      }
    }

    @Test func `a request whose response is sent at once never was open`() async throws {
      try await withMock { server, _ in
        let client = try RawClient(port: server.port)
        try client.get("/~a/job", "idtoken: t\r\n")
        #expect(try client.response().status == 200)
        let list = try json(server, "requests?lane=a&open=0")
        #expect(list["open"]?.elements.count == 0)
        #expect(try only(list["requests"])["open"] == nil)
      }
    }

    @Test func `a stream that begins late keeps its number`() async throws {
      try await withMock { server, _ in
        #expect(try ask(server, "POST", "lanes", "{\"name\": \"a\"}").status == 201)
        let reply = #"{"operation": "readJob", "events": ["one", {"end": "stall"}], "delay": "50ms"}"#
        #expect(try ask(server, "POST", "lanes/a/replies", reply).status == 201)
        let client = try RawClient(port: server.port)
        try client.get("/~a/job", "idtoken: t\r\n")
        let row = try only(try json(server, "requests?lane=a&open=0&wait=60s")["open"])
        #expect(row["id"]?.text == "1", "\(row)")
        _ = try client.text(through: "data: one\n\n")
        let begun = try only(try json(server, "streams")["streams"])
        #expect(begun["id"]?.text == "1" && begun["status"]?.text == "200" && begun["late"] == nil, "\(begun)")
        #expect(begun["messages"]?["count"]?.text == "1", "\(begun)")
      }
    }

    @Test func `secrets are shown to the process of the mock alone`() async throws {
      try await withMock { server, mock in
        let client = try RawClient(port: server.port)
        try client.get("/~a/job", "idtoken: abc-123-secret\r\n")
        _ = try client.response()
        for path in ["requests/details", "requests/har", "requests/1"] {
          let refused = try ask(server, "GET", "\(path)?secrets=shown")
          #expect(refused.status == 403 && refused.body.contains("shows no secrets over a connection"), "\(refused)")
          let hidden = await server.adminReply(.get, "/__admin/\(path)", [], by: mock)
          #expect(hidden.status == 200 && !String(decoding: hidden.body, as: UTF8.self).contains("abc-123-secret"))
          let shown = await server.adminReply(.get, "/__admin/\(path)?secrets=shown", [], by: mock)
          #expect(String(decoding: shown.body, as: UTF8.self).contains("\"abc-123-secret\""), "\(path)")
          let wrong = await server.adminReply(.get, "/__admin/\(path)?secrets=all", [], by: mock)
          #expect(wrong.status == 400)
        }
      }
    }
  }
}

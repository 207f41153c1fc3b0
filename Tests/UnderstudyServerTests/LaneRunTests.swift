import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// The variants of sweeps, and the lanes in which clients meet them, by the admin API alone.
  struct LaneRunTests {
    private static let contract = """
      openapi: 3.1.0
      info: {title: Chat, version: "1"}
      paths:
        /chat:
          get:
            operationId: readChat
            parameters: [{name: token, in: header, required: true, schema: {type: string}}]
            responses:
              "200": {description: Chats, content: {application/json: {schema: {type: array, items: {type: string}}}}}
              "401": {description: No, x-meaning: expired}
          post:
            operationId: sendChat
            responses: {"204": {description: Sent}}
      """

    /// Serves the contract while a function runs.
    private func serving(_ body: (Client) throws -> Void) async throws {
      let mock = try ContractFixture(Self.contract, fixtures: ["readChat/200.json": #"["hello"]"#]).mock()
      try await withMockServer(mock) { server in try body(Client(port: server.port)) }
    }

    private struct Client {
      let port: Int

      /// Sends a request on a connection of its own.
      @discardableResult
      func send(
        _ method: String, _ target: String, _ body: String = "", fields: String = "token: t\r\n"
      ) throws -> (status: Int, text: String) {
        let client = try RawClient(port: port)
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\nContent-Type: application/json\r\n"
        try client.send("\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(fields)\(length)\r\n\(body)")
        let response = try client.response()
        return (response.status, response.body)
      }

      func json(_ method: String, _ target: String, _ body: String = "") throws -> JSON {
        let (status, text) = try send(method, "/__admin/\(target)", body)
        try #require(200...299 ~= status, "\(text)")
        return try JSON(parsing: text)
      }

      /// Opens a lane; returns its name.
      func open(_ target: String, _ body: String = "") throws -> String {
        try #require(try json("POST", target, body)["name"]?.text)
      }
    }

    @Test func `the variants of a lane change what its client called`() async throws {
      try await serving { client in
        _ = try client.open("lanes", #"{"name": "a"}"#)
        try client.send("GET", "/~a/chat")
        let plan = try client.json("GET", "lanes/a/variants?seed=0")
        let rows = plan["variants"].map { Array($0.elements) } ?? []
        #expect(Set(rows.compactMap { $0["operation"]?.text }) == ["readChat"])
        #expect(rows.prefix(2).compactMap { $0["name"]?.text } == ["status 200", "status 401 expired"])
        #expect(rows[1]["status"]?.int == 401)
        #expect(rows[1]["kind"]?.text == "status")
        let inHead = rows.filter { $0["closesInHead"]?.bool == true }
        #expect(inHead.compactMap { $0["name"]?.text } == ["close head"])
        let kinds = plan["kinds"]?.elements.map(\.text) ?? []
        #expect(kinds.contains("event-duplicate") && kinds.contains("html"))
        let (status, text) = try client.send("GET", "/__admin/lanes/a/variants?operation=readChats")
        #expect(status == 409 && text.contains("did you mean `readChat`"))
      }
    }

    @Test func `a run begins as its lane began, with a variant`() async throws {
      try await serving { client in
        _ = try client.open("lanes", #"{"name": "a", "force": {"sendChat": "204*1"}}"#)
        _ = try client.json(
          "POST", "lanes/a/replies", #"{"operation": "readChat", "status": 200, "json": ["own"], "times": 1}"#)
        let usual = try client.open("lanes/a/runs")
        // The reply of the lane answers once in each run.
        #expect(try client.send("GET", "/~\(usual)/chat").text == #"["own"]"#)
        #expect(try client.send("GET", "/~\(usual)/chat").text == #"["hello"]"#)
        _ = try client.json("GET", "lanes/\(usual)/variants")
        let late = try client.open("lanes/\(usual)/runs", #"{"variant": "readChat reset"}"#)
        #expect(throws: RawClient.Failure.self) { try client.send("GET", "/~\(late)/chat") }
        let report = try client.json("DELETE", "lanes/\(late)")["run"]
        #expect(report?["wasSent"]?.bool == true && report?["cells"]?.count == 0, "\(String(describing: report))")
        let other = try client.open("lanes/\(usual)/runs", #"{"variant": "readChat status 401 expired"}"#)
        #expect(try client.send("GET", "/~\(other)/chat").status == 401)
      }
    }

    @Test func `the end of a run has what the client sent next, and what it broke`() async throws {
      try await serving { client in
        _ = try client.open("lanes", #"{"name": "a"}"#)
        try client.send("GET", "/~a/chat")
        _ = try client.json("GET", "lanes/a/variants")
        let run = try client.open("lanes/a/runs", #"{"variant": "readChat status 401 expired"}"#)
        for _ in 0..<3 { try client.send("GET", "/~\(run)/chat") }
        try client.send("POST", "/~\(run)/chat")
        try client.send("GET", "/~\(run)/chat", fields: "")
        try client.send("GET", "/~\(run)/understudy-redirect")
        let report = try #require(try client.json("DELETE", "lanes/\(run)")["run"])
        let next = report["next"]?.elements.map(\.text)
        #expect(next == ["readChat x2", "sendChat", "readChat", "GET /understudy-redirect"])
        #expect(report["requestsAfter"]?.int == 5)
        let violations = report["violations"]?.elements.compactMap { $0["message"]?.text } ?? []
        #expect(violations == ["readChat: the header `token` is required and missing [req.param.missing]"])
        let statuses = report["cells"]?.elements.compactMap { $0["status"]?.int }
        #expect(statuses == [401, 401, 401, 204, 401])
      }
    }

    @Test func `a lane that is no run closes without a report`() async throws {
      try await serving { client in
        _ = try client.open("lanes", #"{"name": "a"}"#)
        #expect(try client.json("DELETE", "lanes/a")["run"] == nil)
      }
    }

    @Test(arguments: [
      (#"{"variant": "readChat htlm"}"#, 409, "did you mean `readChat html`?"),
      (#"{"variant": 7}"#, 400, "expected text for `variant`"), (#"{"varint": "x"}"#, 400, "nothing but `variant`"),
    ])
    func `an unknown variant is refused`(body: String, status: Int, message: String) async throws {
      try await serving { client in
        _ = try client.open("lanes", #"{"name": "a"}"#)
        try client.send("GET", "/~a/chat")
        _ = try client.json("GET", "lanes/a/variants")
        let answer = try client.send("POST", "/__admin/lanes/a/runs", body)
        #expect(answer.status == status && answer.text.contains(message), "\(answer.text)")
        let names = try client.json("GET", "lanes")["lanes"]?.elements.compactMap { $0["name"]?.text }
        #expect(names?.count == 2 && names?.last == "a", "\(names ?? [])")
      }
    }
  }
}

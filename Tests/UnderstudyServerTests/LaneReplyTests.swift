import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// Replies that programs in any language choose over the admin API.
  struct LaneReplyTests {
    static let contract = """
      openapi: 3.1.0
      info: {title: Chat, version: "1"}
      paths:
        /chat/{room}:
          parameters: [{name: room, in: path, required: true, schema: {type: string}}]
          get:
            operationId: readChat
            parameters: [{name: cursor, in: query, schema: {type: string}}]
            responses:
              "200": {description: Chats, content: {application/json: {schema: {type: array}}}}
              "401": {description: No, x-meaning: expired}
              "500": {description: Broken}
          post:
            operationId: sendChat
            requestBody: {content: {application/json: {schema: {type: object}}}}
            responses: {"204": {description: Sent}}
      """
    static let fixtures = [
      "readChat/200.json": "[1]", "readChat/200.empty.json": "[]",
      "_scenarios/late.yaml": "sequence: {readChat: [500, loop]}\n",
    ]

    final class Client {
      let raw: RawClient

      init(_ raw: RawClient) { self.raw = raw }

      func send(_ method: String, _ target: String, _ body: String = "") throws -> RawClient.Response {
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\nContent-Type: application/json\r\n"
        try raw.send("\(method) \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(length)\r\n\(body)")
        return try raw.response()
      }

      func json(_ method: String, _ target: String, _ body: String = "") throws -> JSON {
        try JSONParser.parse(Array(try send(method, target, body).body.utf8)).root
      }

      /// The statuses and bodies of requests for the chat in the lane `a`.
      func read(_ count: Int = 1, _ query: String = "") throws -> [String] {
        try (0..<count).map { _ in
          let response = try send("GET", "/~a/chat/7\(query)")
          return "\(response.status) \(response.body.trimmingCharacters(in: .whitespacesAndNewlines))"
        }
      }
    }

    func withLane(
      _ opening: String = #"{"name": "a"}"#, upstream: Transport? = nil,
      _ body: (Client, () throws -> Client) async throws -> Void
    ) async throws {
      let mock = try ContractFixture(Self.contract, fixtures: Self.fixtures).mock { options in
        if upstream != nil { options.upstream = Upstream("http://up") }
      }
      let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: true))
      try await UnderstudyServerTests.serving(
        host.responder(for: mock), configure: { $0.servesLanes = true }, transport: upstream,
        observer: { host.journal.append($0) }
      ) { port, _ in
        defer { host.journal.close() }
        let client = Client(try RawClient(port: port))
        #expect(try client.send("POST", "/__admin/lanes", opening).status == 201)
        try await body(client) { Client(try RawClient(port: port)) }
      }
    }

    @Test(arguments: [
      (#"{"operation": "readChat", "status": 500}"#, ["500 ", "500 "]),
      (#"{"operation": "readChat", "meaning": "expired", "times": 1}"#, ["401 ", "200 [1]"]),
      (#"{"operation": "readChat", "fixture": "200.empty"}"#, ["200 []", "200 []"]),
      (#"{"operation": "readChat", "status": 200, "variant": "empty", "times": 1}"#, ["200 []", "200 [1]"]),
      (#"{"method": "get", "path": "/chat/{room}", "text": "tea", "status": 418}"#, ["418 tea", "418 tea"]),
      (#"{"method": "GET", "path": "/chat/9", "json": {"a": [null]}}"#, [#"200 {"a":[null]}"#]),
      (#"{"operation": "readChat", "base64": "aGk=", "status": 201}"#, ["201 hi"]),
      (
        #"{"operation": "readChat", "steps": [{"status": 401, "times": 2}, {}, {"status": 500, "times": 1}]}"#,
        ["401 ", "401 ", "200 [1]", "500 ", "200 [1]"]
      ),
      (#"{"operation": "sendChat", "status": 204}"#, ["200 [1]"]),
    ]) func `a reply answers the next requests of its operation`(reply: String, answers: [String]) async throws {
      try await withLane { client, _ throws in
        #expect(try client.send("POST", "/__admin/lanes/a/replies", reply).status == 201)
        #expect(try client.read(answers.count) == answers)
      }
    }

    @Test func `a reply is for the requests that its condition names, and the latest counts`() async throws {
      try await withLane { client, _ throws in
        let replies = "/__admin/lanes/a/replies"
        _ = try client.send("POST", replies, #"{"operation": "readChat", "text": "old"}"#)
        _ = try client.send(
          "POST", replies,
          #"{"operation": "readChat", "when": {"query": {"cursor": {"matches": "^7"}}}, "text": "new"}"#)
        #expect(try client.read() == ["200 old"])
        #expect(try client.read(1, "?cursor=71") == ["200 new"])
        #expect(try client.read(1, "?cursor=17") == ["200 old"])
        #expect(try client.send("DELETE", replies).status == 200)
        #expect(try client.read(1, "?cursor=7") == ["200 [1]"])
      }
    }

    @Test func `a reply comes before forced answers and the scenario, and leaves them as they were`() async throws {
      try await withLane(#"{"name": "a", "scenario": "late", "force": {"readChat": "401*1"}}"#) { client, _ in
        let reply = #"{"operation": "readChat", "fixture": "200.empty", "times": 1}"#
        _ = try client.send("POST", "/__admin/lanes/a/replies", reply)
        #expect(try client.read(3) == ["200 []", "401 ", "500 "])
      }
    }

    @Test func `the list and the verdict say which replies no request has met`() async throws {
      try await withLane { client, _ throws in
        let steps = #"{"operation": "readChat", "steps": [{"status": 401}, {"delay": "1ms"}]}"#
        let added = try client.json("POST", "/__admin/lanes/a/replies", steps)
        #expect(
          JSONWriter.text(added)
            == #"{"number":1,"operation":"readChat","steps":["401","after 1ms"],"answered":0,"isOver":false}"#)
        _ = try client.send("POST", "/__admin/lanes/a/replies", #"{"operation": "sendChat", "fault": "reset"}"#)
        _ = try client.read()
        let listed = try client.json("GET", "/__admin/lanes/a/replies")
        #expect(listed["replies"]?.elements.map { $0["answered"]?.int } == [1, 0])
        let verdict = try client.json("DELETE", "/__admin/lanes/a")
        #expect(verdict["unused"]?.elements.map { $0["number"]?.int } == [1, 2])
        #expect(
          verdict["unused"]?.elements.map { $0["message"]?.text } == [
            "`readChat` was called 1 time: the reply after 1ms was not sent",
            "`sendChat` was never called: the reply reset was not sent",
          ])
      }
    }

    @Test func `a full lane refuses another reply, which names the limit, and keeps those that it has`() async throws {
      try await withLane { client, _ throws in
        func add(_ number: Int) throws -> RawClient.Response {
          let reply =
            #"{"operation": "readChat", "when": {"query": {"cursor": "\#(number)"}}, "text": "\#(number)", "times": 1}"#
          return try client.send("POST", "/__admin/lanes/a/replies", reply)
        }
        #expect(try (1...200).allSatisfy { try add($0).status == 201 })
        let refused = try add(201)
        #expect(refused.status == 409 && refused.body.contains("lane-full"), "\(refused)")
        #expect(
          refused.body.contains("the lane `a` is full: expected at most 200 replies that a request can still match"),
          "\(refused)")
        #expect(refused.body.contains("DELETE /__admin/lanes/a/replies"), "\(refused)")
        #expect(try (1...200).allSatisfy { try client.read(1, "?cursor=\($0)") == ["200 \($0)"] })
        // Replies that are over make room.
        #expect(try (201...400).allSatisfy { try add($0).status == 201 })
        #expect(try add(401).status == 409)
        #expect(try client.json("GET", "/__admin/lanes/a/replies")["replies"]?.count == 200)
        #expect(try client.json("DELETE", "/__admin/lanes/a")["unused"]?.count == 200)
      }
    }

    @Test func `a reply that no request can reach any more makes room, unless it is unused`() async throws {
      try await withLane { client, _ throws in
        for number in 1...250 {
          let reply = #"{"operation": "readChat", "text": "\#(number)"}"#
          #expect(try client.send("POST", "/__admin/lanes/a/replies", reply).status == 201)
          #expect(try client.read() == ["200 \(number)"])
        }
        _ = try client.send("DELETE", "/__admin/lanes/a/replies")
        let statuses = try (1...201).map { _ in
          try client.send("POST", "/__admin/lanes/a/replies", #"{"operation": "readChat", "status": 500}"#).status
        }
        #expect(statuses == Array(repeating: 201, count: 200) + [409])
      }
    }

    @Test(arguments: [
      ("", 400, "the body is not JSON"),
      (#"{"status": 500}"#, 400, "the reply names no operation (expected `operation`, or `method` and `path`"),
      (
        #"{"operation": "readChats", "status": 500}"#, 409,
        "no operation is called `readChats` (did you mean `readChat`?)"
      ),
      (#"{"method": "GET", "path": "/nowhere"}"#, 409, "no operation answers `GET /nowhere`"),
      (#"{"operation": "readChat", "status": 418}"#, 409, "a status is sent that the contract does not document"),
      (#"{"operation": "readChat", "fixture": "200.emty"}"#, 409, "did you mean `200.empty`?"),
      (#"{"operation": "readChat", "status": 99, "text": ""}"#, 400, "expected a status from 200 to 599"),
      (#"{"operation": "readChat", "text": "a", "json": 1}"#, 400, "`json` and `text` exclude each other"),
      (#"{"operation": "readChat", "text": "a", "meaning": "expired"}"#, 400, "has no `meaning`"),
      (#"{"operation": "readChat", "base64": "?"}"#, 400, "expected the body in base64"),
      (#"{"operation": "readChat", "headers": {"a b": "1"}}"#, 400, "`a b` is not a valid name of a header field"),
      (#"{"operation": "readChat", "headers": {"A": "1\r\nB: 2"}}"#, 400, "the value of `A` cannot be sent"),
      (#"{"operation": "readChat", "fault": "reset@20%"}"#, 400, "depends on chance or on other requests"),
      (#"{"operation": "readChat", "times": 0}"#, 400, "expected a number of requests from 1"),
      (
        #"{"operation": "readChat", "text": "{{uper request.path.room}}", "template": true}"#, 400,
        "body:1:38: the template cannot be read: `uper` is not a function (did you mean `upper`?)"
      ),
      (
        #"{"operation": "readChat", "json": {"a": "{{request.pth.room}}"}, "template": true}"#, 400,
        "body:1:42: nothing gives `{{request.pth.room}}` a value, so it renders as nothing (did you mean `path`?)"
      ),
      (
        #"{"operation": "readChat", "headers": {"A": "b{{now 1h}}"}, "template": true}"#, 400,
        "body:1:52: the template cannot be read: `1h` is not an offset"
      ),
      (#"{"operation": "readChat", "base64": "aGk=", "template": true}"#, 400, "`base64` and `template` exclude"),
      (#"{"operation": "readChat", "status": 200, "template": true}"#, 400, "`template` is for a response of its own"),
      (#"{"operation": "readChat", "text": "a", "template": 1}"#, 400, "expected `true` or `false` for `template`"),
      (#"{"operation": "readChat", "steps": []}"#, 400, "expected a list of 1 to 1000 answers"),
      (
        #"{"operation": "readChat", "steps": [{"stauts": 1}]}"#, 400,
        "unknown key `stauts` (did you mean `status`?)"
      ),
      (#"{"operation": "readChat", "steps": [{}], "status": 200}"#, 400, "`status` and `steps` exclude each other"),
      (#"{"operation": "readChat", "when": {"query": {}}}"#, 400, "`when` has no condition"),
      (#"{"operation": "readChat", "delay": 2}"#, 400, "expected a time for `delay`"),
    ]) func `a reply that cannot be is refused with the reason`(reply: String, status: Int, detail: String) async throws
    {
      try await withLane { client, _ throws in
        let response = try client.send("POST", "/__admin/lanes/a/replies", reply)
        let text = try JSONParser.parse(Array(response.body.utf8)).root["detail"]?.text ?? ""
        #expect(response.status == status && text.contains(detail), "\(response.status) \(text)")
        #expect(try client.read() == ["200 [1]"])
      }
    }

    @Test(arguments: ["hang", "hang:body", "stall:60s", "drip:60s"])
    func `a lane ends a request that waits longer than its limit, and the verdict names it`(fault: String) async throws
    {
      try await withLane(#"{"name": "a", "limit": "50ms"}"#) { client, connect in
        let reply = #"{"operation": "readChat", "fault": "\#(fault)"}"#
        #expect(try client.send("POST", "/__admin/lanes/a/replies", reply).status == 201)
        let waiting = try connect()
        try waiting.raw.send("GET /~a/chat/7 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        _ = try waiting.raw.rest()
        // The exchange is reported when the connection is gone, which the client sees first.
        let seen = try client.json("GET", "/__admin/requests?lane=a&wait=20s")
        #expect(seen["requests"]?.count == 1)
        let verdict = try client.json("DELETE", "/__admin/lanes/a")
        let findings = verdict["findings"]?.elements.map { "\($0["rule"]?.text ?? "") \($0["message"]?.text ?? "")" }
        #expect(
          findings == [
            "check.no-answer GET /chat/7 waited for its response until the limit of the lane, 50ms, and was ended"
          ])
        #expect(verdict["verdict"]?.text == "failed")
      }
    }

    @Test func `an answer within the limit of the lane, and a client that leaves, are no finding`() async throws {
      try await withLane(#"{"name": "a", "limit": "1h"}"#) { client, connect in
        _ = try client.send("POST", "/__admin/lanes/a/replies", #"{"operation": "sendChat", "fault": "hang"}"#)
        #expect(try client.read() == ["200 [1]"])
        let leaving = try connect()
        try leaving.raw.send("POST /~a/chat/7 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n")
        while try client.json("GET", "/__admin/lanes/a")["verdict"]?["requests"]?.int ?? 0 < 2 { await Task.yield() }
        leaving.raw.reset()
        let seen = try client.json("GET", "/__admin/requests?lane=a&operation=sendChat&wait=20s")
        #expect(seen["requests"]?.count == 1)
        #expect(try client.json("DELETE", "/__admin/lanes/a")["verdict"]?.text == "passed")
      }
    }

    @Test func `a program waits for the next request, and is told after its time that none came`() async throws {
      try await withLane { client, connect in
        #expect(try client.json("GET", "/__admin/requests?lane=a&wait=10ms")["requests"]?.count == 0)
        let waiting = try connect()
        try waiting.raw.send("GET /__admin/requests?operation=readChat&wait=30s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        _ = try client.read()
        let answer = try JSONParser.parse(Array(try waiting.raw.response().body.utf8)).root
        #expect(answer["requests"]?.elements.map { $0["operation"]?.text } == ["readChat"])
        for wrong in ["wait=5", "wait=2m", "wait=-1s"] {
          #expect(try client.send("GET", "/__admin/requests?\(wrong)").status == 400)
        }
      }
    }

    @Test func `the version says what the API has`() async throws {
      try await withLane { client, _ throws in
        let version = try client.json("GET", "/__admin/version")
        #expect(version["api"]?.int == 1 && version["program"]?.text == ServerVersion.current)
        #expect(version["features"]?.elements.map(\.text).contains("replies") == true)
      }
    }

    @Test func `a reply comes before the upstream, or breaks its response`() async throws {
      let upstream: Transport = { _, _ in
        (HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), Body(Array("[7]".utf8)))
      }
      try await withLane(upstream: upstream) { client, connect throws in
        let replies = "/__admin/lanes/a/replies"
        #expect(try client.read() == ["200 [7]"])
        _ = try client.send("POST", replies, #"{"operation": "readChat", "fixture": "200.empty", "times": 1}"#)
        #expect(try client.read(2) == ["200 []", "200 [7]"])
        _ = try client.send("POST", replies, #"{"operation": "readChat", "fault": "truncate", "times": 1}"#)
        let broken = try connect()
        try broken.raw.send("GET /~a/chat/7 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(throws: (any Error).self) { try broken.raw.response() }
        #expect(try client.read() == ["200 [7]"])
      }
    }

    @Test func `a pattern of a condition is paid for by the budget of the request`() throws {
      let mock = try ContractFixture(Self.contract, fixtures: Self.fixtures).mock()
      let lane = Lane(mock.newState())
      let body = #"{"operation": "readChat", "when": {"query": {"cursor": {"matches": "^(a+)+$"}}}, "status": 500}"#
      _ = try lane.add(LaneReplyReader.read(Array(body.utf8), for: mock), by: mock)
      let cursor = String(repeating: "a", count: 40) + "!"
      let request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/chat/7?cursor=\(cursor)")
      #expect(mock.reply(to: request, body: [], in: lane, within: WorkBudget(50_000)) == nil)
      #expect(mock.reply(to: request, body: [], in: lane, within: .unlimited)?.status == 200)
    }

    @Test func `the state of a lane shows a body as text, or in base64`() async throws {
      try await withLane { client, _ throws in
        let steps = #"[{"text": "tea \u00e9", "status": 418}, {"base64": "//4="}]"#
        _ = try client.send("POST", "/__admin/lanes/a/replies", #"{"operation": "readChat", "steps": \#(steps)}"#)
        let state = try client.json("GET", "/__admin/lanes/a?state=true")["state"]
        let shown = state?["replies"]?.elements.flatMap { reply in
          reply["steps"]?.elements.map { $0["response"]?["text"]?.text ?? $0["response"]?["base64"]?.text } ?? []
        }
        #expect(shown == ["tea é", "//4="])
      }
    }

    @Test func `a state with replies is the same after it was stored`() throws {
      let mock = try ContractFixture(Self.contract, fixtures: Self.fixtures).mock()
      let body = """
        {"operation": "readChat", "when": {"body": {"/a": {"matches": "^x"}, "/b": {"oneOf": ["1", "2"]}, "/c": null,
           "$..d": 1, "$": {"equalsJson": {"a": [1]}, "ignore": ["$.b"], "ignoreOrder": true}, "e": {"schema": {"minimum": 1}}},
           "any": [{"cookie": {"a": "1"}}, {"not": {"file": {"b": null}}}]},
         "steps": [{"base64": "//4=", "headers": {"A": ["1", "2"]}, "delay": "2s"}, {"fault": "reset:body", "times": 3}]}
        """
      var state = mock.newState()
      let lane = Lane(state)
      _ = try lane.add(LaneReplyReader.read(Array(body.utf8), for: mock), by: mock)
      state = lane.value
      #expect(try JSONDecoder().decode(LaneState.self, from: JSONEncoder().encode(state)) == state)
    }
  }
}

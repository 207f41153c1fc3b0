import Foundation
import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// Lanes over HTTP.
  struct MockHostTests {
    private static let contract = """
      openapi: 3.1.0
      info: {title: Jobs, version: "1"}
      paths:
        /job:
          get:
            operationId: readJob
            responses:
              "200": {description: Done}
              "202": {description: Later}
              "404": {description: No, content: {application/json: {schema: {type: object}}}}
          post:
            operationId: startJob
            requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
            responses: {"204": {description: Started}}
      """
    private static let fixtures = [
      "_scenarios/slow.yaml": "sequence: {readJob: [202*2, 200, 404, loop]}\nchecks: [retry-storm]\n",
      "_scenarios/fast.yaml": "sequence: {readJob: [200, 404, loop]}\n",
    ]

    private func serving(
      isLocal: Bool = true, _ contract: String = contract, _ body: (RawClient) throws -> Void
    ) async throws {
      let mock = try ContractFixture(contract, fixtures: Self.fixtures).mock()
      let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: isLocal))
      try await UnderstudyServerTests.serving(host.responder(for: mock), configure: { $0.servesLanes = true }) {
        port, _ in try body(RawClient(port: port))
      }
    }

    private func send(
      _ client: RawClient, _ method: String, _ target: String, _ fields: String = "Host: 127.0.0.1\r\n",
      body: String = ""
    ) throws -> RawClient.Response {
      let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\nContent-Type: application/json\r\n"
      try client.send("\(method) \(target) HTTP/1.1\r\n\(fields)\(length)\r\n\(body)")
      return try client.response()
    }

    @Test func `a misspelt address of the admin API is answered with the nearest`() async throws {
      try await serving { client in
        let unknown = try send(client, "GET", "/__admin/requets")
        #expect(unknown.status == 404)
        #expect(unknown.body.contains("did you mean `/__admin/requests`?"), "\(unknown.body)")
        let other = try send(client, "POST", "/__admin/requests/count")
        #expect(other.status == 405)
        #expect(other.body.contains("it has GET"), "\(other.body)")
      }
    }

    @Test(arguments: [contract, contract + "\nx-understudy-events: {transport: socketio}\n"])
    func `neither a page of another site nor a path of no operation opens a lane`(contract: String) async throws {
      try await serving(contract) { client in
        let foreign = "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\n"
        let refused = try send(client, "GET", "/~a/job", foreign)
        #expect(refused.status == 403)
        #expect(try send(client, "GET", "/~a/nowhere").status == 404)
        #expect(try !send(client, "GET", "/__admin/lanes").body.contains("/~a"))
        #expect(try send(client, "GET", "/~a/job").status == 200)
        #expect(try send(client, "GET", "/~a/job", foreign).status == 200)
        #expect(try send(client, "GET", "/__admin/lanes").body.contains("/~a"))
      }
    }

    @Test func `the request of a socket opens its lane, but not from a page of another site`() async throws {
      try await serving(Self.contract + "\nx-understudy-events: {transport: socketio}\n") { client in
        let path = "/~a/socket.io/?EIO=4&transport=polling"
        let foreign = "Host: 127.0.0.1\r\nSec-Fetch-Site: cross-site\r\n"
        #expect(try send(client, "GET", "/~a/nowhere").status == 404)
        let refused = try send(client, "GET", path, foreign)
        #expect(refused.status == 404, "\(refused.body)")
        #expect(try !send(client, "GET", "/__admin/lanes").body.contains("/~a"))
        #expect(try send(client, "GET", path).status == 200)
        #expect(try send(client, "GET", "/__admin/lanes").body.contains("/~a"))
      }
    }

    @Test func `a lane has faults of its own, which end`() async throws {
      try await serving { client in
        let changed = try send(
          client, "PATCH", "/__admin/lanes/default", body: #"{"delay": "readJob=1ms", "fault": ["readJob/404=html"]}"#)
        #expect(changed.body.contains(#""text": "readJob/404=html""#), "\(changed.body)")
        let broken = try send(client, "GET", "/job", "Host: 127.0.0.1\r\nPrefer: code=404\r\n")
        #expect(broken.body.contains("<html"), "\(broken)")
        #expect(try !send(client, "GET", "/~b/job", "Host: 127.0.0.1\r\nPrefer: code=404\r\n").body.contains("<html"))
        #expect(try send(client, "DELETE", "/__admin/lanes/default/faults").status == 200)
        #expect(try !send(client, "GET", "/job", "Host: 127.0.0.1\r\nPrefer: code=404\r\n").body.contains("<html"))
        for (body, status) in [
          (#"{"fault": "readJob"}"#, 409), (#"{"fault": "readJub=reset"}"#, 409), (#"{"fault": "readJob=rest"}"#, 409),
          (#"{"delay": 5}"#, 400), (#"{"fault": [{}]}"#, 400),
        ] {
          #expect(try send(client, "PATCH", "/__admin/lanes/default", body: body).status == status, "\(body)")
        }
      }
    }

    @Test func `a lane is opened, read, reset and closed with a verdict by one request each`() async throws {
      try await serving { client in
        let opened = try send(client, "POST", "/__admin/lanes", body: #"{"name": "a", "scenario": "slow"}"#)
        #expect(opened.status == 201)
        #expect(opened.body.contains(#""url": "http://127.0.0.1/~a""#))
        #expect(try (0..<3).map { _ in try send(client, "GET", "/~a/job").status } == [202, 202, 200])
        let read = try send(client, "GET", "/__admin/lanes/a?state=true")
        #expect(
          read.body.contains(#""scenario": "slow""#) && read.body.contains(#""verdict": "passed""#), "\(read.body)")
        #expect(try send(client, "POST", "/__admin/lanes/a/reset").status == 200)
        #expect(try send(client, "GET", "/~a/job").status == 202)
        #expect(try send(client, "POST", "/~a/job").status >= 400)
        let closed = try send(client, "DELETE", "/__admin/lanes/a")
        #expect(
          closed.body.contains(#""verdict": "failed""#) && closed.body.contains("req.body.missing"), "\(closed.body)")
        #expect(try send(client, "GET", "/__admin/lanes/a").status == 404)
      }
    }

    @Test func `a lane that was closed refuses requests and handshakes of sockets with 410 until it is opened again`()
      async throws
    {
      try await serving(Self.contract + "\nx-understudy-events: {transport: socketio}\n") { client in
        let polling = "/~a/socket.io/?EIO=4&transport=polling"
        _ = try send(client, "POST", "/__admin/lanes", body: #"{"name": "a"}"#)
        #expect(try send(client, "GET", "/~a/job").status == 200)
        #expect(try send(client, "DELETE", "/__admin/lanes/a").status == 200)
        let refused = try send(client, "GET", "/~a/job")
        #expect(refused.status == 410 && refused.body.contains("the lane `a` was closed"), "\(refused)")
        #expect(try send(client, "GET", "/job", "Host: 127.0.0.1\r\nUnderstudy-Lane: a\r\n").status == 410)
        #expect(try send(client, "GET", polling).status == 410)
        #expect(try send(client, "GET", "/socket.io/?EIO=4&transport=polling&understudy-lane=a").status == 410)
        #expect(try send(client, "GET", "/~a/nowhere").status == 410)
        #expect(try send(client, "DELETE", "/__admin/lanes/a").status == 404)
        _ = try send(client, "POST", "/__admin/lanes", body: #"{"name": "a"}"#)
        #expect(try send(client, "GET", "/~a/job").status == 200)
        #expect(try send(client, "GET", polling).status == 200)
      }
    }

    @Test func `a lane that a request has opened opens again with the next one`() async throws {
      try await serving { client throws in
        #expect(try send(client, "GET", "/~a/job").status == 200)
        #expect(try send(client, "DELETE", "/__admin/lanes/a").status == 200)
        #expect(try send(client, "GET", "/~a/job").status == 200)
      }
    }

    @Test func `the header names a lane as the prefix does, and no lane sees another`() async throws {
      try await serving { client in
        for name in ["a", "b"] {
          _ = try send(client, "POST", "/__admin/lanes", body: "{\"name\": \"\(name)\", \"scenario\": \"slow\"}")
        }
        let header = "Host: 127.0.0.1\r\nUnderstudy-Lane: a\r\n"
        #expect(try send(client, "GET", "/job", header).status == 202)
        #expect(try send(client, "GET", "/~a/job").status == 202)
        #expect(try send(client, "GET", "/job", header).status == 200)
        #expect(try send(client, "GET", "/~b/job").status == 202)
        #expect(try send(client, "GET", "/job").status == 200)
        // Opened by its first request.
        #expect(try send(client, "GET", "/~c/job").status == 200)
        #expect(try send(client, "GET", "/__admin/lanes").body.contains("/~c"))
      }
    }

    @Test func `the clock of a lane moves forward on demand`() async throws {
      try await serving { client in
        #expect(try send(client, "PATCH", "/__admin/lanes/default", body: #"{"stopClock": true}"#).status == 200)
        #expect(try send(client, "PATCH", "/__admin/lanes/default", body: #"{"advance": "2h"}"#).status == 200)
        let read = try send(client, "GET", "/__admin/lanes/default?state=true").body
        #expect(read.contains("\"offset\": 7200000000"), "\(read)")
      }
    }

    @Test(arguments: [
      (#"{"advance": "-1h"}"#, "the clock of a lane only moves forward"),
      (#"{"advance": "soon"}"#, "expected a time"), (#"{"scenario": "slwo"}"#, "did you mean `slow`?"),
      (#"{"force": {"readJbo": 404}}"#, "did you mean `readJob`?"),
      (#"{"force": {"readJob": 418}}"#, "has no status, meaning or fixture `418`"),
      (#"{"force": {"readJob": "404*0"}}"#, "no valid number of times"),
      (#"{"checks": ["retry-strom"]}"#, "did you mean `retry-storm`?"), (#"{"nam": "a"}"#, "did you mean `name`?"),
      (#"{"name": ".."}"#, "is not the name of a lane"), ("[]", "expected a mapping"), ("{", "the body is not JSON"),
      (#"{"name": "default"}"#, "is always open"),
    ]) func `a mistake in the body of a request is refused with the way out`(body: String, message: String) async throws
    {
      try await serving { client in
        let reply = try send(client, "POST", "/__admin/lanes", body: body)
        #expect([400, 409].contains(reply.status))
        #expect(reply.body.contains(message), "\(reply.body)")
        #expect(try send(client, "GET", "/__admin/lanes").body.contains("~") == false)
      }
    }

    @Test(arguments: [
      "/~../job", "/~/job", "/~a%2fb/job", "/~" + String(repeating: "x", count: 10_000) + "/job",
    ]) func `a target with a bad name of a lane gets 400`(target: String) async throws {
      try await serving { client in
        let reply = try send(client, "GET", target)
        #expect(reply.status == 400)
        #expect(reply.body.utf8.count < 600)
      }
    }

    @Test(arguments: [
      ("Host: 127.0.0.1:4010\r\n", 200), ("Host: localhost\r\n", 200), ("Host: [::1]:1\r\n", 200),
      ("Host: app.localhost\r\n", 200), ("Host: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n", 403),
      ("Host: evil.example\r\n", 403), ("Host: 127.0.0.1.evil.example\r\n", 403),
      ("Host: 127.0.0.1\r\nOrigin: http://evil.example\r\n", 403), ("Host: 127.0.0.1\r\nOrigin: null\r\n", 403),
    ]) func `the admin API answers this machine, and no page of another origin`(
      fields: String, status: Int
    ) async throws {
      try await serving { client in
        let reply = try send(client, "GET", "/__admin/lanes", fields)
        #expect(reply.status == status)
      }
    }

    @Test func `the admin API is closed where other machines reach the server`() async throws {
      try await serving(isLocal: false) { client in
        let (admin, job) = (try send(client, "GET", "/__admin/lanes"), try send(client, "GET", "/~a/job"))
        #expect(admin.status == 403)
        #expect(job.status == 200)
      }
    }

    @Test(arguments: [("GET", "/__admin/lnes", 404), ("PUT", "/__admin/lanes", 405)])
    func `an unknown part of the admin API is refused`(method: String, target: String, status: Int) async throws {
      try await serving { client in
        let reply = try send(client, method, target)
        #expect(reply.status == status)
        #expect((reply["allow"] != nil) == (status == 405))
      }
    }

    @Test func `beyond the limit no lane opens, and nothing is kept of what was refused`() throws {
      let mock = try ContractFixture(Self.contract, fixtures: Self.fixtures).mock()
      let lanes = MemoryLanes(mock.newState(), limit: 100)
      let responder = MockHost(lanes: lanes, admin: AdminSettings(isLocal: true)).responder(for: mock)
      func reply(_ method: HTTPRequest.Method, _ path: String, _ body: String = "") -> Reply {
        responder.reply(
          HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1", path: path), Array(body.utf8), .unlimited)
          ?? .unavailable
      }
      var statuses: [Int: Int] = [:]
      for number in 0..<1_000 {
        let answer =
          number.isMultiple(of: 2)
          ? reply(.post, "/__admin/lanes", "{\"name\": \"a\(number)\"}") : reply(.get, "/~a\(number)/job")
        statuses[answer.status, default: 0] += 1
        #expect(answer.body.count < 600)
      }
      #expect(statuses == [201: 50, 200: 50, 503: 900])
      #expect(lanes.names.map(\.text) == (0..<100).map { "a\($0)" }.sorted())
      #expect(reply(.delete, "/__admin/lanes/a0").status == 200)
      #expect(reply(.get, "/~a999/job").status == 200)
      #expect(reply(.get, "/~a998/job").status == 503)
      #expect(lanes.names.count == 100)
    }

    @Test func `what scenarios asked for in vain is known of open and of closed lanes, each once`() async throws {
      let scenario = "machine: {states: {new: {expects: readJob, on: {readJob: {to: done}}}, done: {final: true}}}\n"
      let mock = try ContractFixture(Self.contract, fixtures: ["_scenarios/job.yaml": scenario]).mock()
      let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: true))
      try await UnderstudyServerTests.serving(host.responder(for: mock), configure: { $0.servesLanes = true }) {
        port, _ in
        let client = try RawClient(port: port)
        for name in ["open", "closed", "kept"] {
          _ = try send(client, "POST", "/__admin/lanes", body: "{\"name\": \"\(name)\", \"scenario\": \"job\"}")
        }
        #expect(try send(client, "GET", "/~kept/job").status == 200)
        for name in ["closed", "kept"] { _ = try send(client, "DELETE", "/__admin/lanes/\(name)") }
      }
      let missing = host.closingFindings(of: mock)
      #expect(missing.map(\.finding.rule.id) == ["check.missing-request", "check.missing-request"])
      #expect(missing.allSatisfy { $0.contract == "api" && $0.operation == "readJob" })
    }

    @Test(.enabled(if: ServerConfiguration.descriptorLimit >= 1_024, "skipped: fewer than 1024 descriptors"))
    func `200 clients in 200 lanes at a time get each what their own script says, 50 times`() async throws {
      let mock = try ContractFixture(LaneScript.contract, fixtures: LaneScript.fixtures).mock()
      let host = MockHost(lanes: MemoryLanes(mock.newState()), admin: AdminSettings(isLocal: true))
      try await UnderstudyServerTests.serving(host.responder(for: mock), configure: { $0.servesLanes = true }) {
        port, _ in
        #expect(LaneScript.mistakes(on: port) == [])
      }
    }
  }
}

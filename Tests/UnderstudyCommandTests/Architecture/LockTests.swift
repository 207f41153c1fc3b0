import Foundation
import HTTPTypes
import Testing
import UnderstudyCommand
import UnderstudyMock
import UnderstudyServer
import UnderstudySystem
import UnderstudyTestSupport
import UnderstudyVerification

/// What event loops share.
@Suite(.serialized)
struct LockTests {
  @Test func `every lock of the sources is one that a census counts`() throws {
    let root = Project.path("Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
    #expect(files.count > 500)
    for file in files where !file.hasSuffix("UnderstudySystem/Lock.swift") {
      let text = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8)
      for word in ["Mutex<", "Mutex(", "NIOLock", "pthread_mutex", "os_unfair_lock", "OSAllocatedUnfairLock"] {
        #expect(!text.contains(word), "\(file) has `\(word)`: take `Lock`")
      }
    }
  }

  private static let contract = """
    openapi: 3.1.0
    info: {title: Notes, version: "1"}
    components:
      securitySchemes: {token: {type: apiKey, in: header, name: token}, oauth: {type: oauth2, flows: {}}}
      schemas: {Note: {type: object, required: [text], properties: {text: {type: string, maxLength: 20}}}}
    paths:
      /notes:
        get:
          operationId: listNotes
          security: [{token: []}]
          parameters: [{name: limit, in: query, schema: {type: integer}}]
          responses: {"200": {description: d}, "401": {description: d}}
        post:
          operationId: addNote
          security: [{oauth: [write]}]
          requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
          responses: {"201": {description: d}, "400": {description: d}}
      /form:
        post:
          operationId: sendForm
          requestBody:
            content: {application/x-www-form-urlencoded: {schema: {$ref: "#/components/schemas/Note"}}}
          responses: {"204": {description: d}}
      /sample:
        get:
          operationId: sample
          responses:
            "200": {description: d, content: {application/json: {schema: {$ref: "#/components/schemas/Note"}}}}
      /example:
        get:
          operationId: example
          responses: {"200": {description: d, content: {application/json: {example: {a: 1}, schema: {type: object}}}}}
    """

  private static let requests: [(kind: String, status: Int, text: String)] = [
    ("GET, a fixture", 200, "GET /notes?limit=5 HTTP/1.1\r\nHost: a\r\ntoken: x\r\n\r\n"),
    ("GET, 401", 401, "GET /notes HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("GET, 404", 404, "GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("HEAD", 200, "HEAD /sample HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("GET, a sample", 200, "GET /sample HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("GET, an example", 200, "GET /example HTTP/1.1\r\nHost: a\r\n\r\n"),
    ("POST, JSON", 201, post("/notes", "application/json", #"{"text": "short"}"#)),
    ("POST, JSON that is refused", 400, post("/notes", "application/json", #"{"text": 5}"#)),
    ("POST, a form", 204, post("/form", "application/x-www-form-urlencoded", "text=short")),
  ]

  private static func post(_ path: String, _ type: String, _ body: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nContent-Type: \(type)\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  @Test(arguments: requests.indices)
  func `two event loops take no lock for a request without state`(index: Int) async throws {
    let (kind, status, text) = Self.requests[index]
    let mock = try ContractFixture(
      Self.contract, fixtures: ["listNotes/200.json": "[]", "listNotes/401.txt": "no"]
    ).mock()
    let shared = try await shared(by: mock, text, status: status, hasBody: !kind.hasPrefix("HEAD"))
    #expect(shared.map(\.name) == [], "\(kind)")
  }

  @Test(arguments: ["an item", "a check"])
  func `two event loops take the lock of the lane alone for a request with state, once each time`(
    kind: String
  ) async throws {
    let checks = try [ClientCheckSettings(argument: "retry-storm")]
    let mock = try ContractFixture(MockContract.library).mock { options in
      if kind == "an item" { options.isStateful = true } else { options.checks = checks }
    }
    let created = Self.post("/users", "application/json", #"{"id": "ann", "name": "Ann"}"#)
    let shared = try await shared(
      by: mock, after: created, "GET /users/ann HTTP/1.1\r\nHost: a\r\n\r\n", status: 200, hasBody: true)
    #expect(shared.map { $0.name.split(separator: ":").first } == ["UnderstudyMock/Lane.swift"], "\(shared)")
    #expect(shared.flatMap(\.takes.values) == [500, 500], "\(shared)")
  }

  /// The locks that both of two event loops take for 500 requests each.
  ///
  /// - Parameter earlier: A request before them; its response does not matter.
  private func shared(
    by mock: Mock, after earlier: String? = nil, _ text: String, status: Int, hasBody: Bool
  ) async throws -> [LockCensus.Row] {
    let loops = Awaited(Set<Int>())
    let host = MockHost(
      lanes: MemoryLanes(mock.newState()), journal: Journal(segments: 2), admin: AdminSettings(isLocal: true))
    let lines = LineQueue(parts: 2) { _ in }
    let log = RequestLog(style: .plain, redactor: Redactor(), showsOwner: false, showsUnvalidated: false)
    let chain = ServedExchanges(log: log, lines: lines, journal: host.journal).observer
    var configuration = ServerConfiguration()
    (configuration.port, configuration.loops) = (0, 2)
    let server = HTTPServer(
      responder: host.responder(for: mock), configuration: configuration,
      observer: ExchangeObserver(open: chain.open) { exchange, loop in
        _ = loops.change { $0.insert(LockCensus.thread) }
        chain.report(exchange, loop)
      })
    let port = try await server.start().port
    let clients = [try RawClient(port: port), try RawClient(port: port)]
    if let earlier {
      try clients[0].send(earlier)
      _ = try clients[0].response()
    }
    func send(_ count: Int) throws {
      for client in clients { try client.send(String(repeating: text, count: count)) }
      for client in clients {
        for _ in 0..<count { #expect(try client.response(hasBody: hasBody).status == status) }
      }
    }
    // What is made on first use takes locks once.
    try send(1)
    LockCensus.count(true)
    for _ in 0..<20 { try send(25) }
    let shared = LockCensus.count(false).filter { row in loops.value.allSatisfy { row.takes[$0] ?? 0 > 0 } }
    await server.shutdown()
    #expect(loops.value.count == 2)
    #expect(host.journal.totals.exchanges == (earlier == nil ? 1_002 : 1_003))
    return shared
  }
}

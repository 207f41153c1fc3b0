import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// The exchanges of a live run, which a ledger lists.
struct LedgerTests {
  private typealias Base = LiveBaseTests

  private static func contract() throws -> Contract {
    try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      security: [{key: []}]
      paths:
        /things:
          post:
            operationId: add
            requestBody:
              required: true
              content:
                application/json: {schema: {type: object, required: [size], properties: {size: {type: integer}}}}
            responses:
              "201": {description: OK, content: {application/json: {schema: {type: object}}}}
              "400": {description: No}
              "401": {description: No}
        /things/{thingId}:
          get:
            operationId: read
            parameters: [{name: thingId, in: path, required: true, schema: {type: integer}}]
            responses:
              "200": {description: OK, content: {application/json: {schema: {type: object}}}}
              "401": {description: No}
              "404": {description: No}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}

      """
    ).contract()
  }

  /// The ledger of a run, its file, and the requests that the server got.
  private static func ledger(size: Int = Ledger.sizeLimit) async throws -> (ledger: Ledger, file: [JSON], sent: Int) {
    let sent = Mutex(0)
    var settings = LiveSettings(target: try #require(Upstream("http://localhost:8080")))
    settings.allowsUnsafe = true
    settings.ledgerSize = size
    settings.credentials = ["key": "open-sesame"]
    settings.secrets = [Secret("open-sesame", variable: "KEY")]
    var report = Report(
      Report.Run("verify live", contracts: [], target: settings.target.url, startedAt: "2026-01-01T00:00:00Z"))
    let verifier = LiveVerifier([try contract()], settings: settings) { request, body in
      sent.withLock { $0 += 1 }
      let bytes: [UInt8]
      switch try await body.collected(upTo: 1_000_000) {
      case .whole(let whole): bytes = whole
      case .longer: bytes = []
      }
      let (response, answer) = Self.respond(request, bytes)
      return (response, Body(answer))
    }
    await verifier.verify(into: &report)
    var file = LedgerFile(verifier.ledger, of: report.run, secrets: settings.secrets)
    let text = String(decoding: file.bytes(), as: UTF8.self)
    #expect(text.hasSuffix("\n"))
    #expect(!text.contains("open-sesame"))
    let lines = try text.split(separator: "\n").map { try JSONParser.parse(Array($0.utf8)).root }
    return (verifier.ledger, lines, sent.withLock { $0 })
  }

  private static func respond(_ request: HTTPRequest, _ body: [UInt8]) -> (HTTPResponse, [UInt8]) {
    guard request.headerFields.first(named: "X-Key") == "open-sesame" else { return Base.answer(401) }
    switch (request.method, Base.parts(request).path) {
    case (.post, "/things"):
      let isValid = (try? JSONParser.parse(body).root)?["size"] != nil
      return isValid ? Base.answer(201, #"{"id": 71, "key": "open-sesame"}"#) : Base.answer(400)
    case (.get, "/things/71"): return Base.answer(200, #"{"id": 71}"#)
    case (.get, _): return Base.answer(404)
    default: return Base.answer(405, "", [.allow: "GET"])
    }
  }

  @Test func `a ledger lists every request that the server got`() async throws {
    let (ledger, file, sent) = try await Self.ledger()
    #expect(ledger.count == sent)
    #expect(ledger.entries.map(\.number) == Array(1...sent))
    #expect(file.count == sent + 1)
    #expect(file.first?["requests"]?.plainText == String(sent))
    #expect(file.first?["omitted"] == nil)
    #expect(ledger.counts.reduce(0) { $0 + $1.value } == sent)
  }

  @Test func `each line has the purpose, the request and the response`() async throws {
    let (_, file, _) = try await Self.ledger()
    let invalid = try #require(file.first { $0["kind"]?.string == "invalid" && $0["operation"]?.string == "add" })
    #expect(invalid["about"]?.string?.isEmpty == false)
    #expect(invalid["breaks"]?.string != nil)
    #expect(invalid["credentials"]?.string == "given")
    #expect(invalid["request"]?["method"]?.string == "POST")
    #expect(invalid["request"]?["url"]?.string == "http://localhost:8080/things")
    #expect(invalid["response"]?["status"] != nil)
    #expect(invalid["startedAt"]?.string?.hasSuffix("Z") == true)
    let open = file.filter { $0["kind"]?.string == "credentials" }
    #expect(open.contains { $0["credentials"]?.string == "none" })
    #expect(open.contains { $0["credentials"]?.string == "invented" })
  }

  @Test func `a request rests on the exchanges that gave it its values`() async throws {
    let (ledger, _, _) = try await Self.ledger()
    let reads = ledger.entries.filter {
      $0.operation?.operation.id == "read" && $0.exchange.url.hasSuffix("/things/71")
    }
    #expect(
      reads.contains { entry in
        entry.bases.contains { base in
          let known = ledger.entries[base - 1]
          return known.operation?.operation.id == "add" && known.exchange.status == 201
        }
      })
    #expect(ledger.entries.allSatisfy { entry in entry.bases.allSatisfy { $0 < entry.number } })
    // An invalid request varies one that the server accepted.
    let invalid = ledger.entries.filter { $0.kind == .invalid && $0.operation?.operation.id == "add" }
    #expect(invalid.allSatisfy { entry in entry.bases.contains { ledger.entries[$0 - 1].exchange.status == 201 } })
  }

  @Test func `a full ledger counts the requests that it does not store`() async throws {
    let (ledger, file, sent) = try await Self.ledger(size: 2_000)
    #expect(ledger.count == sent)
    #expect((1..<sent).contains(ledger.entries.count))
    #expect(ledger.omitted == sent - ledger.entries.count)
    #expect(file.first?["omitted"]?.plainText == String(ledger.omitted))
  }

  @Test func `a run without a ledger stores no exchange`() async throws {
    let (ledger, _, sent) = try await Self.ledger(size: 0)
    #expect(ledger.entries.isEmpty)
    #expect(ledger.count == sent)
  }
}

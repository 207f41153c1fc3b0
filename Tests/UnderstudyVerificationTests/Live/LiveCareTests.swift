import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// A run does not end its own server, and leaves alone what is not its own.
struct LiveCareTests {
  private typealias Base = LiveBaseTests

  private static func sent(
    _ paths: String, configure: @escaping (inout LiveSettings) -> Void = { _ in },
    _ server: @escaping @Sendable (_ line: String) -> (HTTPResponse, [UInt8])
  ) async throws -> (sent: [String], report: Report) {
    let sent = Mutex<[String]>([])
    let report = try await live([Base.contract(paths)]) { request, body in
      let line = "\(request.method.rawValue) \(Base.parts(request).path)"
      sent.withLock { $0.append(line + " " + String(decoding: body, as: UTF8.self)) }
      return server(line)
    } configure: {
      configure(&$0)
    }
    return (sent.withLock { $0 }, report)
  }

  private static let control = """
    /a: {get: {operationId: a, responses: {"200": {description: OK}}}}
    /server/shutdown: {post: {operationId: stop, responses: {"204": {description: OK}}}}
    /manage:
      post:
        operationId: manage
        requestBody:
          required: true
          content:
            application/json:
              schema: {type: object, required: [what], properties: {what: {type: string, enum: [reload, shutdown]}}}
        responses: {"200": {description: OK}}
    /nodes/{id}/restart:
      post:
        operationId: restartNode
        parameters: [{name: id, in: path, required: true, schema: {type: string}}]
        responses: {"204": {description: OK}, "404": {description: None}}
    """

  @Test(arguments: [true, false]) func `operations that end the server are sent only where that is allowed`(
    isAllowed: Bool
  ) async throws {
    let (sent, report) = try await Self.sent(Self.control, configure: { $0.allowsDestructive = isAllowed }) { line in
      Base.answer(line == "GET /a" ? 200 : 404)
    }
    #expect(sent.contains { $0.hasPrefix("POST /server/shutdown") } == isAllowed, "\(sent)")
    #expect(sent.contains { $0.hasPrefix("POST /manage") } == isAllowed, "\(sent)")
    #expect(sent.contains { $0.hasPrefix("POST /nodes/") })
    #expect(report.notValidated.contains { $0.reason.contains("--allow-destructive") } == !isAllowed)
  }

  @Test func `what may take away the run's own rights comes last, and does not make the run incomplete`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      security: [{key: []}]
      paths:
        /logout: {post: {operationId: logout, responses: {"204": {description: OK}, "401": {description: No}}}}
        /me/password: {put: {operationId: change, responses: {"204": {description: OK}, "401": {description: No}}}}
        /things: {get: {operationId: things, responses: {"200": {description: OK}, "401": {description: No}}}}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}

      """
    ).contract()
    let isOut = Mutex(false)
    let lines = Mutex<[String]>([])
    let report = try await live([contract]) { request, _ in
      let line = "\(request.method.rawValue) \(Base.parts(request).path)"
      lines.withLock { $0.append(line) }
      if line == "POST /logout" || line == "PUT /me/password" {
        isOut.withLock { $0 = true }
        return Base.answer(204)
      }
      guard line == "GET /things" else { return Base.answer(405, "", [.allow: "GET"]) }
      let isIn = request.headerFields.first(named: "X-Key") == "good" && !isOut.withLock { $0 }
      return Base.answer(isIn ? 200 : 401)
    } configure: {
      $0.credentials = ["key": "good"]
    }
    let sent = lines.withLock { $0 }
    // The last that is tried of the other operation is a method that its path does not have.
    let first = try #require(sent.firstIndex { $0 == "POST /logout" || $0 == "PUT /me/password" })
    let other = try #require(sent.lastIndex(of: "DELETE /things"))
    #expect(other < first, "\(sent)")
    #expect(report.run.abortedBecause == nil)
  }

  private static let shops = """
    /shops: {get: {operationId: shops, responses: {"200": {description: OK, content: {application/json: {schema: {}}}}}}}
    /shops/{id}:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      get: {operationId: shop, responses: {"200": {description: OK, content: {application/json: {schema: {}}}}, "404": {description: None}}}
      put:
        operationId: change
        requestBody:
          required: true
          content:
            application/json:
              schema: {type: object, required: [name], properties: {name: {type: string}}}
        responses: {"200": {description: OK}, "404": {description: None}}
      delete: {operationId: close, responses: {"204": {description: OK}, "404": {description: None}}}
    """

  @Test func `what the run did not create is not deleted, and has its old value at the end`() async throws {
    let value = Mutex(#"{"name":"foreign"}"#)
    let deleted = Mutex(false)
    let contract = try Base.contract(Self.shops)
    _ = try await live([contract]) { request, body in
      switch (request.method, Base.parts(request).path) {
      case (.get, "/shops"): return Base.answer(200, #"[{"id": "s1"}]"#)
      case (.get, "/shops/s1"): return Base.answer(200, value.withLock { $0 })
      case (.put, "/shops/s1"):
        let isGood = (try? JSONParser.parse(body).root)?["name"]?.isString == true
        if isGood { value.withLock { $0 = String(decoding: body, as: UTF8.self) } }
        return Base.answer(isGood ? 200 : 400)
      case (.delete, "/shops/s1"):
        deleted.withLock { $0 = true }
        return Base.answer(204)
      default: return Base.answer(404)
      }
    }
    #expect(!deleted.withLock { $0 })
    #expect(value.withLock { $0 }.contains("foreign"))
  }

  @Test func `a request at which servers are known to end comes after those of all operations`() async throws {
    let (sent, report) = try await Self.sent(
      """
      /a:
        post:
          operationId: a
          requestBody:
            required: true
            content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}
          responses: {"200": {description: OK}, "400": {description: No}}
      /b: {get: {operationId: b, responses: {"200": {description: OK}}}}
      """
    ) { line in Base.answer(line.hasPrefix("POST /a") || line == "GET /b" ? 200 : 405, "", [.allow: "GET, POST"]) }
    let deep = try #require(sent.firstIndex { $0.contains("[[[[[[[[") })
    #expect(sent[deep...].allSatisfy { $0.hasPrefix("POST /a") }, "\(sent[deep...].map { $0.prefix(40) })")
    #expect(report.run.abortedBecause == nil)
  }

  @Test func `a path of a file that the run makes up is relative`() async throws {
    let (sent, _) = try await Self.sent(
      """
      /files:
        post:
          operationId: write
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [path], properties: {path: {type: string}}}
          responses: {"200": {description: OK}}
      """
    ) { _ in Base.answer(200) }
    let bodies = sent.filter { $0.contains(#""path":""#) }
    #expect(!bodies.isEmpty)
    #expect(!bodies.contains { $0.contains(#""path":"/"#) }, "\(bodies)")
  }

  @Test func `a path of a file in the path of a request is relative`() async throws {
    let (sent, _) = try await Self.sent(
      """
      /files/{file_path}:
        post:
          operationId: write
          parameters: [{name: file_path, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}}
      """
    ) { _ in Base.answer(200) }
    let lines = sent.filter { $0.hasPrefix("POST /files/") }
    #expect(!lines.isEmpty)
    #expect(!lines.contains { $0.hasPrefix("POST /files/%2F") || $0.hasPrefix("POST /files//") }, "\(lines)")
  }
}

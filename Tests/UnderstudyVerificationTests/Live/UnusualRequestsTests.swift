import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Inputs of the kinds that break servers.
struct UnusualRequestsTests {
  private static let contract = """
    /notes:
      get:
        operationId: notes
        parameters: [{in: query, name: q, schema: {type: string}}, {in: query, name: n, schema: {type: integer}}]
        responses: {"200": {description: OK}, "400": {description: No}}
      post:
        operationId: note
        requestBody:
          required: true
          content:
            application/json:
              schema: {type: object, required: [text], properties: {text: {type: string}, size: {type: integer}}}
        responses: {"201": {description: Made}, "400": {description: No}}
    /files:
      post:
        operationId: file
        requestBody:
          required: true
          content:
            multipart/form-data: {schema: {type: object, properties: {name: {type: string}}}}
        responses: {"201": {description: Made}, "400": {description: No}}
    """

  /// The findings about a server that fails where a request has something.
  private static func failures(_ fails: @escaping @Sendable (HTTPRequest, [UInt8]) -> Bool) async throws -> [String] {
    let report = try await live([LiveBaseTests.contract(contract)]) { request, body in
      if fails(request, body) { return LiveBaseTests.answer(500) }
      return LiveBaseTests.answer(request.method == .get ? 200 : 201)
    }
    return report.findings.filter { $0.rule == "resp.server-error" }.flatMap { finding in
      ([finding.subject] + finding.others.map(\.subject)).map { "\($0.title) \(finding.count > 0)" }
    }
  }

  @Test func `bytes that are not UTF-8`() async throws {
    #expect(try await Self.failures { _, body in body.contains(0xFF) } == ["POST /notes true"])
  }

  @Test func `bytes that are not UTF-8 where a body has no text`() async throws {
    let contract = """
      /sizes:
        post:
          operationId: size
          requestBody: {required: true, content: {application/json: {schema: {type: array, items: {type: integer}}}}}
          responses: {"201": {description: Made}, "400": {description: No}}
      """
    let report = try await live([LiveBaseTests.contract(contract)]) { _, body in
      LiveBaseTests.answer(body.contains(0xFF) ? 500 : body.first == UInt8(ascii: "[") ? 201 : 400)
    }
    #expect(report.reported.contains("POST /sizes 500 resp.server-error"), "\(report.explained)")
  }

  /// The server reads the body only below paths that it does not know, where every other body makes a file.
  @Test(arguments: [true, false]) func `bytes that are not UTF-8 below an unknown path, before others make it`(
    isKnownAccepted: Bool
  ) async throws {
    let contract = """
      /files/{path}:
        post:
          operationId: add
          parameters: [{in: path, name: path, required: true, schema: {type: string}, example: known}]
          requestBody:
            required: true
            content: {application/json: {schema: {type: object, properties: {note: {type: string}}}}}
          responses: {"201": {description: Made}, "400": {description: No}}
      """
    let made = Mutex<Set<String>>([])
    let report = try await live([LiveBaseTests.contract(contract)]) { request, body in
      let path = LiveBaseTests.parts(request).path
      if path == "/files/known" {
        return LiveBaseTests.answer(isKnownAccepted && body.first == UInt8(ascii: "{") ? 201 : 400)
      }
      let wasMade = made.withLock { $0.contains(path) }
      if body.contains(0xFF) { return LiveBaseTests.answer(wasMade ? 400 : 500) }
      if body.contains(UInt8(ascii: "}")) { made.withLock { _ = $0.insert(path) } }
      return LiveBaseTests.answer(400)
    } configure: {
      $0.phases = [.coverage]
    }
    #expect(report.reported.contains("POST /files/{path} 500 resp.server-error"), "\(report.explained)")
  }

  @Test func `half of a surrogate pair`() async throws {
    #expect(
      try await Self.failures { _, body in String(decoding: body, as: UTF8.self).contains(#"\ud800"#) } == [
        "POST /notes true"
      ])
  }

  @Test func `an array for an object`() async throws {
    #expect(
      try await Self.failures { _, body in body.starts(with: Array("[{".utf8)) } == ["POST /notes true"])
  }

  @Test func `an object for an array`() async throws {
    let contract = """
      /sizes:
        post:
          operationId: size
          requestBody: {required: true, content: {application/json: {schema: {type: array, items: {type: integer}}}}}
          responses: {"201": {description: Made}, "400": {description: No}}
      """
    let report = try await live([LiveBaseTests.contract(contract)]) { request, body in
      guard request.method == .post else { return LiveBaseTests.answer(405, "", [.allow: "POST"]) }
      let isObject = body.starts(with: Array(#"{"understudy":["#.utf8))
      return LiveBaseTests.answer(isObject ? 500 : body.first == UInt8(ascii: "[") ? 201 : 400)
    }
    #expect(report.reported.contains("POST /sizes 500 resp.server-error"), "\(report.explained)")
  }

  @Test func `null for a body is found where the server takes it for valid`() async throws {
    let report = try await live([LiveBaseTests.contract(Self.contract)]) { request, body in
      let text = String(decoding: body, as: UTF8.self)
      let isValid = request.method == .get || text == "null" || text.hasPrefix(#"{"text":""#) || text.contains("--")
      return LiveBaseTests.answer(isValid ? request.method == .get ? 200 : 201 : 400)
    }
    let finding = try #require(report.findings.first { $0.message.contains("body as null") }, "\(report.explained)")
    #expect(finding.rule == "prov.invalid-accepted" && finding.subject.title == "POST /notes", "\(report.explained)")
  }

  @Test(arguments: ["{}", "[]"]) func `an object or a list for a text`(value: String) async throws {
    #expect(
      try await Self.failures { _, body in String(decoding: body, as: UTF8.self).contains(#""text":\#(value)"#) } == [
        "POST /notes true"
      ])
  }

  @Test func `a NUL in a text`() async throws {
    #expect(
      try await Self.failures { request, body in
        request.path?.contains("%00") == true || String(decoding: body, as: UTF8.self).contains(#"\u0000"#)
      } == ["GET /notes true", "POST /notes true"])
  }

  @Test func `a very long text`() async throws {
    #expect(
      try await Self.failures { request, body in (request.path ?? "").utf8.count > 5_000 || body.count > 90_000 } == [
        "GET /notes true", "POST /notes true",
      ])
  }

  @Test func `deep nesting`() async throws {
    #expect(
      try await Self.failures { _, body in body.starts(with: Array("[[[[[[".utf8)) } == ["POST /notes true"])
  }

  @Test func `a key twice`() async throws {
    #expect(
      try await Self.failures { _, body in
        String(decoding: body, as: UTF8.self).ranges(of: #""text":"#).count > 1
      } == ["POST /notes true"])
  }

  @Test func `a number of more than 64 bits`() async throws {
    #expect(
      try await Self.failures { request, body in
        let digits = "9223372036854775808"
        return request.path?.contains(digits) == true || String(decoding: body, as: UTF8.self).contains(digits)
      } == ["GET /notes true", "POST /notes true"])
  }

  @Test func `an unknown charset`() async throws {
    #expect(
      try await Self.failures { request, _ in
        request.headerFields[.contentType]?.contains("charset=understudy") == true
      } == ["POST /notes true"])
  }

  @Test func `a multipart body without a boundary`() async throws {
    #expect(
      try await Self.failures { request, body in
        request.headerFields[.contentType] == "multipart/form-data" && !body.isEmpty
      } == ["POST /files true"])
  }

  @Test func `a multipart type without a boundary where an operation has no body`() async throws {
    #expect(
      try await Self.failures { request, body in
        request.headerFields[.contentType] == "multipart/form-data" && body.isEmpty
      } == ["GET /notes true"])
  }

  @Test func `an undeclared query parameter with an escape character`() async throws {
    #expect(
      try await Self.failures { request, _ in
        let query = LiveBaseTests.parts(request).query
        return query.split(separator: "&").contains("a%1Bb=a%1Bb")
      } == ["GET /notes true", "POST /notes true", "POST /files true"])
  }

  @Test(arguments: [true, false]) func `any version is excluded where the operation declares the condition`(
    isDeclared: Bool
  ) async throws {
    let contract = try LiveBaseTests.contract(
      """
      /one:
        get:
          operationId: one
          parameters: [{in: header, name: \(isDeclared ? "If-None-Match" : "X-Other"), schema: {type: string}}]
          responses: {"200": {description: OK}}
      """)
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return LiveBaseTests.answer(501) }
      return LiveBaseTests.answer(request.headerFields.first(named: "If-None-Match") == "*" ? 304 : 200)
    }
    #expect(
      report.reported == (isDeclared ? ["GET /one 304 resp.status.undocumented"] : []), "\(report.explained)")
  }

  @Test func `unusual bodies are sent to an unknown resource where the server accepts nothing for the known one`()
    async throws
  {
    let contract = try LiveBaseTests.contract(
      """
      /items:
        get: {operationId: list, responses: {"200": {description: OK}}}
      /items/{id}:
        put:
          operationId: replace
          parameters: [{in: path, name: id, required: true, schema: {type: string}}]
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [text], properties: {text: {type: string}}}
          responses: {"200": {description: OK}, "409": {description: Locked}}
      """)
    let report = try await live([contract]) { request, body in
      switch request.method {
      case .get: return LiveBaseTests.answer(200, #"["locked"]"#)
      case .put:
        let isUnusual = String(decoding: body, as: UTF8.self).contains(#"\u0000"#)
        return LiveBaseTests.answer(isUnusual && request.path != "/items/locked" ? 500 : 409)
      default: return LiveBaseTests.answer(501)
      }
    }
    #expect(report.reported.contains("PUT /items/{id} 500 resp.server-error"), "\(report.explained)")
  }

  @Test(arguments: [("If-None-Match", "**"), ("Accept", "application/x-understudy"), ("Range", "bytes=9-1")])
  func `a field that few handlers expect`(name: String, value: String) async throws {
    let found = try await Self.failures { request, _ in request.headerFields.first(named: name) == value }
    #expect(found.contains("GET /notes true"))
  }

  @Test(arguments: ["put", "patch", "delete"])
  func `a condition on versions that is not valid`(method: String) async throws {
    let contract = try LiveBaseTests.contract(
      "/one:\n  \(method): {operationId: change, responses: {\"200\": {description: OK}}}")
    let report = try await live([contract]) { request, _ in
      guard request.method.rawValue == method.uppercased() else { return LiveBaseTests.answer(501) }
      return LiveBaseTests.answer(request.headerFields.first(named: "If-Match") == "**" ? 500 : 200)
    }
    #expect(report.reported == ["\(method.uppercased()) /one 500 resp.server-error"], "\(report.explained)")
  }

  @Test func `an override of the method`() async throws {
    #expect(
      try await Self.failures { request, _ in request.headerFields.first(named: "X-HTTP-Method-Override") != nil }.count
        == 2)
  }

  @Test func `a path that has every usual method is asked with TRACE`() async throws {
    let methods = ["get", "put", "post", "patch", "delete"].map {
      "  \($0): {operationId: \($0), responses: {\"200\": {description: OK}}}"
    }
    let contract = try LiveBaseTests.contract("/all:\n" + methods.joined(separator: "\n"))
    let report = try await live([contract]) { request, _ in
      LiveBaseTests.answer(["TRACE", "UNDERSTUDY"].contains(request.method.rawValue) ? 405 : 200)
    }
    #expect(report.reported == ["GET /all 405 resp.http.allow-missing"], "\(report.explained)")
  }

  @Test func `OPTIONS is asked, and its Allow compared with the contract`() async throws {
    let report = try await live([LiveBaseTests.contract(Self.contract)]) { request, _ in
      if request.method == .options { return LiveBaseTests.answer(204, "", [.allow: "GET, POST, DELETE"]) }
      return LiveBaseTests.answer(request.method == .get ? 200 : 201)
    } configure: {
      $0.selection.operations = ["notes"]
    }
    #expect(report.reported.contains { $0.contains("resp.allow.mismatch") }, "\(report.reported)")
  }

  @Test func `a server that refuses them in any 4xx has no findings`() async throws {
    let report = try await live([LiveBaseTests.contract(Self.contract)]) { request, body in
      let text = String(decoding: body, as: UTF8.self)
      let isPlain =
        request.headerFields[.contentType].map { $0 == "application/json" || $0.contains("boundary=") } ?? true
      guard request.method == .get || request.method == .post else { return LiveBaseTests.answer(501) }
      guard isPlain, request.method == .get || text.contains(#"{"text":""#) || text.contains("--") else {
        return LiveBaseTests.answer(418)
      }
      return LiveBaseTests.answer(request.method == .get ? 200 : 201)
    } configure: {
      $0.phases = [.coverage]
    }
    #expect(report.findings.allSatisfy { $0.rule.hasPrefix("prov.") }, "\(report.explained)")
    #expect(!report.findings.contains { $0.rule == "prov.valid-rejected" }, "\(report.explained)")
  }
}

import HTTPTypes
import Synchronization
import TestSupport
import Testing
import Understudy

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
    return report.findings.filter { $0.rule == "resp.server-error" }.map { "\($0.subject.title) \($0.count > 0)" }
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
      try await Self.failures { request, _ in request.headerFields[.contentType] == "multipart/form-data" } == [
        "POST /files true"
      ])
  }

  @Test(arguments: [("If-None-Match", "**"), ("Accept", "application/x-understudy"), ("Range", "bytes=9-1")])
  func `a field that few handlers expect`(name: String, value: String) async throws {
    let found = try await Self.failures { request, _ in request.headerFields.first(named: name) == value }
    #expect(found.contains("GET /notes true"))
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
      LiveBaseTests.answer(request.method == .trace ? 405 : 200)
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

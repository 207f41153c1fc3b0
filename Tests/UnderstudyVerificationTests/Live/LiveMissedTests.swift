import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Faults that only some requests show.
struct LiveMissedTests {
  typealias Base = LiveBaseTests

  /// The lines of the requests to a server.
  static func requests(
    _ contract: Contract, _ server: @escaping @Sendable (_ line: String, _ body: String) -> (HTTPResponse, [UInt8])
  ) async throws -> (sent: [String], report: Report) {
    let sent = Mutex<[String]>([])
    let report = try await live([contract]) { request, body in
      let line = "\(request.method.rawValue) \(request.path ?? "")"
      sent.withLock { $0.append(line) }
      return server(line, String(decoding: body, as: UTF8.self))
    }
    return (sent.withLock { $0 }, report)
  }

  @Test(arguments: [true, false]) func `a documented 500 is a warning where the request was valid`(
    isValid: Bool
  ) async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          parameters: [{name: n, in: query, required: true, schema: {type: integer, minimum: 1}}]
          responses: {"200": {description: OK}, "400": {description: No}, "500": {description: Failed}}
      """)
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      let value = Int(Base.parts(request).query.dropFirst(2)) ?? 0
      return Base.answer(value >= 1 ? (isValid ? 500 : 200) : (isValid ? 400 : 500))
    }
    #expect(report.reported == (isValid ? ["GET /x 500 resp.server-error"] : []), "\(report.explained)")
    #expect(report.findings.allSatisfy { $0.severity == .warning })
  }

  @Test func `bad credentials that get 422 in place of the documented 401 are a warning`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      security: [{key: []}]
      paths:
        /a: {get: {operationId: a, responses: {"200": {description: OK}, "401": {description: No}, "422": {description: No}}}}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}

      """
    ).contract()
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      switch request.headerFields.first(named: "X-Key") {
      case "good": return Base.answer(200)
      case nil: return Base.answer(401)
      default: return Base.answer(422)
      }
    } configure: {
      $0.credentials = ["key": "good"]
    }
    #expect(report.reported == ["GET /a 422 prov.auth.status"], "\(report.explained)")
  }

  @Test func `a default that the server refuses is found alone beside the required parameters`() async throws {
    let contract = try Base.contract(
      """
      /data:
        get:
          operationId: data
          parameters:
            - {name: chart, in: query, required: true, schema: {type: string}}
            - {name: after, in: query, schema: {type: integer, default: -600}}
            - {name: format, in: query, schema: {type: string, default: json}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(405, "", [.allow: "GET"]) }
      let query = Base.parts(request).query
      return Base.answer(query.contains("after=-600") ? 400 : 200)
    } configure: {
      $0.mode = .positive
    }
    let finding = try #require(
      report.findings.first { $0.reproduction?.contains("after=-600") == true }, "\(report.explained)")
    #expect(finding.rule == "prov.valid-rejected")
    #expect(finding.reproduction?.contains("format=") == false)
  }

  @Test func `one optional parameter is tried where the server accepts none and all of them`() async throws {
    let contract = try Base.contract(
      """
      /data:
        get:
          operationId: data
          parameters:
            - {name: chart, in: query, schema: {type: string, default: system}}
            - {name: context, in: query, schema: {type: string, default: all}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let (sent, _) = try await Self.requests(contract) { line, _ in
      guard line.hasPrefix("GET") else { return Base.answer(405, "", [.allow: "GET"]) }
      let isOne = line.contains("chart=") != line.contains("context=")
      return Base.answer(isOne ? 200 : 400)
    }
    #expect(sent.contains("GET /data?chart=system"), "\(sent)")
  }

  @Test func `the name that a request gives is the id of what it creates`() async throws {
    let contract = try Base.contract(
      """
      /tenants:
        post:
          operationId: addTenant
          requestBody:
            required: true
            content:
              application/json:
                schema: {type: object, required: [name], properties: {name: {type: string}}}
          responses: {"200": {description: OK, content: {application/json: {schema: {type: object}}}}}
      /tenants/{tenant}:
        get:
          operationId: tenant
          parameters: [{name: tenant, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let names = Mutex<Set<String>>([])
    let (_, report) = try await Self.requests(contract) { line, body in
      let path = line.split(separator: " ").last.map { String($0.split(separator: "?")[0]) } ?? ""
      if line.hasPrefix("POST"), let name = (try? JSONParser.parse(Array(body.utf8)).root)?["name"]?.string {
        names.withLock { _ = $0.insert("/tenants/" + PercentEncoding.encode(name)) }
        return Base.answer(200, "{}")
      }
      return Base.answer(line.hasPrefix("GET") && names.withLock { $0.contains(path) } ? 200 : 404)
    }
    #expect(!report.remarks.contains { $0.contains("never answered with a 2xx: tenant") }, "\(report.remarks)")
  }

  @Test func `an id under the name of a neighbour fills the neighbour's path`() async throws {
    let contract = try Base.contract(
      """
      /instances:
        post:
          operationId: upload
          responses: {"200": {description: OK, content: {application/json: {schema: {type: object}}}}}
      /instances/{id}:
        get:
          operationId: instance
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      /studies/{id}:
        get:
          operationId: study
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let (sent, _) = try await Self.requests(contract) { line, _ in
      if line.hasPrefix("POST") { return Base.answer(200, #"{"ID": "i-77", "ParentStudy": "s-55"}"#) }
      return Base.answer(["GET /instances/i-77", "GET /studies/s-55"].contains(line) ? 200 : 404)
    }
    #expect(sent.contains("GET /studies/s-55"), "\(sent)")
    #expect(sent.contains("GET /instances/i-77"), "\(sent)")
  }

  @Test func `values in backticks of a description are sent`() async throws {
    let contract = try Base.contract(
      """
      /uid:
        get:
          operationId: uid
          parameters:
            - name: level
              in: query
              required: true
              description: "Type of resource among: `patient`, `study` or `series`"
              schema: {type: string}
          responses: {"200": {description: OK}}
      """)
    let (sent, report) = try await Self.requests(contract) { line, _ in
      Base.answer(["GET /uid?level=patient", "GET /uid?level=study"].contains(line) ? 200 : 404)
    }
    #expect(sent.contains("GET /uid?level=patient"), "\(sent)")
    #expect(!report.findings.contains { $0.rule == "cov.status.unimplemented" }, "\(report.explained)")
  }

  @Test func `the contract's example of a path is used by its neighbours`() async throws {
    let contract = try Base.contract(
      """
      /books/{id}:
        get:
          operationId: book
          parameters: [{name: id, in: path, required: true, schema: {type: string}, example: moby}]
          responses: {"200": {description: OK}, "404": {description: None}}
      /books/{id}/pages:
        get:
          operationId: pages
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let (sent, _) = try await Self.requests(contract) { line, _ in
      Base.answer(line.contains("/books/moby") ? 200 : 404)
    }
    #expect(sent.contains("GET /books/moby/pages"), "\(sent)")
  }

  @Test(arguments: ["3.0.3", "3.1.0"]) func `a time without an offset breaks its format in every version`(
    version: String
  ) async throws {
    let contract = try ContractFixture(
      """
      openapi: \(version)
      info: {title: T, version: "1"}
      paths:
        /x:
          get:
            operationId: x
            responses:
              "200":
                description: OK
                content:
                  application/json:
                    schema: {type: object, properties: {at: {type: string, format: date-time}}}

      """
    ).contract()
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(200, #"{"at": "2024-02-29T10:00:00"}"#) : Base.answer(501)
    }
    let rule = version == "3.0.3" ? "resp.body.schema" : "resp.format"
    #expect(report.reported == ["GET /x 200 \(rule)"], "\(report.explained)")
    #expect(report.findings.first?.location?.pointer == "/body/at")
  }

  @Test func `a list that fails after a deletion is a finding`() async throws {
    let contract = try LiveBaseTests.contract(
      """
      /sessions:
        get: {operationId: sessions, responses: {"200": {description: OK}}}
        post: {operationId: open, responses: {"201": {description: Made}}}
      /sessions/{id}:
        delete:
          operationId: close
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses: {"204": {description: Gone}, "404": {description: None}}
      """)
    let isBroken = Mutex(false)
    let report = try await live([contract]) { request, _ in
      switch (request.method, LiveBaseTests.parts(request).path) {
      case (.get, "/sessions"): return LiveBaseTests.answer(isBroken.withLock { $0 } ? 500 : 200)
      case (.post, "/sessions"): return LiveBaseTests.answer(201, #"{"id": 7}"#)
      case (.delete, "/sessions/7"):
        isBroken.withLock { $0 = true }
        return LiveBaseTests.answer(204)
      default: return LiveBaseTests.answer(request.method == .delete ? 404 : 501)
      }
    }
    #expect(report.reported.contains("GET /sessions 500 resp.server-error"), "\(report.explained)")
  }
}

import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// One finding for each cause, with a request that shows that cause.
struct LiveCauseTests {
  private typealias Base = LiveBaseTests

  private static let named = """
    /kernels:
      post:
        operationId: make
        requestBody:
          required: true
          content:
            application/json:
              schema: {type: object, required: [name], properties: {name: {type: string}}}
              %
        responses: {"201": {description: Made}, "400": {description: No}}
    """

  @Test func `failures of valid and of invalid requests are two findings`() async throws {
    let report = try await live([Base.contract(Self.named.replacing("%", with: ""))]) { _, body in
      Base.answer((try? JSONParser.parse(body)) == nil ? 400 : 500)
    }
    let failures = report.findings.filter { $0.rule == "resp.server-error" }
    #expect(failures.count == 2, "\(report.explained)")
    #expect(Set(failures.map(\.fingerprint)).count == 2)
    #expect(failures.contains { $0.reproduction?.contains(#""name":"#) == true })
  }

  @Test func `an example of the contract is shown as it stands`() async throws {
    let example = "example: {name: a-long-name-of-the-contract}"
    let report = try await live([Base.contract(Self.named.replacing("%", with: example))]) { _, _ in Base.answer(400) }
    let finding = try #require(report.findings.first { $0.rule == "prov.example" }, "\(report.explained)")
    #expect(finding.reproduction?.contains("a-long-name-of-the-contract") == true)
  }

  @Test func `a smaller request that is refused for another reason is not shown`() async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          parameters:
            - {in: query, name: a, schema: {type: string, minLength: 1}}
            - {in: query, name: b, schema: {type: string, minLength: 1}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, _ in
      let query = Base.parts(request).query
      if query.contains("a="), query.contains("b=") {
        return Base.answer(400, #"{"message": "a and b exclude each other"}"#)
      }
      return query.contains("b=") ? Base.answer(400, #"{"message": "b needs more"}"#) : Base.answer(200)
    } configure: {
      $0.mode = .positive
    }
    for finding in report.findings where finding.rule == "prov.valid-rejected" {
      let isPair = finding.help?.contains("exclude") == true
      #expect(finding.reproduction?.contains("a=") == isPair, "\(report.explained)")
    }
    #expect(report.findings.contains { $0.rule == "prov.valid-rejected" })
  }

  @Test func `five operations with one cause are one finding that lists them`() async throws {
    let paths = (1...6).map { number in
      """
      /x\(number):
        get: {operationId: x\(number), responses: {"200": {description: OK}}}
      """
    }
    let report = try await live([Base.contract(paths.joined(separator: "\n"))]) { _, _ in Base.answer(202) }
    let findings = report.findings.filter { $0.rule == "resp.status.undocumented" }
    #expect(findings.count == 1, "\(report.explained)")
    #expect(findings.first?.others.map(\.subject.operation) == ["x2", "x3", "x4", "x5", "x6"])
    #expect(try #require(findings.first).count >= 6)
  }

  @Test func `a shared part of the contract that two operations break is one finding`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths:
        /a: {get: {operationId: a, responses: {"200": {$ref: "#/components/responses/R"}}}}
        /b: {get: {operationId: b, responses: {"200": {$ref: "#/components/responses/R"}}}}
      components:
        responses:
          R: {description: OK, content: {application/json: {schema: {type: object, required: [id]}}}}

      """
    ).contract()
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(200, "{}") : Base.answer(405, "", [.allow: "GET"])
    }
    #expect(report.reported == ["GET /a 200 resp.body.schema"], "\(report.explained)")
    #expect(report.findings.first?.others.map(\.subject.operation) == ["b"])
  }

  @Test func `a refusal of a valid request in an undocumented status is one finding`() async throws {
    let contract = try Base.contract(
      "/x:\n  get: {operationId: x, parameters: [{in: query, name: q, schema: {type: string}}], "
        + "responses: {\"200\": {description: OK}}}")
    let report = try await live([contract]) { request, _ in
      Base.answer(Base.parts(request).query.isEmpty ? 200 : 422)
    } configure: {
      $0.mode = .positive
    }
    #expect(report.reported == ["GET /x 422 resp.status.undocumented"], "\(report.explained)")
  }

  @Test func `branches of allOf that refuse one value for one reason are one finding`() async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          responses:
            "200":
              description: OK
              content: {application/json: {schema: {allOf: [{type: object}, {type: object}]}}}
      """)
    let report = try await live([contract]) { _, _ in Base.answer(200, "[]") }
    #expect(report.findings.count { $0.rule == "resp.body.schema" } == 1, "\(report.explained)")
  }

  @Test func `a failure of valid requests is not found again where nothing but Accept is unmet`() async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          responses: {"200": {description: OK, content: {application/json: {schema: {type: object}}}}}
      """)
    let report = try await live([contract]) { request, _ in Base.answer(request.method == .get ? 500 : 501) }
    #expect(report.reported == ["GET /x 500 resp.server-error"], "\(report.explained)")
  }

  @Test func `a number and its plural are one cause`() async throws {
    let paths = (1...5).map { number in
      "/x\(number):\n  get: {operationId: x\(number), responses: {\"200\": {description: OK}}}"
    }
    let report = try await live([Base.contract(paths.joined(separator: "\n"))]) { request, _ in
      guard request.method == .get else { return Base.answer(501) }
      return (HTTPResponse(status: .ok), Array((Base.parts(request).path == "/x1" ? "a" : "aaa").utf8))
    }
    #expect(report.reported == ["GET /x1 200 resp.body.unexpected"], "\(report.explained)")
    #expect(report.findings.first?.others.count == 4)
    #expect(MessageShape.of("it has 1 entry") == MessageShape.of("it has 20 entries"))
  }

  // MARK: - Smaller requests

  @Test func `a smaller request has no empty query value`() async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          parameters: [{in: query, name: q, required: true, schema: {type: string, minLength: 1}}]
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, _ in Base.answer(request.method == .get ? 500 : 501) }
    let failure = try #require(report.findings.first { $0.reproduction?.contains("q=") == true }, "\(report.explained)")
    #expect(failure.reproduction == "curl -i 'http://localhost:8080/x?q=t'", "\(report.explained)")
  }

  @Test func `a smaller valid request keeps formats that only annotate`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.1.0
      info: {title: T, version: "1"}
      paths:
        /x:
          get:
            operationId: x
            parameters: [{in: query, name: id, required: true, schema: {type: string, format: uuid}}]
            responses: {"200": {description: OK}}

      """
    ).contract()
    let report = try await live([contract]) { request, _ in
      Base.answer(request.method == .get ? 202 : 501)
    } configure: {
      $0.mode = .positive
    }
    let finding = try #require(report.findings.first, "\(report.explained)")
    #expect(finding.reproduction?.contains(/id=[0-9a-f-]{36}/) == true, "\(report.explained)")
  }

  @Test func `a smaller request names the same known thing`() async throws {
    let contract = try Base.contract(
      """
      /buckets:
        get: {operationId: buckets, responses: {"200": {description: OK}}}
      /buckets/{id}:
        get:
          operationId: bucket
          parameters: [{in: path, name: id, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}, "404": {description: None}}
      """)
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(501) }
      switch Base.parts(request).path {
      case "/buckets": return Base.answer(200, #"["fruits"]"#)
      case "/buckets/fruits", "/buckets/a": return Base.answer(202)
      default: return Base.answer(404)
      }
    }
    let finding = try #require(report.findings.first { $0.subject.operation == "bucket" }, "\(report.explained)")
    #expect(finding.reproduction == "curl -i http://localhost:8080/buckets/fruits", "\(report.explained)")
  }
}

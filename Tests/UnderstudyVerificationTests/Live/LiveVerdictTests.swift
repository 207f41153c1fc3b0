import HTTPTypes
import Synchronization
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// What the contract allows, or does not determine, is not a finding about the server.
struct LiveVerdictTests {
  private typealias Base = LiveBaseTests

  private static func report(_ responses: String, answer: (HTTPResponse, [UInt8])) async throws -> Report {
    let contract = try Base.contract("/x:\n  get: {operationId: x, responses: \(responses)}")
    return try await live([contract]) { request, _ in request.method == .get ? answer : Base.answer(501) }
  }

  @Test(arguments: [503, 500]) func `a documented failure is the contract's choice`(status: Int) async throws {
    let report = try await Self.report(
      #"{"200": {description: OK}, "500": {description: Down}, "503": {description: Busy}}"#,
      answer: Base.answer(status))
    // A 500 of a valid request is a warning all the same.
    #expect(report.reported == (status == 500 ? ["GET /x 500 resp.server-error"] : []), "\(report.explained)")
    #expect(report.findings.allSatisfy { $0.severity == .warning })
  }

  @Test func `an undocumented failure is found once`() async throws {
    let report = try await Self.report(#"{"200": {description: OK}}"#, answer: Base.answer(500))
    #expect(report.reported == ["GET /x 500 resp.server-error"], "\(report.explained)")
  }

  @Test func `501 refuses a method that the path does not have`() async throws {
    let report = try await Self.report(#"{"200": {description: OK}}"#, answer: Base.answer(200))
    #expect(report.reported == [], "\(report.explained)")
  }

  @Test func `an empty text without a Content-Type fits a documented text`() async throws {
    let report = try await Self.report(
      #"{"200": {description: OK, content: {text/plain: {schema: {type: string}}}}}"#,
      answer: Base.answer(200, "", [.contentLength: "0"]))
    #expect(report.reported == [], "\(report.explained)")
    let json = try await Self.report(
      #"{"200": {description: OK, content: {application/json: {schema: {type: string}}}}}"#, answer: Base.answer(200))
    #expect(json.reported == ["GET /x 200 resp.body.missing"], "\(json.explained)")
  }

  @Test func `a response behind a reference that cannot be read is not validated`() async throws {
    let report = try await Self.report(
      ##"{"200": {$ref: "https://schemas.example.org/a.yaml#/R"}, "404": {description: None}}"##,
      answer: Base.answer(200, "{}"))
    #expect(report.reported == [], "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.contains("behind a reference that cannot be read") })
  }

  @Test func `a 401 for an API key needs no challenge, which API keys do not have`() async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths:
        /x:
          get:
            operationId: x
            security: [{key: []}]
            responses: {"200": {description: OK}, "401": {description: Who}}
      components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}

      """
    ).contract()
    let validated = contract.compiled.operations[0].responseValidator.validate(ResponseView(status: 401))
    #expect(validated.findings.isEmpty)
  }

  // MARK: - Fields of the run's own choice

  @Test func `an answer to a condition or a range that the contract does not declare is not validated`() async throws {
    let contract = try Base.contract(#"/x: {get: {operationId: x, responses: {"200": {description: OK}}}}"#)
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(501) }
      if request.headerFields.first(named: "If-None-Match") != nil { return Base.answer(304) }
      guard request.headerFields.first(named: "Range") == nil else {
        return Base.answer(206, "", [.contentRange: "bytes 0-0/1"])
      }
      return Base.answer(200)
    }
    #expect(report.reported == [], "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.contains("condition or a range") && $0.count == 2 })
  }

  @Test(arguments: [408, 414, 431]) func `the body of a status from in front of the operation is not validated`(
    status: Int
  ) async throws {
    let contract = try Base.contract(
      """
      /x:
        get:
          operationId: x
          parameters: [{in: query, name: q, schema: {type: string}}]
          responses:
            "200": {description: OK}
            default: {description: No, content: {application/json: {schema: {type: object, required: [error]}}}}
      """)
    let page = HTTPResponse(status: .init(code: status), headerFields: [.contentType: "text/html"])
    let report = try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(501) }
      return (request.path ?? "").utf8.count > 1_000 ? (page, Array("<p>Too long".utf8)) : Base.answer(200)
    }
    #expect(report.reported == [], "\(report.explained)")
    #expect(report.notValidated.contains { $0.reason.contains("the body of a \(status)") })
  }

  // MARK: - Refusals for data

  private static func refusing(
    _ status: Int, description: String, othersGet other: Int, namesItem: Bool = true
  ) async throws -> Report {
    let contract = try Base.contract(
      """
      /x\(namesItem ? "/{id}" : ""):
        get:
          operationId: x
          parameters:
            \(namesItem ? "- {in: path, name: id, required: true, schema: {type: string}}" : "")
            - {in: query, name: q, schema: {type: integer}}
          responses:
            "200": {description: OK}
            "\(status)": {description: \(description)}
            "404": {description: None}
      """)
    return try await live([contract]) { request, _ in
      guard request.method == .get else { return Base.answer(501) }
      return Base.answer(Base.parts(request).query.contains("q=") ? status : other)
    } configure: {
      $0.mode = .positive
    }
  }

  @Test func `a refusal beside others for missing data may be about data, unless a request succeeds`() async throws {
    let unclear = try await Self.refusing(400, description: "No", othersGet: 404)
    #expect(unclear.reported == [], "\(unclear.explained)")
    #expect(unclear.notValidated.contains { $0.reason.contains("others of the operation got 404 or 409") })
    let clear = try await Self.refusing(400, description: "No", othersGet: 200)
    #expect(clear.reported == ["GET /x/{id} 400 prov.valid-rejected"], "\(clear.explained)")
  }

  @Test func `a refusal beside others for missing data is a finding where the path names nothing`() async throws {
    let report = try await Self.refusing(400, description: "No", othersGet: 404, namesItem: false)
    #expect(report.reported == ["GET /x 400 prov.valid-rejected"], "\(report.explained)")
  }

  @Test(arguments: [true, false]) func `a refusal is a finding for what the server lists, not for what a PUT made`(
    isListed: Bool
  ) async throws {
    let contract = try Base.contract(
      """
      /files: {get: {operationId: list, responses: {"200": {description: OK}}}}
      /files/{id}:
        parameters: [{in: path, name: id, required: true, schema: {type: string, example: a}}]
        put: {operationId: write, responses: {"201": {description: Made}}}
        post: {operationId: add, responses: {"201": {description: Made}, "400": {description: No}, "404": {description: None}}}
      """)
    let files = Mutex<Set<String>>(isListed ? ["a"] : [])
    let report = try await live([contract]) { request, _ in
      let name = Base.parts(request).path.split(separator: "/").dropFirst().first.map(String.init) ?? ""
      switch request.method {
      case .get where name.isEmpty:
        let names = files.withLock { $0.sorted() }
        return Base.answer(200, "[" + names.map { #"{"id": "\#($0)"}"# }.joined(separator: ",") + "]")
      case .put:
        if !isListed { files.withLock { _ = $0.insert(name) } }
        return Base.answer(isListed ? 409 : 201)
      case .post: return Base.answer(files.withLock { $0.contains(name) } ? 400 : 404)
      default: return Base.answer(501)
      }
    } configure: {
      $0.mode = .positive
    }
    let refusals = report.reported.filter { $0.hasSuffix("prov.valid-rejected") }
    #expect(refusals == (isListed ? ["POST /files/{id} 400 prov.valid-rejected"] : []), "\(report.explained)")
  }

  @Test(arguments: [
    "Pet not found", "No matching pet", "A non-existing pet", "Unknown pet", "The pet does not exist",
    "The pet already exists",
  ]) func `a documented refusal whose description is about data is no refusal of the form`(
    description: String
  ) async throws {
    let report = try await Self.refusing(422, description: description, othersGet: 200)
    #expect(report.reported == [], "\(report.explained)")
  }

  // MARK: - Credentials

  @Test(arguments: ["authorization", "X-Other"]) func `a declared Authorization header documents credentials`(
    name: String
  ) async throws {
    let contract = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths:
        /x:
          parameters: [{$ref: "#/components/parameters/token"}]
          get: {operationId: x, responses: {"200": {description: OK}, "401": {description: Who}}}
      components: {parameters: {token: {in: header, name: \(name), schema: {type: string}}}}

      """
    ).contract()
    let report = try await live([contract]) { request, _ in
      request.method == .get ? Base.answer(401, "", [.wwwAuthenticate: "Bearer"]) : Base.answer(501)
    }
    #expect(report.findings.contains { $0.rule == "prov.auth.open" } == (name == "X-Other"), "\(report.explained)")
  }
}

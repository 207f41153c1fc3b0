import HTTPTypes
import TestSupport
import Testing
import Understudy

/// What the contract chose, or cannot tell, is no finding about the server.
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
    #expect(report.reported == [], "\(report.explained)")
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
}

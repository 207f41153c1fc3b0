import HTTPTypes
import Testing
import UnderstudyTestSupport
import UnderstudyVerification

/// Bad requests are made from good ones.
struct LiveBaseTests {
  static func answer(_ status: Int, _ json: String = "", _ fields: HTTPFields = [:]) -> (HTTPResponse, [UInt8]) {
    var fields = fields
    if !json.isEmpty { fields[.contentType] = "application/json" }
    return (HTTPResponse(status: .init(code: status), headerFields: fields), Array(json.utf8))
  }

  /// The path and the query of a request.
  static func parts(_ request: HTTPRequest) -> (path: String, query: String) {
    let target = (request.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(target[0]), target.count > 1 ? String(target[1]) : "")
  }

  static func contract(_ paths: String) throws -> Contract {
    try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths:
      \(paths.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))

      """
    ).contract()
  }

  private static let filtered = """
    /x:
      get:
        operationId: x
        parameters:
          - {in: query, name: filter, schema: {type: string}}
          - {in: query, name: active, schema: {type: boolean}}
        responses:
          "200": {description: OK, content: {application/json: {schema: {type: object}}}}
          "400": {description: No}
    """

  @Test func `a bad parameter is found beside another one whose generated value the server refuses`() async throws {
    let report = try await live([Self.contract(Self.filtered)]) { request, _ in
      let query = Self.parts(request).query
      // `filter` has a grammar that the contract does not mention, and `active` is never looked at.
      return query.contains("filter=") ? Self.answer(400) : Self.answer(200, "{}")
    }
    #expect(report.reported.contains("GET /x 200 prov.invalid-accepted"), "\(report.explained)")
    let finding = try #require(report.findings.first { $0.rule == "prov.invalid-accepted" })
    #expect(finding.reproduction?.contains("active=") == true)
    #expect(finding.reproduction?.contains("filter=") == false)
  }

  @Test func `an accepted body is broken in one place and otherwise sent as it was accepted`() async throws {
    let contract = try Self.contract(
      """
      /x:
        post:
          operationId: x
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [name]
                  properties: {name: {type: string}, extra: {type: string}, size: {type: integer}}
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, body in
      guard let json = try? JSONParser.parse(body).root, json["extra"] == nil, json["name"]?.isString == true else {
        return Self.answer(400)
      }
      // The type of `size` is never checked.
      return Self.answer(200)
    }
    let finding = try #require(report.findings.first { $0.rule == "prov.invalid-accepted" }, "\(report.explained)")
    #expect(finding.message.contains("/size"))
  }

  @Test func `an empty query value is not taken for a sure violation`() async throws {
    let contract = try Self.contract(
      """
      /x:
        get:
          operationId: x
          parameters: [{in: query, name: lang, schema: {type: string, minLength: 2}}]
          responses: {"200": {description: OK}, "400": {description: No}}
      """)
    let report = try await live([contract]) { request, _ in
      let query = Self.parts(request).query
      return query.isEmpty || query == "lang=" || query.utf8.count > 6 ? Self.answer(200) : Self.answer(400)
    }
    #expect(!report.reported.contains { $0.hasSuffix("prov.invalid-accepted") }, "\(report.explained)")
  }
}

import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct BodyValidatorTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Validated, version: "1"}
    paths:
      /notes:
        post:
          operationId: writeNote
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [text]
                  properties: {text: {type: string}, stars: {type: integer, maximum: 5}}
              application/x-www-form-urlencoded:
                schema:
                  type: object
                  required: [text]
                  properties: {text: {type: string}, stars: {type: integer, maximum: 5}, tags: {type: array, items: {}}}
          responses: {"204": {description: OK}}

    """

  struct Body: Sendable, CustomTestStringConvertible {
    var text: String
    var type: String? = "application/json"
    var target = "/notes"
    /// Rule and pointer of each finding.
    var findings: [String] = []
    var status = 422
    var help: String?
    var testDescription: String { "\(type ?? "no type") \(text)" }
  }

  static let bodies = [
    Body(text: "{\"text\":\"a\",\"stars\":5}", status: 204),
    Body(text: "{\"text\":\"a\"}", type: "application/json; charset=utf-8", status: 204),
    Body(text: "text=a&stars=5&tags=a&tags=b", type: "application/x-www-form-urlencoded", status: 204),
    Body(text: "", findings: ["req.body.missing /body"]),
    Body(text: "{}", findings: ["req.body.schema /body"]),
    Body(text: "{\"text\":1,\"stars\":6}", findings: ["req.body.schema /body/text", "req.body.schema /body/stars"]),
    Body(text: "[1]", findings: ["req.body.schema /body"]),
    Body(text: "{\"text\":", findings: ["req.body.unparsable /body"]),
    Body(text: "text=a", findings: ["req.body.unparsable /body"]),
    Body(
      text: "a,b", type: "text/csv", findings: ["req.content-type.undocumented /header/Content-Type"], status: 415),
    Body(text: "stars=1", type: "application/x-www-form-urlencoded", findings: ["req.body.schema /body"]),
    Body(
      text: "text=a&stars=many", type: "application/x-www-form-urlencoded", findings: ["req.body.schema /body/stars"]),
    Body(
      text: "text=a&tags[]=b", type: "application/x-www-form-urlencoded", findings: ["req.param.encoding /body/tags[]"]),
    Body(text: "", target: "/notes?text=a", findings: ["req.body.missing /body", "req.param.undeclared /query/text"]),
  ]

  @Test(arguments: bodies) func `a body is validated by the schema of its media type`(_ body: Body) throws {
    try ContractFixture(Self.contract).withMock { mock in
      let reply = mock.send(.post, body.target, body.type.map { ["Content-Type": $0] } ?? [:], body: body.text)
      #expect(
        reply.diagnostics.map { "\($0.rule.id) \($0.location?.pointer ?? "")" }.sorted() == body.findings.sorted())
      #expect(reply.status == body.status)
    }
  }

  @Test func `fields that went into the query are found there`() throws {
    try ContractFixture(Self.contract).withMock { mock in
      let reply = mock.send(.post, "/notes?text=a&stars=1")
      let missing = reply.diagnostics.first { $0.rule == .requestBodyMissing }
      #expect(missing?.help?.contains("query") == true)
    }
  }

  @Test(arguments: [10_000, 1_000_000]) func `a body as deep as a well is refused, not fallen into`(depth: Int) throws {
    try ContractFixture(Self.contract).withMock { mock in
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let reply = mock.send(.post, "/notes", ["Content-Type": "application/json"], body: text)
      #expect(reply.rules == ["req.body.unparsable"])
      #expect(reply.diagnostics[0].message.contains("nested deeper than"))
    }
  }
}

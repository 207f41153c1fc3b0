import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct RequestValidatorTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: Validated, version: "1"}
    components: {securitySchemes: {bearer: {type: http, scheme: bearer}}}
    paths:
      /notes/{id}:
        get:
          operationId: readNote
          security: [{bearer: []}]
          parameters:
            - {name: id, in: path, required: true, schema: {type: integer}}
            - {name: limit, in: query, schema: {type: integer, minimum: 1}}
            - {name: tags, in: query, schema: {type: array, items: {enum: [a, b]}}}
            - {name: X-Mode, in: header, required: true, schema: {enum: [fast, slow]}}
            - {name: session, in: cookie, schema: {type: string, minLength: 3}}
          responses: {"200": {description: OK}}

    """

  private static let good = ["Authorization": "Bearer t", "X-Mode": "fast"]

  @Test(arguments: [
    "/notes/1", "/notes/1?limit=1", "/notes/1?tags=a&tags=b", "/notes/%31?limit=7&tags=b",
  ])
  func `a good request has no findings`(target: String) throws {
    try ContractFixture(Self.contract).withMock { mock in
      let reply = mock.send(target, Self.good)
      #expect(reply.rules == [])
      #expect(reply.status == 200)
    }
  }

  struct Bad: Sendable, CustomTestStringConvertible {
    var target = "/notes/1"
    /// Instead of, or beside, what a good request has; an empty value takes a header away.
    var headers: [String: String] = [:]
    /// Rule and pointer of each finding.
    var findings: [String]
    var status = 422
    var testDescription: String { target + " " + headers.map { "\($0.key): \($0.value)" }.joined(separator: ", ") }
  }

  static let bad = [
    Bad(headers: ["Authorization": ""], findings: ["req.security.missing /header"], status: 401),
    Bad(headers: ["Authorization": "Bearer "], findings: ["req.security.malformed /header"], status: 401),
    Bad(target: "/notes/x", findings: ["req.param.schema /path/id"]),
    Bad(target: "/notes/1?limit=0", findings: ["req.param.schema /query/limit"]),
    Bad(target: "/notes/1?limit=many", findings: ["req.param.schema /query/limit"]),
    Bad(target: "/notes/1?tags=a&tags=c", findings: ["req.param.schema /query/tags/1"]),
    Bad(target: "/notes/1?tags[]=a", findings: ["req.param.encoding /query/tags"]),
    Bad(target: "/notes/1?tags=a&tags[]=b", findings: ["req.param.undeclared /query/tags[]"], status: 200),
    Bad(headers: ["X-Mode": ""], findings: ["req.param.missing /header/X-Mode"]),
    Bad(headers: ["X-Mode": "idle"], findings: ["req.param.schema /header/X-Mode"]),
    Bad(headers: ["Cookie": "session=ab"], findings: ["req.param.schema /cookie/session"]),
    Bad(target: "/notes/1?limti=3", findings: ["req.param.undeclared /query/limti"], status: 200),
    Bad(
      target: "/notes/x?limit=0", headers: ["Authorization": "", "X-Mode": "idle"],
      findings: [
        "req.security.missing /header", "req.param.schema /path/id", "req.param.schema /query/limit",
        "req.param.schema /header/X-Mode",
      ], status: 401),
  ]

  @Test(arguments: bad) func `a finding is reported at its pointer, and decides the status`(_ request: Bad) throws {
    try ContractFixture(Self.contract).withMock { mock in
      let headers = Self.good.merging(request.headers) { _, new in new }.filter { !$0.value.isEmpty }
      let reply = mock.send(request.target, headers)
      #expect(reply.diagnostics.map { "\($0.rule.id) \($0.location?.pointer ?? "")" } == request.findings)
      #expect(reply.status == request.status)
    }
  }

  @Test func `a finding points at the contract's line, and a slip of the hand is recognised`() throws {
    try ContractFixture(Self.contract).withMock { mock in
      let reply = mock.send("/notes/1?limti=3&limit=0", Self.good)
      let byRule = Dictionary(reply.diagnostics.map { ($0.rule.id, $0) }, uniquingKeysWith: { first, _ in first })
      #expect(byRule["req.param.undeclared"]?.help == "did you mean `limit`?")
      let note = byRule["req.param.schema"]?.notes.first
      #expect(note?.location?.path?.hasSuffix("api.yaml") == true)
      #expect(note?.location?.start?.line == 11)
    }
  }

  @Test func `thousands of strange names are counted, not listed`() throws {
    try ContractFixture(Self.contract).withMock { mock in
      let query = (0..<3_000).map { "x\($0)" }.joined(separator: "&")
      let reply = mock.send("/notes/1?\(query)", Self.good)
      #expect(reply.status == 200)
      #expect(reply.diagnostics.count == 21)
      #expect(reply.diagnostics.last?.message == "the query has 2980 more parameters that readNote does not have")
    }
  }

  @Test func `the first failures of a long list are reported, and the others counted`() throws {
    try ContractFixture(Self.contract).withMock { mock in
      let query = (0..<12).map { "tags=x\($0)" }.joined(separator: "&")
      let reported = mock.send("/notes/1?\(query)", Self.good).diagnostics
      #expect(reported.map(\.severity) == Array(repeating: .error, count: 10) + [.info])
      #expect(reported.last?.message == "query `tags`: and 2 more failures, not listed")
    }
  }

  @Test func `an unexpected body is a warning, a lone equals sign is not reported`() throws {
    try ContractFixture(Self.contract).withMock { mock in
      let reply = mock.send(.get, "/notes/1", Self.good, body: "a=b")
      #expect(reply.rules == ["req.body.unexpected"])
      #expect(reply.status == 200)
      #expect(mock.send(.get, "/notes/1", Self.good, body: "=").rules == [])
    }
  }

  @Test func `a 401 has a challenge`() throws {
    try ContractFixture(Self.contract).withMock { mock in
      #expect(mock.send("/notes/1").header("WWW-Authenticate") == "Bearer")
    }
  }

  @Test func `the key of a scheme that the operation takes counts as declared`() throws {
    let contract = """
      openapi: 3.1.0
      info: {title: Keys, version: "1"}
      components: {securitySchemes: {a: {type: apiKey, in: query, name: key}, b: {type: apiKey, in: query, name: other}}}
      paths:
        /notes:
          get:
            security: [{a: []}]
            responses: {"200": {description: OK}}
      """
    #expect(try ContractFixture(contract).validator().validate("GET /notes?key=k").places == [])
    #expect(
      try ContractFixture(contract).validator().validate("GET /notes?key=k&other=o").places == [
        "req.param.undeclared /query/other"
      ])
  }
}

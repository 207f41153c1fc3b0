import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport

struct UnsampledAnswersTests {
  /// Every object fits both branches of the 401.
  static let contract = """
    openapi: 3.1.0
    info: {title: Keys, version: "1"}
    paths:
      /keys:
        get:
          operationId: readKeys
          security: [{key: []}]
          responses:
            "200": {description: All., content: {application/json: {schema: {type: array, items: {type: string}}}}}
            "401":
              description: Not allowed.
              content: {application/json: {schema: {$ref: "#/components/schemas/Denied"}}}
            "403":
              description: Forbidden.
              content: {application/json: {schema: {$ref: "#/components/schemas/Denied"}}}
    components:
      securitySchemes: {key: {type: apiKey, in: query, name: api_key}}
      schemas:
        Missing: {type: object, properties: {error: {type: string, default: KEY_MISSING}}}
        Unknown: {type: object, properties: {error: {type: string, default: KEY_UNKNOWN}}}
        Denied: {oneOf: [{$ref: "#/components/schemas/Missing"}, {$ref: "#/components/schemas/Unknown"}]}

    """

  /// The same, where a value that satisfies both is required.
  private static let ambiguous = contract.replacing("{type: object, ", with: "{type: object, maxProperties: 0, ")

  @Test func `the sample of an error says its own status, where the schema allows that`() throws {
    let error =
      "{type: object, required: [code], properties: {code: {type: integer}, status: {type: integer, maximum: 300}}}"
    let contract = ContractFixture.text(
      paths: """
          /x:
            get:
              operationId: x
              responses:
                "200": {description: Fine., content: {application/json: {schema: \(error)}}}
                "422": {description: Wrong., content: {application/json: {schema: \(error)}}}
                "500": {description: Broken., content: {application/json: {schema: {properties: {code: {type: integer}}}}}}

        """)
    let mock = try ContractFixture(contract).mock()
    func body(_ code: Int) -> String {
      String(decoding: mock.send("/x", ["Prefer": "code=\(code)"]).body, as: UTF8.self)
    }
    #expect(body(500) == #"{"code":500}"#)
    #expect(body(200).contains(#""code":200"#))
    // The other member could not hold it.
    #expect(body(422).contains(#""code":200"#))
  }

  @Test func `a status without a sample is sent with a value of the first branch and a finding of the contract`() throws
  {
    let mock = try ContractFixture(Self.ambiguous).mock()
    let reply = mock.send("/keys?api_key=x", ["Prefer": "code=401"])
    #expect(reply.status == 401)
    #expect(reply.reason == "sample readKeys/401 (preferred)")
    #expect(reply.text == "{}")
    let finding = try #require(reply.diagnostics.first)
    #expect(finding.rule == .responseBodySchema)
    #expect(finding.owner == .contract)
    #expect(finding.message == "expected exactly one of 2 alternatives to fit, found 2: `Missing` and `Unknown`")
    #expect(
      finding.help
        == "no valid sample was found for the schema of readKeys/401: correct the schema, or write a fixture: readKeys/401.json"
    )
  }

  @Test func `a refusal without a sample has its documented status and media type`() throws {
    let reply = try ContractFixture(Self.ambiguous).mock().send("/keys")
    #expect(reply.status == 401)
    #expect(!reply.isProblem)
    #expect(reply.rules.contains("req.security.missing"))
    #expect(reply.diagnostics.first { $0.rule == .requestSecurityMissing }?.location?.pointer == "/query")
  }

  @Test func `the cells without a sample are listed with the reason`() throws {
    let contract = try ContractFixture(Self.ambiguous).contract()
    let unsampled = contract.unsampledAnswers(seed: "0")
    #expect(unsampled.map(\.cell) == ["readKeys/401", "readKeys/403"])
    #expect(unsampled.allSatisfy { $0.reason.contains("`oneOf`") }, "\(unsampled)")
  }

  @Test func `a cell with a fixture needs no sample`() throws {
    let fixture = ContractFixture(Self.ambiguous, fixtures: ["readKeys/401.json": "{}", "readKeys/403.json": "{}"])
    #expect(try fixture.contract().unsampledAnswers(seed: "0") == [])
  }

  @Test func `help has no names that the contract does not give`() throws {
    let mock = try ContractFixture(Self.contract).mock()
    #expect(mock.send("/keys", ["Prefer": "code=nothing"]).diagnostics.last?.help == "it has 200, 401, 403")
  }

  @Test(arguments: ["GET /notes/{id}=404", "/notes/{id}=404"]) func `a rule takes a path for an operation`(
    text: String
  ) throws {
    let mock = try ContractFixture(MockContract.notes).mock { $0.forced = [ForcingRule(text)].compactMap(\.self) }
    #expect(mock.diagnostics.isEmpty)
    #expect(mock.send("/notes/1").status == 404)
    #expect(mock.send(.post, "/notes/1").status == 204)
  }

  @Test func `a path of which no method has the cell is reported`() throws {
    let mock = try ContractFixture(MockContract.notes).mock {
      $0.forced = [ForcingRule("/notes/{id}=418")].compactMap(\.self)
    }
    #expect(mock.diagnostics.map(\.message) == ["--force asks for `418`, which no operation of `/notes/{id}` has"])
  }
}

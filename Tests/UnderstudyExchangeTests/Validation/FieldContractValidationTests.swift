import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// Shapes of contracts from the field that a validator once misread.
struct FieldContractValidationTests {
  private static func contract(content: String) -> String {
    """
    openapi: 3.0.3
    info: {title: t, version: "1"}
    paths:
      /x: {get: {responses: {"200": {description: ok, content: \(content)}}}}

    """
  }

  @Test(
    arguments: [
      (
        "{application/javascript: {schema: {type: string, enum: [Nothing, Like]}}}", "application/javascript\n\nLike",
        []
      ),
      (
        "{application/javascript: {schema: {type: string, enum: [Nothing, Like]}}}", "application/javascript\n\nLove",
        ["resp.body.schema /body"]
      ),
      (
        "{application/octet-stream: {schema: {type: string, format: byte}}}", "application/octet-stream\n\naGVsbG8=", []
      ),
      (
        "{application/x-foo: {schema: {type: string, maxLength: 4}}}", "application/x-foo\n\nabcde",
        ["resp.body.schema /body"]
      ),
      ("{application/x-foo: {schema: {type: integer}}}", "application/x-foo\n\n12", []),
      (
        "{application/x-ndjson: {schema: {type: object, required: [a]}}}",
        "application/x-ndjson\n\n{\"a\":1}\n{\"a\":2}\n", []
      ),
      (
        "{application/x-ndjson: {schema: {type: object, required: [a]}}}", "application/x-ndjson\n\n{\"a\":1}\n{}\n",
        ["resp.body.schema /body/1"]
      ),
      (
        "{application/x-ndjson: {schema: {type: array, minItems: 2}}}", "application/x-ndjson\n\n{\"a\":1}\n",
        ["resp.body.schema /body"]
      ),
    ] as [(String, String, [String])])
  func `a body is read as its media type and its schema have it`(
    content: String, answer: String, places: [String]
  ) throws {
    let validator = try ContractFixture(Self.contract(content: content)).validator()
    let result = validator.validate("GET /x", "200\nContent-Type: \(answer)")
    #expect(result.places == places)
    #expect(result.notValidated.isEmpty)
  }

  @Test func `bytes that are not text do not break a schema of text`() throws {
    let mock = try ContractFixture(
      Self.contract(content: "{application/octet-stream: {schema: {type: string, format: byte}}}")
    ).contract()
    let operation = mock.compiled.operations[0]
    let view = ResponseView(
      status: 200, fields: HTTPFields([(name: "Content-Type", value: "application/octet-stream")]),
      body: [0x89, 0x50, 0xFF, 0x00])
    let result = operation.responseValidator.validate(view)
    #expect(result.findings.isEmpty)
    #expect(result.notValidated.map(\.reason) == ["the schema describes text, but the body is not text"])
  }

  @Test(arguments: [("?id=", ["req.param.schema /query/id"]), ("?id=a", []), ("", [])] as [(String, [String])])
  func `an empty value breaks a written allowEmptyValue false`(query: String, places: [String]) throws {
    let validator = try ContractFixture(
      """
      swagger: "2.0"
      info: {title: t, version: "1"}
      paths:
        /q:
          get:
            parameters: [{name: id, in: query, type: string, allowEmptyValue: false}]
            responses: {200: {description: ok}}

      """
    ).validator()
    #expect(validator.validate("GET /q\(query)").places == places)
  }

  @Test func `an empty form field breaks a written allowEmptyValue false`() throws {
    let validator = try ContractFixture(
      """
      swagger: "2.0"
      info: {title: t, version: "1"}
      paths:
        /q:
          post:
            parameters: [{name: id, in: formData, type: string, allowEmptyValue: false}]
            responses: {200: {description: ok}}

      """
    ).validator()
    let type = "Content-Type: application/x-www-form-urlencoded"
    #expect(validator.validate("POST /q\n\(type)\n\nid=").places == ["req.body.schema /body/id"])
    #expect(validator.validate("POST /q\n\(type)\n\nid=a").places == [])
  }

  @Test(arguments: [
    ("[small, null]", Severity.warning), ("[small, 1]", .warning), ("[1, 2]", .error), ("[null]", .error),
  ])
  func `an enum that some value of its type satisfies is a warning`(values: String, severity: Severity) throws {
    let api = try ContractFixture(
      """
      openapi: 3.0.3
      info: {title: t, version: "1"}
      paths: {}
      components: {schemas: {Size: {type: string, enum: \(values)}}}

      """
    ).api
    let found = Linter.lint(api).filter { $0.rule == .specSchemaUnsatisfiable }
    #expect(found.map(\.severity) == [severity])
  }
}

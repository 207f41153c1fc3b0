import Testing
import UnderstudyMock
import UnderstudyTestSupport

/// The facts about responses that implementers get wrong.
struct ResponseValidatorTests {
  static let contract = """
    openapi: 3.1.0
    info: {title: T, version: "1"}
    paths:
      /a:
        get:
          responses:
            "200":
              description: exact
              headers:
                X-List: {schema: {type: array, items: {type: integer}}}
                X-Object: {schema: {type: object, properties: {a: {type: integer}}}}
                X-JSON: {content: {application/json: {schema: {type: integer}}}}
                Set-Cookie: {schema: {type: array, items: {type: string, pattern: "^[a-z]=[0-9]$"}}}
                Content-Type: {required: true, schema: {const: never}}
              content:
                "*/*": {schema: {const: any}}
                text/*: {schema: {const: text}}
                text/plain: {schema: {const: plain}}
                application/json: {schema: {type: integer}}
                application/octet-stream: {}
            2XX: {description: range, content: {application/json: {schema: {type: boolean}}}}
            "206": {description: part, content: {application/json: {schema: {type: integer}}}}
            default: {description: rest, content: {application/json: {schema: {type: string}}}}
    """

  @Test(arguments: [
    ("200\nContent-Type: application/json\n\n1", [String]()),
    ("202\nContent-Type: application/json\n\ntrue", []),
    ("202\nContent-Type: application/json\n\n1", ["resp.body.schema /body"]),
    ("418\nContent-Type: application/json\n\n\"tea\"", []),
    ("418\nContent-Type: application/json\n\n1", ["resp.body.schema /body"]),
    ("200\nContent-Type: text/plain\n\nplain", []),
    ("200\nContent-Type: text/html\n\ntext", []),
    ("200\nContent-Type: text/html\n\nplain", ["resp.body.schema /body"]),
    ("200\nContent-Type: image/x\n\nany", []),
    ("200\nContent-Type: image/x\n\nother", ["resp.body.schema /body"]),
    ("200\nContent-Type: application/octet-stream\n\n\u{1}", []),
    ("200\nContent-Type: application/octet-stream", []),
    ("304", []), ("304\n\nx", ["resp.body.unexpected /body"]), ("205\n\nx", ["resp.body.unexpected /body"]),
    ("100\n\nx", ["resp.body.unexpected /body"]),
    ("204\nContent-Length: 3", []),
    (
      "200\nContent-Type: text/plain\nContent-Type: application/json\n\nplain",
      ["resp.content-type.malformed /header/Content-Type"]
    ),
    ("200\nContent-Type: application/json\nx-list: 1, 2 ,3\n\n1", []),
    ("200\nContent-Type: application/json\nX-List: 1, x\n\n1", ["resp.header.schema /header/X-List"]),
    ("200\nContent-Type: application/json\nX-Object: a,1\n\n1", []),
    ("200\nContent-Type: application/json\nX-Object: a,b\n\n1", ["resp.header.schema /header/X-Object"]),
    ("200\nContent-Type: application/json\nX-JSON: 7\n\n1", []),
    ("200\nContent-Type: application/json\nX-JSON: \"7\"\n\n1", ["resp.header.schema /header/X-JSON"]),
    ("200\nContent-Type: application/json\nSet-Cookie: a=1\nSet-Cookie: b=2\n\n1", []),
    (
      "200\nContent-Type: application/json\nSet-Cookie: a=1, b=2\n\n1", ["resp.header.schema /header/Set-Cookie/0"]
    ),
  ])
  func `an answer is validated by the response that its status selects`(answer: String, places: [String]) throws {
    #expect(try ContractFixture(Self.contract).validator().validate("GET /a", answer).places == places)
  }

  @Test func `the first failures of a long header are reported, and the others counted`() throws {
    let cookies = (0..<12).map { "Set-Cookie: X\($0)\n" }.joined()
    let validation = try ContractFixture(Self.contract).validator().validate(
      "GET /a", "200\nContent-Type: application/json\n\(cookies)\n1")
    #expect(validation.findings.count == 11)
    #expect(
      validation.findings.last?.message == "header `Set-Cookie`: and 2 more failures, not listed")
  }

  @Test func `a part is reported as not validated`() throws {
    let validation = try ContractFixture(Self.contract).validator().validate(
      "GET /a\nRange: bytes=0-1", "206\nContent-Type: application/json\n\n[")
    #expect(validation.places == [])
    #expect(validation.notValidated == [.init(pointer: "/body", reason: "a 206 carries a part of the body")])
    #expect(validation.checked > 0)
  }

  @Test(arguments: [
    ("200\nContent-Type: application/json\nContent-Encoding: zstd\n\nx", "the content coding `zstd` is not supported"),
    ("200\nContent-Type: text/plain; charset=koi8-r\n\nx", "the charset `koi8-r` is not supported"),
  ])
  func `what cannot be read is not passed in silence`(answer: String, reason: String) throws {
    let validation = try ContractFixture(Self.contract).validator().validate("GET /a", answer)
    #expect(validation.notValidated == [.init(pointer: "/body", reason: reason)])
    #expect(validation.findings.isEmpty)
  }

  @Test func `a schema that cannot be validated by is not passed in silence`() throws {
    let contract = """
      openapi: 3.1.0
      info: {title: T, version: "1"}
      paths:
        /a:
          get:
            responses:
              "200": {description: d, content: {application/json: {schema: {$schema: "https://example.com/mine"}}}}
      """
    let validation = try ContractFixture(contract).validator().validate(
      "GET /a", "200\nContent-Type: application/json\n\n1")
    #expect(validation.isValid)
    #expect(
      validation.notValidated.map(\.reason) == ["the dialect of the schema is unknown"])
  }

  @Test func `a slow answer is reported if there is a limit`() throws {
    var options = ValidationOptions()
    options.timeLimit = .seconds(1)
    let validator = try ContractFixture(Self.contract).validator().contract.operations[0].responseValidator
    #expect(validator.validate(ResponseView(status: 304, duration: .seconds(2)), options).places == ["resp.time /time"])
    #expect(validator.validate(ResponseView(status: 304, duration: .milliseconds(900)), options).places == [])
  }

  @Test func `headers that are ignored may have patterns`() throws {
    var options = ValidationOptions()
    options.optional = [.responseHeaderUndeclared]
    options.ignoredHeaders = ["x-amz-*", "x-exact"]
    let validator = try ContractFixture(Self.contract).validator(options)
    let answer = "304\nX-Amz-Id: 1\nX-Exact: 1\nX-Other: 1\nServer: x"
    #expect(validator.validate("GET /a", answer).places == ["resp.header.undeclared /header/X-Other"])
  }

  @Test func `default covers success, too`() throws {
    let contract = """
      openapi: 3.0.3
      info: {title: T, version: "1"}
      paths: {/a: {get: {responses: {default: {description: d}}}}}
      """
    #expect(try ContractFixture(contract).validator().validate("GET /a", "200").places == [])
  }

  @Test func `a response of Swagger 2-0 without a schema has no body`() throws {
    let contract = """
      swagger: "2.0"
      info: {title: T, version: "1"}
      produces: [application/json]
      paths:
        /a:
          get:
            responses:
              200: {description: d}
              201: {description: d, schema: {type: string}, headers: {X-N: {type: array, items: {type: integer}}}}
      """
    let validator = try ContractFixture(contract).validator()
    #expect(
      validator.validate("GET /a", "200\nContent-Type: application/json\n\n1").places == ["resp.body.unexpected /body"])
    #expect(
      validator.validate("GET /a", "201\nContent-Type: application/json\nX-N: 1,x\n\n\"a\"").places
        == ["resp.header.schema /header/X-N"])
  }

  /// `produces` names the type of the success.
  @Test(
    arguments: [
      ("[application/zip]", 404, true), ("[application/zip]", 200, false), ("[application/zip, text/csv]", 404, false),
    ])
  func `an error of Swagger 2-0 may have another type where the success is only binary`(
    produces: String, status: Int, isExempt: Bool
  ) throws {
    let validator = try ContractFixture(
      """
      swagger: "2.0"
      info: {title: T, version: "1"}
      paths:
        /a:
          get:
            produces: \(produces)
            responses:
              200: {description: d, schema: {type: file}}
              404: {description: d, schema: {type: string}}
      """
    ).validator()
    let answer = "\(status)\nContent-Type: application/json\n\n\"a\""
    let places = isExempt ? [] : ["resp.content-type.undocumented /header/Content-Type"]
    #expect(validator.validate("GET /a", answer).places == places)
  }

  @Test func `a refused bad request is taken for a test of its refusal`() throws {
    let validation = try ContractFixture(Rule.exampleContract).validator().validate("POST /pets", "409")
    #expect(validation.places == ["req.expected-invalid /body"])
    #expect(validation.isValid)
  }
}

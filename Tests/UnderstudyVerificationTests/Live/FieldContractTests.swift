import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyTestSupport
import UnderstudyVerification

/// Shapes of contracts from the field that a mock once answered wrongly, each as small as it gets.
struct FieldContractTests {
  /// A contract of one GET of `/x`, whose 200 has this content.
  private static func contract(content: String, version: String = "3.0.3") -> String {
    """
    openapi: \(version)
    info: {title: t, version: "1"}
    paths:
      /x:
        get:
          operationId: x
          responses: {"200": {description: ok, content: \(content)}}

    """
  }

  /// A contract of one GET of `/x` in Swagger 2.0, with these lines below the operation.
  private static func swagger(_ lines: String...) -> String {
    """
    swagger: "2.0"
    info: {title: t, version: "1"}
    paths:
      /x:
        get:
          operationId: x

    """ + lines.map { "      \($0)\n" }.joined()
  }

  private static func reply(
    _ contract: String, _ path: String = "/x", _ headers: [String: String] = [:]
  ) throws -> Reply {
    try ContractFixture(contract).mock().send(path, headers)
  }

  /// What `verify --live` finds on the mock of a contract.
  private static func findings(_ contract: String) async throws -> [String] {
    let mock = try ContractFixture(contract).mock()
    return try await live(mock.contracts, on: mock.server).reported
  }

  // MARK: - Bodies

  @Test(arguments: [
    (#"{"*/*": {schema: {type: string}}}"#, "application/json", #""text""#),
    (#"{"application/*": {schema: {type: string}}}"#, "application/json", #""text""#),
    (#"{"*/*": {schema: {type: string, format: binary}}}"#, "application/octet-stream", nil),
    (#"{"*/*": {schema: {type: object, properties: {a: {type: integer}}}}}"#, "application/json", #"{"a":1}"#),
    (#"{"text/*": {schema: {type: string}}}"#, "text/plain; charset=utf-8", "text"),
    (#"{application/json: {}}"#, "application/json", "{}"),
    (#"{application/xml: {}}"#, "application/xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<root/>"),
    (#"{text/plain: {}}"#, "text/plain", ""),
    (
      #"{application/octet-stream: {schema: {type: object, properties: {a: {type: integer}}}}}"#,
      "application/octet-stream", #"{"a":1}"#
    ),
    (#"{application/jwt: {example: {a: 1}}}"#, "application/jwt", #"{"a":1}"#),
    (
      #"{application/x-ndjson: {schema: {type: object, properties: {a: {type: integer}}}}}"#, "application/x-ndjson",
      nil
    ),
  ])
  func `a body has the syntax of the media type that is sent`(content: String, type: String, body: String?) async throws
  {
    let contract = Self.contract(content: content)
    let reply = try Self.reply(contract)
    #expect(reply.status == 200)
    #expect(reply.header("Content-Type") == type)
    if let body { #expect(reply.text == body) }
    // JSON under a type that is none of data is the contract's doing, and worth a warning.
    let isJSONElsewhere = type == "application/octet-stream" && body != nil || type == "application/jwt"
    let found = try await Self.findings(contract)
    #expect(found == (isJSONElsewhere && type != "application/jwt" ? ["GET /x 200 resp.encoding"] : []))
  }

  @Test func `data goes out under the first type that has a form for it`() throws {
    let reply = try Self.reply(
      Self.contract(content: "{image/png: {schema: {type: object}}, application/json: {schema: {type: object}}}"))
    #expect(reply.header("Content-Type") == "application/json")
  }

  @Test func `data under a binary type of Swagger 2-0 keeps a declared type`() throws {
    let reply = try Self.reply(
      Self.swagger(
        "produces: [application/octet-stream]", "responses: {200: {description: ok, schema: {type: object}}}"))
    #expect(reply.header("Content-Type") == "application/octet-stream")
    #expect(reply.text == "{}")
  }

  @Test func `a multipart answer names its boundary`() async throws {
    let contract = Self.contract(
      content: "{multipart/form-data: {schema: {type: object, properties: {a: {type: string}}}}}")
    let reply = try Self.reply(contract)
    #expect(reply.header("Content-Type")?.hasPrefix("multipart/form-data; boundary=") == true)
    #expect(reply.text.contains("name=\"a\""))
    #expect(try await Self.findings(contract) == [])
  }

  @Test func `the example of the second media type answers where the first has nothing`() throws {
    let reply = try Self.reply(
      Self.swagger(
        "produces: [text/xml, application/xml]",
        "responses: {200: {description: ok, examples: {application/xml: \"<E/>\"}}}"))
    #expect(reply.header("Content-Type") == "application/xml")
    #expect(reply.text == "<E/>")
  }

  @Test func `a file under JSON is JSON`() async throws {
    let contract = Self.swagger(
      "produces: [application/json, application/octet-stream]",
      "responses: {200: {description: ok, schema: {type: file}}}")
    #expect(try Self.reply(contract).text == "{}")
    #expect(try await Self.findings(contract) == [])
  }

  @Test func `a remote example gives way to a sample where there is a schema`() throws {
    let reply = try Self.reply(
      Self.contract(
        content: """
          {application/json: {schema: {type: object, properties: {a: {type: integer}}}, examples: {e: {externalValue: "https://example.com/x.json"}}}}
          """))
    #expect(reply.reason == "sample x/200")
    #expect(reply.text == #"{"a":1}"#)
  }

  @Test func `a status without a body has none, even if the contract describes one`() throws {
    let contract = """
      openapi: 3.0.3
      info: {title: t, version: "1"}
      paths:
        /x:
          delete:
            responses: {"204": {description: ok, content: {application/json: {schema: {type: object}}}}}

      """
    let reply = try ContractFixture(contract).mock().send(.delete, "/x")
    #expect(reply.status == 204)
    #expect(reply.body == [])
    #expect(reply.header("Content-Type") == nil)
  }

  @Test func `null is served where an example or a default is null`() throws {
    let reply = try Self.reply(
      Self.contract(
        content: """
          {application/json: {schema: {type: object, properties: {e: {type: string, nullable: true, default: null}, \
          f: {type: string, nullable: true, example: null}, g: {type: integer, default: 0}, h: {type: string, default: null}}}}}
          """))
    #expect(reply.text == #"{"e":null,"f":null,"g":0,"h":"text"}"#)
  }

  @Test(arguments: ["int32", "int64"]) func `a number with a format of integers has a sample`(format: String) throws {
    let contract = Self.swagger(
      "produces: [application/json]",
      "responses: {200: {description: ok, schema: {type: object, properties: {a: {type: number, format: \(format)}}}}}")
    #expect(try Self.reply(contract).text == #"{"a":1}"#)
  }

  // MARK: - Headers

  @Test func `a documented Content-Encoding is not claimed for a body that is not coded`() throws {
    let contract = """
      openapi: 3.0.3
      info: {title: t, version: "1"}
      paths:
        /x:
          get:
            responses:
              "200":
                description: ok
                headers: {Content-Encoding: {schema: {type: string, example: gzip}}, X-A: {schema: {type: integer}}}
                content: {application/json: {schema: {type: object}}}

      """
    let reply = try Self.reply(contract)
    #expect(reply.header("Content-Encoding") == nil)
    #expect(reply.header("X-A") == "1")
  }

  @Test(arguments: ["301", "302", "303", "307", "308"]) func `a redirect has a Location`(status: String) async throws {
    let contract = Self.swagger("responses: {\(status): {description: elsewhere}}")
    #expect(try Self.reply(contract).header("Location") == "/")
    let redirects = try await Self.findings(contract).filter { $0.contains("resp.http.location") }
    #expect(redirects == [])
    let fixture = ContractFixture(contract, fixtures: ["x/\(status).yaml": "summary: Elsewhere.\n"])
    #expect(try fixture.mock().send("/x").header("Location") == "/")
    let broken = ContractFixture(
      contract, fixtures: ["x/\(status).yaml": "summary: Nowhere.\nviolates: [resp.http.location]\n"])
    #expect(try broken.mock().send("/x").header("Location") == nil)
  }

  // MARK: - Preflights

  @Test func `a preflight of a documented OPTIONS is a preflight`() throws {
    let contract = """
      openapi: 3.0.3
      info: {title: t, version: "1"}
      paths:
        /p:
          put: {responses: {"200": {description: ok}}}
          options:
            operationId: ask
            responses: {"200": {description: ok, headers: {Access-Control-Allow-Origin: {schema: {type: string}}}}}

      """
    let fixture = ContractFixture(contract)
    let preflight = ["Origin": "http://page.example", "Access-Control-Request-Method": "PUT"]
    let reply = try fixture.mock().send(.options, "/p", preflight)
    #expect(reply.reason == "preflight")
    #expect(reply.status == 204)
    #expect(reply.header("Access-Control-Allow-Methods") == "PUT, OPTIONS")
    #expect(reply.header("Access-Control-Allow-Origin") == nil)
    #expect(try fixture.mock().send(.options, "/p").reason == "contract ask/200")
    let own = try fixture.mock { $0.allowsCrossOrigin = false }.send(.options, "/p", preflight)
    #expect(own.reason == "contract ask/200")
  }

  // MARK: - Routes

  @Test(arguments: [
    ("/a % b", "/a%20%25%20b"), ("/c%20d", "/c%20d"), ("/50%", "/50%25"), ("/50%", "/50%"), ("/{n}%", "/7%25"),
  ])
  func `a percent sign of a template stands for itself unless it begins a triplet`(
    template: String, path: String
  ) async throws {
    let parameters =
      template.contains("{") ? "parameters: [{name: n, in: path, required: true, schema: {type: integer}}], " : ""
    let contract = """
      openapi: 3.0.2
      info: {title: t, version: "1"}
      paths:
        "\(template)": {get: {\(parameters)responses: {"200": {description: ok}}}}

      """
    #expect(try Self.reply(contract, path).status == 200)
    #expect(try await Self.findings(contract) == [])
  }

  // MARK: - Examples that break their schemas

  private static let broken = contract(
    content: """
      {application/json: {schema: {type: object, required: [a], properties: {a: {type: integer}}}, example: {a: "1"}}}
      """)

  @Test func `an example that breaks its schema is served, and each answer reports it`() throws {
    let mock = try ContractFixture(Self.broken).mock()
    for _ in 1...2 {
      let reply = mock.send("/x")
      #expect(reply.reason == "example x/200")
      #expect(reply.text == #"{"a":"1"}"#)
      #expect(
        reply.diagnostics.map { "\($0.rule.id) \($0.owner) \($0.message)" } == [
          #"resp.body.schema contract expected integer, found string "1""#
        ])
    }
    #expect(mock.send("/x?__dynamic=true").diagnostics.isEmpty)
  }

  @Test func `with problem documents for bad requests, a bad example is one as well`() throws {
    let mock = try ContractFixture(Self.broken).mock { $0.onInvalid = .problem }
    let reply = mock.send("/x")
    #expect(reply.status == 500)
    #expect(reply.text.contains(#""type":"urn:understudy:problem:answer-invalid""#))
    #expect(reply.text.contains(#"expected integer, found string \"1\""#))
    #expect(mock.send("/x?__dynamic=true").status == 200)
  }
}

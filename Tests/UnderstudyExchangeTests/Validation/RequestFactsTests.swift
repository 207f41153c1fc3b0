import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudySchema
import UnderstudyTestSupport

/// The facts about requests that implementers get wrong, where only the validator can show them.
struct RequestFactsTests {
  static func validator(
    _ operation: String, version: String = "3.1.0", components: String = "{}",
    options: ValidationOptions = ValidationOptions()
  ) throws -> TextValidator {
    try ContractFixture(
      """
      openapi: \(version)
      info: {title: T, version: "1"}
      paths:
        /a:
          post: {\(operation), responses: {"200": {description: d}}}
      components: \(components)
      """
    ).validator(options)
  }

  static func json(_ schema: String, components: String = "{}", version: String = "3.1.0") throws -> TextValidator {
    try validator(
      "requestBody: {content: {application/json: {schema: \(schema)}}}", version: version, components: components)
  }

  static func post(_ body: String, _ type: String = "application/json") -> String {
    "POST /a\nContent-Type: \(type)\n\n\(body)"
  }

  // MARK: - Bodies

  @Test func `a body without a description in the contract is not validated, and the reason is reported`() throws {
    let validation = try Self.validator("requestBody: {content: {}}").validate(Self.post("{}"))
    #expect(validation.places == [])
    #expect(
      validation.notValidated == [.init(pointer: "/body", reason: "the contract documents a body without a media type")]
    )
  }

  @Test func `encodings count for forms and multipart only`() throws {
    let validator = try Self.validator(
      """
      requestBody: {content: {application/json: {schema: {properties: {a: {type: string}}}, \
      encoding: {a: {contentType: image/png, headers: {X: {required: true}}}}}}}
      """)
    #expect(validator.validate(Self.post(#"{"a": "b"}"#)).places == [])
  }

  @Test(arguments: [
    ("a=%7B%22x%22:1%7D&a=%7B%22x%22:2%7D", [String]()),
    ("a=%7B%22x%22:%22y%22%7D", ["req.body.schema /body/a/0/x"]),
    ("n=%5B1,2%5D&n=%5B3%5D", []),
    ("b=1", ["req.body.schema /body/b"]),
  ])
  func `items of a form's array go by their own type, and undeclared fields by additionalProperties`(
    body: String, places: [String]
  ) throws {
    let validator = try Self.validator(
      """
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {additionalProperties: false, properties: {\
      a: {type: array, items: {type: object, properties: {x: {type: integer}}}}, \
      n: {type: array, items: {type: array, items: {type: integer}}}}}}}}
      """)
    #expect(validator.validate(Self.post(body, "application/x-www-form-urlencoded")).places == places)
  }

  @Test func `a style beside a content type is what counts`() throws {
    let validator = try Self.validator(
      """
      requestBody: {content: {application/x-www-form-urlencoded: {schema: {properties: {\
      a: {type: array, items: {type: integer}}}}, encoding: {a: {contentType: application/json, style: pipeDelimited, explode: false}}}}}
      """)
    #expect(validator.validate(Self.post("a=1%7C2", "application/x-www-form-urlencoded")).places == [])
    #expect(!validator.validate(Self.post("a=%5B1,2%5D", "application/x-www-form-urlencoded")).isValid)
  }

  static let upload = """
    requestBody: {required: true, content: {multipart/form-data: {schema: {required: [file], properties: {\
    file: {type: string, format: binary}}}, encoding: {file: {contentType: "image/png, image/gif", \
    headers: {X-Rate: {required: true, schema: {maximum: 5, type: integer}}, Content-Type: {required: true, schema: {const: never}}}}}}}}
    """

  @Test(arguments: [
    ("Content-Type: image/gif\r\nX-Rate: 5", [String]()),
    ("Content-Type: image/gif\r\nX-Rate: 6", ["req.body.schema /body/file/header/X-Rate"]),
    ("Content-Type: image/gif", ["req.body.missing /body/file"]),
    ("Content-Type: image/jpeg\r\nX-Rate: 5", ["req.content-type.undocumented /body/file"]),
    ("Content-Type: image/gif\r\nX-Rate: 5\r\nContent-Transfer-Encoding: base64", ["req.encoding /body/file"]),
    ("Content-Type: image/gif\r\nX-Rate: 5\r\nContent-Transfer-Encoding: Binary", []),
  ])
  func `parts have types and headers of their own`(head: String, places: [String]) throws {
    let body = "--x\r\nContent-Disposition: form-data; name=file; filename=a\r\n\(head)\r\n\r\nabc\r\n--x--\r\n"
    let validation = try Self.validator(Self.upload).validate(Self.post(body, "multipart/form-data; boundary=x"))
    #expect(validation.places == places, "\(validation.findings.map(\.message))")
  }

  @Test func `a required part may be empty but not absent`() throws {
    let validator = try Self.validator(
      "requestBody: {content: {multipart/form-data: {schema: {required: [file], properties: {file: {type: string, format: binary}}}}}}"
    )
    let empty = "--x\r\nContent-Disposition: form-data; name=file; filename=\"\"\r\n\r\n\r\n--x--\r\n"
    #expect(validator.validate(Self.post(empty, "multipart/form-data; boundary=x")).places == [])
    #expect(
      validator.validate(Self.post("--x--", "multipart/form-data; boundary=x")).places == ["req.body.schema /body"])
  }

  // MARK: - Annotations

  static let parts = """
    {schemas: {Id: {type: integer, readOnly: true}, Base: {properties: {id: {$ref: "#/components/schemas/Id"}}}, \
    Cat: {required: [kind], properties: {kind: {type: string}}}, Dog: {required: [kind], properties: {kind: {type: string}}}, \
    Animal: {discriminator: {propertyName: kind}, required: [kind], properties: {kind: {type: string}}}}}
    """

  @Test(
    arguments: [
      (##"{properties: {id: {$ref: "#/components/schemas/Id"}}}"##, #"{"id": 1}"#, ["/body/id"]),
      (##"{allOf: [{$ref: "#/components/schemas/Base"}]}"##, #"{"id": 1}"#, ["/body/id"]),
      (##"{type: array, items: {allOf: [{$ref: "#/components/schemas/Base"}]}}"##, #"[{}, {"id": 1}]"#, ["/body/1/id"]),
      ("{properties: {id: {allOf: [{readOnly: true}]}}}", #"{"id": 1}"#, ["/body/id"]),
      ("{oneOf: [{required: [a], properties: {id: {readOnly: true}}}, {required: [b]}]}", #"{"b": 1, "id": 1}"#, []),
      ("{additionalProperties: {properties: {id: {readOnly: true}}}}", #"{"x": {"id": 1}}"#, ["/body/x/id"]),
      ("{required: [id], properties: {id: {readOnly: true}}}", "{}", []),
    ] as [(String, String, [String])])
  func `a readOnly property that was sent is reported, in every form of declaration`(
    schema: String, body: String, places: [String]
  ) throws {
    for version in ["3.0.3", "3.1.0"] {
      let validation = try Self.json(schema, components: Self.parts, version: version).validate(Self.post(body))
      #expect(validation.places == places.map { "req.body.read-only \($0)" })
      #expect(validation.isValid)
    }
  }

  @Test(
    arguments: [
      (
        #"{patternProperties: {"^x-": {properties: {id: {readOnly: true}}}}}"#, #"{"x-a": {"id": 1}}"#, ["/body/x-a/id"]
      ),
      (#"{patternProperties: {"^x-": {readOnly: true}}}"#, #"{"x-a": 1, "a": 1}"#, ["/body/x-a"]),
      (
        #"{patternProperties: {"^x-": {}}, additionalProperties: {properties: {id: {readOnly: true}}}}"#,
        #"{"x-a": {"id": 1}, "a": {"id": 1}}"#, ["/body/a/id"]
      ),
      (
        "{prefixItems: [{properties: {id: {readOnly: true}}}], items: {properties: {n: {readOnly: true}}}}",
        #"[{"id": 1, "n": 1}, {"id": 1, "n": 1}]"#, ["/body/0/id", "/body/1/n"]
      ),
      (
        "{prefixItems: [{properties: {id: {readOnly: true}}}], items: true}", #"[{"id": 1}, {"id": 1}]"#, ["/body/0/id"]
      ),
    ] as [(String, String, [String])])
  func `what a pattern or a position declares counts before the rest`(
    schema: String, body: String, places: [String]
  ) throws {
    #expect(try Self.json(schema).validate(Self.post(body)).places == places.map { "req.body.read-only \($0)" })
  }

  static let pets = ##"oneOf: [{$ref: "#/components/schemas/Cat"}]"##

  @Test(arguments: [
    ("{\(pets), discriminator: {propertyName: kind}}", "Cat", true),
    ("{\(pets), discriminator: {propertyName: kind}}", "cat", false),
    ("{\(pets), discriminator: {propertyName: kind}}", "Dog", false),
    ("{\(pets), discriminator: {propertyName: kind, mapping: {puss: Cat}}}", "puss", true),
    ("{\(pets), discriminator: {propertyName: kind, mapping: {puss: Cat}}}", "Cat", true),
    ("{\(pets), discriminator: {propertyName: kind, defaultMapping: Cat}}", "x", true),
    (##"{$ref: "#/components/schemas/Animal"}"##, "Dog", true),
    (##"{$ref: "#/components/schemas/Animal"}"##, "Cow", false),
  ])
  func `a discriminator never refuses, but is noted where it names nothing`(
    schema: String, kind: String, isKnown: Bool
  ) throws {
    let validation = try Self.json(schema, components: Self.parts).validate(Self.post("{\"kind\": \"\(kind)\"}"))
    #expect(validation.isValid)
    #expect(validation.places == (isKnown ? [] : ["req.discriminator.unmatched /body/kind"]))
  }

  // MARK: - Security

  @Test func `scopes cannot be seen, and are reported as not validated`() throws {
    let validator = try Self.validator(
      "security: [{oauth: [read, write]}]", components: "{securitySchemes: {oauth: {type: oauth2, flows: {}}}}")
    let validation = validator.validate("POST /a\nAuthorization: Bearer t")
    #expect(validation.places == [])
    #expect(validation.notValidated == [.init(pointer: "/header", reason: "the scopes of `oauth`")])
  }

  @Test func `a client certificate cannot be seen, and is reported as not validated`() throws {
    let validator = try Self.validator(
      "security: [{tls: []}]", components: "{securitySchemes: {tls: {type: mutualTLS}}}")
    #expect(
      validator.validate("POST /a").notValidated.map(\.reason) == [
        "`tls` is a client certificate, which a request does not show"
      ])
  }

  @Test(arguments: [("", "req.security.missing /header"), ("\nClient-Cert: :AAAA:", "")])
  func `a client certificate is required, where requests show them`(field: String, finding: String) throws {
    var options = ValidationOptions()
    options.showsCertificates = true
    let validator = try Self.validator(
      "security: [{tls: []}]", components: "{securitySchemes: {tls: {type: mutualTLS}}}", options: options)
    let validation = validator.validate("POST /a\(field)")
    #expect(validation.places == (finding.isEmpty ? [] : [finding]))
    #expect(validation.notValidated == [])
  }

  @Test func `an expired token is malformed, where there is a clock`() throws {
    var options = ValidationOptions()
    options.tokens = TokenCheckTests.noon
    let validator = try Self.validator(
      "security: [{b: []}]", components: "{securitySchemes: {b: {type: http, scheme: bearer}}}", options: options)
    let token = TokenCheckTests.token(#"{"exp":1}"#)
    #expect(validator.validate("POST /a\nAuthorization: Bearer \(token)").places == ["req.security.malformed /header"])
  }

  // MARK: - Bad input

  @Test func `ten thousand values of a query parameter cost a few steps each`() throws {
    let validator = try Self.validator(
      "parameters: [{name: ids, in: query, schema: {type: array, items: {type: integer}}}]")
    let many = (0..<10_000).map { "ids=\($0)" }.joined(separator: "&")
    // Decoding counts no steps: these are the steps over what it made of the query.
    let budget = WorkBudget(100_000)
    #expect(validator.validate("POST /a?\(many)", within: budget).places == [])
    #expect(!budget.isExceeded)
  }

  @Test func `of ten thousand unknown query parameters twenty are reported by name and the rest as one`() throws {
    let validator = try Self.validator("parameters: []")
    let strange = (0..<10_000).map { "k\($0)=\($0)" }.joined(separator: "&")
    #expect(validator.validate("POST /a?\(strange)").findings.count == 21)
  }

  @Test func `a bomb is refused before it goes off`() throws {
    let validator = try Self.json("{}")
    var (request, _) = TextValidator.request(Self.post(""))
    request.headerFields[.contentEncoding] = "br"
    let bomb = try ContentCodingTests.bytes("z///f/gnAOKxQCD3/r/+/x//BEAcFgDo3j8A")
    let (operation, view, _) = try #require(validator.match(request, body: bomb))
    #expect(operation.requestValidator.validation(of: view).places == ["req.body.unparsable /body"])
  }

  @Test(arguments: ["application/json", "application/x-www-form-urlencoded", "text/plain; charset=utf-8"])
  func `bytes that are not UTF-8 are refused`(type: String) throws {
    let validator = try Self.validator("requestBody: {content: {\"*/*\": {schema: {}}}}")
    let (request, _) = TextValidator.request(Self.post("", type))
    let (operation, view, _) = try #require(validator.match(request, body: [0x61, 0x3D, 0xFF]))
    #expect(!operation.requestValidator.validation(of: view).isValid)
  }

  @Test func `a truncated multipart body is reported as such`() throws {
    let body = "--x\r\nContent-Disposition: form-data; name=file\r\n\r\nab"
    let validation = try Self.validator(Self.upload).validate(Self.post(body, "multipart/form-data; boundary=x"))
    #expect(validation.places == ["req.body.unparsable /body"])
  }

  @Test func `deep and overlong values are refused or validated, never followed without end`() throws {
    let validator = try Self.json(
      "{items: {$ref: \"#/components/schemas/A\"}}",
      components: "{schemas: {A: {items: {$ref: \"#/components/schemas/A\"}}}}")
    let deep = String(repeating: "[", count: 100_000)
    #expect(validator.validate(Self.post(deep)).places == ["req.body.unparsable /body"])
    let long = String(repeating: "a", count: 1_000_000)
    #expect(validator.validate("POST /a\nX-Long: \(long)\nContent-Type: application/json\n\n[]").places == [])
  }
}

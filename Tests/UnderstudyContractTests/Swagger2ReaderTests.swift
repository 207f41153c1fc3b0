import Testing
import UnderstudyContract
import UnderstudyTestSupport

@Suite struct Swagger2ReaderTests {
  private func make(_ rest: String) throws -> API {
    try ContractFixture("swagger: \"2.0\"\ninfo: {title: T, version: \"1\"}\n" + rest).api
  }

  @Test(arguments: [
    ("host: a.com\nbasePath: /v1\nschemes: [https, http]", ["https://a.com/v1", "http://a.com/v1"]),
    ("host: a.com:80\nbasePath: v1\nschemes: [http]", ["http://a.com:80/v1"]),
    ("host: a.com", ["//a.com"]),
    ("basePath: /v1\nschemes: [https]", ["/v1"]),
    ("", ["/"]),
  ])
  func `host, base path and schemes are servers`(_ head: String, _ urls: [String]) throws {
    #expect(try make("\(head)\npaths: {}").servers.map(\.url) == urls)
  }

  @Test func `an operation may name its own schemes`() throws {
    let api = try make("host: a.com\nschemes: [http]\npaths: {/a: {get: {schemes: [wss]}}}")
    #expect(api.operations.first?.servers.map(\.url) == ["wss://a.com"])
  }

  @Test(arguments: [
    ("consumes: [a/b]", "", ["a/b"]),
    ("consumes: [a/b]", "consumes: [c/d, e/f]", ["c/d", "e/f"]),
    ("consumes: [a/b]", "consumes: []", ["*/*"]),
    ("", "", ["*/*"]),
  ])
  func `the body has the media types of consumes`(_ head: String, _ own: String, _ ranges: [String]) throws {
    let api = try make(
      """
      \(head)
      paths:
        /a:
          post:
            \(own)
            parameters: [{name: b, in: body, required: true, schema: {type: object}}]
      """)
    let body = api.operations.first?.requestBody
    #expect(body?.content.map(\.range) == ranges)
    #expect(body?.isRequired == true)
    #expect(body?.content.first?.schema?["type"] == "object")
    #expect(api.operations.first?.parameters.isEmpty == true)
  }

  @Test func `form fields become the properties of one body`() throws {
    let api = try make(
      """
      consumes: [application/json, multipart/form-data, application/x-www-form-urlencoded]
      paths:
        /a:
          parameters: [{name: shared, in: formData, type: string}]
          post:
            parameters:
              - {name: name, in: formData, type: string, minLength: 2, required: true, description: The name}
              - {name: tags, in: formData, type: array, items: {type: string}, collectionFormat: multi}
              - {name: photo, in: formData, type: file}
      """)
    let body = try #require(api.operations.first?.requestBody)
    #expect(body.content.map(\.range) == ["multipart/form-data"])
    #expect(body.isRequired)
    #expect(
      body.content.first?.schema == [
        "type": "object", "required": ["name"],
        "properties": [
          "shared": ["type": "string"],
          "name": ["type": "string", "minLength": 2, "description": "The name"],
          "tags": ["type": "array", "items": ["type": "string"]],
          "photo": ["type": "string", "format": "binary"],
        ],
      ])
    let encoding = try #require(body.content.first?.encodings.first)
    #expect(encoding.property == "tags")
    #expect(encoding.explode)
    // What was copied keeps its place in the contract.
    let length = try #require(body.content.first?.schema?["properties"]?["name"]?["minLength"])
    #expect(Location(length).description == "api.yaml:9:63")
  }

  @Test(arguments: [
    ("[multipart/form-data]", "string", ["multipart/form-data"]),
    ("[application/json]", "string", ["application/x-www-form-urlencoded"]),
    ("[application/json]", "file", ["multipart/form-data"]),
    (
      "[application/x-www-form-urlencoded, multipart/form-data]", "string",
      ["application/x-www-form-urlencoded", "multipart/form-data"]
    ),
  ])
  func `forms are sent as one of the form types`(_ consumes: String, _ type: String, _ ranges: [String]) throws {
    let api = try make(
      "consumes: \(consumes)\npaths: {/a: {post: {parameters: [{name: f, in: formData, type: \(type)}]}}}")
    #expect(api.operations.first?.requestBody?.content.map(\.range) == ranges)
  }

  @Test(arguments: [
    ("query", "", Parameter.Style.form, false), ("query", "csv", .form, false), ("query", "multi", .form, true),
    ("query", "ssv", .spaceDelimited, false), ("query", "tsv", .tabDelimited, false),
    ("query", "pipes", .pipeDelimited, false),
    ("path", "csv", .simple, false), ("header", "", .simple, false), ("header", "multi", .simple, false),
  ])
  func `collection formats are styles`(
    _ location: String, _ format: String, _ style: Parameter.Style, _ explode: Bool
  ) throws {
    let text = format.isEmpty ? "" : ", collectionFormat: \(format)"
    let api = try make(
      "paths: {/a: {get: {parameters: [{name: p, in: \(location), type: array, items: {type: string}\(text)}]}}}")
    let parameter = try #require(api.operations.first?.parameters.first)
    #expect(parameter.style == style)
    #expect(parameter.explode == explode)
    #expect(parameter.schema?["type"] == "array")
  }

  @Test func `responses have the media types of produces, with examples by media type`() throws {
    let api = try make(
      """
      produces: [application/json, text/plain]
      paths:
        /a:
          get:
            responses:
              200:
                description: OK
                schema: {type: object}
                examples: {application/json; charset=utf-8: {a: 1}}
                headers: {X-Rate: {type: integer}}
              204: {description: Nothing}
              400: {description: File, schema: {type: file}}
          put:
            produces: []
            responses: {200: {description: OK, schema: {}}, 201: {description: OK, examples: {a/b: 1}}}
      """)
    let responses = try #require(api.operations.first?.responses)
    #expect(
      responses.map { $0.content.map(\.range) } == [
        ["application/json", "text/plain"], [], ["application/json", "text/plain"],
      ])
    #expect(responses.first?.content.map(\.examples.count) == [1, 0])
    #expect(responses.first?.headers.first?.schema?["type"] == "integer")
    #expect(responses.last?.content.first?.schema == nil)
    #expect(api.operations.last?.responses.map { $0.content.map(\.range) } == [["*/*"], ["a/b"]])
  }

  @Test func `one shared response may be sent in two media types`() throws {
    let api = try make(
      """
      responses: {R: {description: OK, schema: {}}}
      paths:
        /a:
          get: {produces: [a/b], responses: {200: {$ref: "#/responses/R"}}}
          put: {produces: [c/d], responses: {200: {$ref: "#/responses/R"}}}
      """)
    #expect(api.operations.map { $0.responses.first?.content.map(\.range) } == [["a/b"], ["c/d"]])
  }

  @Test func `examples in extensions are found`() throws {
    let api = try make(
      """
      consumes: [application/json, text/plain]
      paths:
        /a/{id}:
          post:
            parameters:
              - {name: id, in: path, required: true, type: string, x-example: abc}
              - {name: b, in: body, schema: {}, x-examples: {application/json: {a: 1}, other: {b: 2}}}
      """)
    let operation = api.operations.first
    #expect(operation?.parameters.first?.examples.count == 1)
    #expect(operation?.requestBody?.content.map { $0.examples.map(\.name) } == [[nil, "other"], ["other"]])
  }

  @Test func `security definitions keep their meaning`() throws {
    let api = try make(
      """
      securityDefinitions:
        a: {type: basic}
        b: {type: apiKey, name: X-Key, in: header}
        c: {type: oauth2, flow: implicit, scopes: {}}
        d: {type: http}
        e: {type: apiKey, name: k, in: cookie}
      paths: {}
      """)
    let kinds = api.securitySchemes.map { "\($0.name) \($0.kind)" }
    #expect(kinds[0] == "a http(scheme: \"basic\")")
    #expect(kinds[1].contains("apiKey(name: \"X-Key\""))
    #expect(kinds[2] == "c oauth2")
    #expect(kinds[3] == "d unknown(\"http\")")
    #expect(kinds[4] == "e unknown(\"apiKey\")")
    #expect(api.diagnostics.map(\.rule.id) == ["spec.type"])
  }
}

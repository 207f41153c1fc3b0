import Testing
import UnderstudyContract
import UnderstudyTestSupport

@Suite struct OpenAPI3ReaderTests {
  @Test(arguments: [
    ("path", Parameter.Style.simple, false), ("query", .form, true), ("header", .simple, false),
    ("cookie", .form, true),
  ])
  func `style and explode default by location`(_ location: String, _ style: Parameter.Style, _ explode: Bool) throws {
    let api = try ContractFixture(operation: "parameters: [{name: id, in: \(location), schema: {}}]").api
    let parameter = try #require(api.operations.first?.parameters.first)
    #expect(parameter.style == style)
    #expect(parameter.explode == explode)
  }

  @Test(arguments: [
    ("style: deepObject", Parameter.Style.deepObject, false), ("style: form, explode: false", .form, false),
    ("style: matrix", .form, true), ("style: unheard", .form, true), ("style: pipeDelimited", .pipeDelimited, false),
  ])
  func `a style that the location lacks falls back to the standard one`(
    _ text: String, _ style: Parameter.Style, _ explode: Bool
  ) throws {
    let api = try ContractFixture(operation: "parameters: [{name: a, in: query, \(text)}]").api
    let parameter = try #require(api.operations.first?.parameters.first)
    #expect(parameter.style == style)
    #expect(parameter.explode == explode)
  }

  @Test func `operation parameters replace those of the path with the same name and location`() throws {
    let api = try ContractFixture(
      """
      openapi: 3.1.0
      paths:
        /pets:
          parameters:
            - {name: a, in: query, description: path}
            - {name: b, in: query, description: path}
            - {name: X-Trace, in: header, description: path}
          get:
            parameters:
              - {name: a, in: query, description: operation}
              - {name: a, in: cookie, description: operation}
              - {name: x-trace, in: header, description: operation}
      """
    ).api
    let found = api.operations.first?.parameters.map {
      "\($0.name) \($0.location) \($0.node["description"]?.string ?? "")"
    }
    #expect(found == ["b query path", "a query operation", "a cookie operation", "x-trace header operation"])
  }

  @Test func `names that only look alike are two parameters`() throws {
    let api = try ContractFixture(
      operation: "parameters: [{name: \"\\u00e9\", in: query}, {name: \"e\\u0301\", in: query}]"
    ).api
    #expect(api.operations.first?.parameters.count == 2)
  }

  @Test func `a parameter with content is read with its media type`() throws {
    let api = try ContractFixture(
      operation:
        "parameters: [{name: f, in: query, content: {application/json: {schema: {type: object}, example: {a: 1}}}}]"
    ).api
    let parameter = try #require(api.operations.first?.parameters.first)
    #expect(parameter.schema == nil)
    #expect(parameter.content?.range == "application/json")
    #expect(parameter.content?.examples.count == 1)
  }

  @Test func `a path parameter is always required`() throws {
    let api = try ContractFixture(operation: "parameters: [{name: id, in: path, required: false, schema: {}}]").api
    #expect(api.operations.first?.parameters.first?.isRequired == true)
  }

  @Test func `everything that may be a reference is followed`() throws {
    let api = try ContractFixture(
      """
      openapi: 3.1.0
      paths:
        /a: {$ref: "#/components/pathItems/A"}
      components:
        pathItems:
          A:
            post:
              parameters: [{$ref: "#/components/parameters/P"}]
              requestBody: {$ref: "#/components/requestBodies/B"}
              responses: {"200": {$ref: "#/components/responses/R"}}
              callbacks: {done: {$ref: "#/components/callbacks/C"}}
        parameters: {P: {name: p, in: query, examples: {one: {$ref: "#/components/examples/E"}}}}
        requestBodies: {B: {required: true, content: {text/plain: {}}}}
        responses:
          R:
            description: Fine
            headers: {X: {$ref: "#/components/headers/H"}}
            content: {application/json: {examples: {one: {$ref: "#/components/examples/E"}}}}
            links: {next: {$ref: "#/components/links/L"}}
        headers: {H: {required: true}}
        examples: {E: {summary: An example, value: 1}}
        links: {L: {operationId: x}}
        callbacks: {C: {"{$request.body#/url}": {put: {responses: {}}}}}
        securitySchemes: {S: {$ref: "#/components/securitySchemes/T"}, T: {type: http, scheme: Bearer}}
      """
    ).api
    #expect(api.diagnostics.map(\.rule.id) == ["spec.info.missing"])
    let operation = try #require(api.operations.first)
    let response = try #require(operation.responses.first)
    #expect(operation.parameters.first?.examples.first?.name == "one")
    #expect(operation.requestBody?.isRequired == true)
    #expect(response.headers.map(\.name) == ["X"])
    #expect(response.headers.first?.isRequired == true)
    #expect(response.content.first?.examples.first?.summary == "An example")
    #expect(response.links.first?.operationId == "x")
    #expect(operation.callbacks.first?.name == "done")
    #expect(operation.callbacks.first?.operations.map(\.id) == ["PUT_{$request.body#_url}"])
    #expect(api.securitySchemes.map(\.name) == ["S", "T"])
  }

  @Test(arguments: [("3.0.3", "Target"), ("3.1.0", "Beside")])
  func `text beside a reference counts from 3_1 on`(_ version: String, _ description: String) throws {
    let api = try ContractFixture(
      operation: """
        responses:
          "200": {$ref: "#/components/responses/R", description: Beside}
        """, version: version, components: "{responses: {R: {description: Target}}}"
    ).api
    #expect(api.operations.first?.responses.first?.description == description)
  }

  @Test func `a shared response may mean something else in each use`() throws {
    let api = try ContractFixture(
      operation: """
        responses:
          "200": {$ref: "#/components/responses/R", x-meaning: mine}
          "201": {$ref: "#/components/responses/R"}
        """, components: "{responses: {R: {description: Target, x-meaning: shared}}}"
    ).api
    #expect(api.operations.first?.responses.map(\.meaning) == ["mine", "shared"])
  }

  @Test func `callbacks that lead back to their own path end`() throws {
    let api = try ContractFixture(
      """
      openapi: 3.1.0
      paths:
        /a:
          post:
            callbacks: {again: {"{$url}": {$ref: "#/paths/~1a"}}}
      """
    ).api
    #expect(api.operations.count == 1)
    #expect(api.operations.first?.callbacks.first?.operations.count == 1)
  }

  @Test func `a chain of callbacks of any length does not exhaust the stack`() throws {
    let links = (0..<20_000).map {
      "\"c\($0)\": {\"{$url}\": {\"post\": {\"callbacks\": {\"next\": {\"$ref\": \"#/components/callbacks/c\($0 + 1)\"}}}}}"
    }
    let api = try ContractFixture(
      """
      {"openapi": "3.1.0", "components": {"callbacks": {\(links.joined(separator: ",")), "c20000": {}}},
       "paths": {"/a": {"post": {"callbacks": {"first": {"$ref": "#/components/callbacks/c0"}}}}}}
      """
    ).api
    #expect(api.operations.first?.callbacks.first?.operations.count == 1)
    #expect(Linter.lint(api).contains { $0.severity == .error } == false)
  }

  @Test func `examples of every kind are kept`() throws {
    let api = try ContractFixture(
      operation: """
        responses:
          "200":
            description: OK
            content:
              a/b:
                example: 1
                examples:
                  data: {value: null}
                  file: {externalValue: ./x.json}
                  newData: {dataValue: 3}
                  wire: {serializedValue: "3"}
                  empty: {summary: nothing}
        """, version: "3.2.0"
    ).api
    let examples = api.operations.first?.responses.first?.content.first?.examples ?? []
    let found = examples.map { example in
      switch example.value {
      case .data(let value): "\(example.name ?? "-") data \(JSONWriter.text(value))"
      case .serialized(let text): "\(example.name ?? "-") text \(text)"
      case .external(let path): "\(example.name ?? "-") file \(path)"
      }
    }
    #expect(found == ["- data 1", "data data null", "file file ./x.json", "newData data 3", "wire text 3"])
  }

  @Test func `security is inherited, replaced or cleared`() throws {
    let api = try ContractFixture(
      """
      openapi: 3.1.0
      security: [{a: []}]
      paths:
        /x:
          get: {}
          put: {security: []}
          post: {security: [{}, {b: [read], c: []}]}
      """
    ).api
    let found = api.operations.map { $0.security.map { $0.schemes.map { "\($0.name)\($0.scopes)" } } }
    #expect(found == [[["a[]"]], [], [[], ["b[\"read\"]", "c[]"]]])
  }

  @Test func `a name that looks like an extension is a name where names are free`() throws {
    let api = try ContractFixture(
      operation: """
        security: [{x-api-key: []}]
        callbacks: {x-done: {"{$url}": {post: {}}}}
        responses: {"200": {headers: {x-rate: {schema: {}}}}}
        """, components: "{securitySchemes: {x-api-key: {type: apiKey, name: k, in: query}}}"
    ).api
    let operation = api.operations.first
    #expect(operation?.security.map { $0.schemes.map(\.name) } == [["x-api-key"]])
    #expect(operation?.callbacks.map(\.name) == ["x-done"])
    #expect(operation?.responses.first?.headers.map(\.name) == ["x-rate"])
    #expect(api.securitySchemes.map(\.name) == ["x-api-key"])
    #expect(!Linter.lint(api).contains { $0.rule.id == "spec.security.undefined" })
  }

  @Test func `the nearest level that names servers wins`() throws {
    let api = try ContractFixture(
      """
      openapi: 3.1.0
      servers: [{url: "https://{host}/root", variables: {host: {default: a.com, enum: [a.com, b.com]}}}]
      paths:
        /x:
          servers: [{url: /path}]
          get: {}
          put: {servers: [{url: /operation}]}
        /y: {get: {servers: []}}
      """
    ).api
    #expect(api.operations.map { $0.servers.map(\.url) } == [["/path"], ["/operation"], ["https://{host}/root"]])
    #expect(api.servers.first?.variables.first?.values == ["a.com", "b.com"])
    #expect(try ContractFixture("openapi: 3.1.0\npaths: {}").api.servers.map(\.url) == ["/"])
  }

  @Test func `3_2 has more methods, a query string parameter and item schemas`() throws {
    let text = """
      paths:
        /x:
          query: {parameters: [{name: q, in: querystring, content: {a/b: {}}}]}
          additionalOperations: {COPY: {responses: {"200": {content: {application/jsonl: {itemSchema: {}}}}}}}
      """
    let new = try ContractFixture("openapi: 3.2.0\ninfo: {title: T, version: \"1\"}\n" + text).api
    #expect(new.operations.map(\.method) == ["QUERY", "COPY"])
    #expect(new.operations.first?.parameters.first?.location == .querystring)
    #expect(new.operations.last?.responses.first?.content.first?.itemSchema != nil)
    let old = try ContractFixture("openapi: 3.1.0\ninfo: {title: T, version: \"1\"}\n" + text).api
    #expect(old.operations.isEmpty)
    #expect(old.diagnostics.map(\.rule.id) == ["spec.path.method", "spec.path.method"])
  }

  @Test func `webhooks are kept apart from paths`() throws {
    let api = try ContractFixture(
      "openapi: 3.1.0\nwebhooks: {newPet: {post: {responses: {\"200\": {description: OK}}}}}"
    ).api
    #expect(api.operations.isEmpty)
    #expect(api.webhooks.map(\.id) == ["POST_newPet"])
  }

  @Test func `operations may be spread over files, as people do`() throws {
    let store = DocumentStore.inMemory([
      "api.yaml": "openapi: 3.0.0\ninfo: {title: T, version: \"1\"}\npaths: {/a: {get: {$ref: \"ops/a.yaml\"}}}",
      "ops/a.yaml": "operationId: readA\nresponses: {\"200\": {$ref: ../common.yaml#/ok}}",
      "common.yaml": "ok: {description: Shared}",
    ])
    let api = try #require(OpenAPIReader.read("api.yaml", from: store).api)
    #expect(api.operations.map(\.id) == ["readA"])
    #expect(api.operations.first?.responses.first?.description == "Shared")
    #expect(api.files.map(\.path) == ["api.yaml", "ops/a.yaml", "common.yaml"])
  }

  @Test func `unquoted and lower-case status keys are read`() throws {
    let api = try ContractFixture(
      operation: "responses: {200: {description: A}, 4xx: {description: B}, x-note: 1, soon: {}}"
    ).api
    #expect(api.operations.first?.responses.map(\.status) == [.code(200), .range(4)])
  }

  @Test func `the last of two equal keys is read, as everywhere`() throws {
    let api = try ContractFixture(operation: "responses: {\"200\": {description: A}, \"200\": {description: B}}").api
    #expect(api.operations.first?.responses.map(\.description) == ["B"])
  }

  @Test func `encodings keep what a form property is sent as`() throws {
    let api = try ContractFixture(
      operation: """
        requestBody:
          content:
            multipart/form-data:
              encoding:
                a: {contentType: "image/png, image/jpeg", headers: {X-A: {}, Content-Type: {}}}
                b: {style: pipeDelimited}
        """
    ).api
    let encodings = try #require(api.operations.first?.requestBody?.content.first?.encodings)
    #expect(encodings.map(\.property) == ["a", "b"])
    #expect(encodings.first?.contentType == "image/png, image/jpeg")
    #expect(encodings.first?.headers.map(\.name) == ["X-A"])
    #expect(encodings.first?.explode == true)
    #expect(encodings.last?.style == .pipeDelimited)
    #expect(encodings.last?.explode == false)
  }
}

import Testing
import UnderstudyDiff
import UnderstudyTestSupport

/// Changes that users of other tools report as false alarms or as misses, by the number of their issue.
@Suite struct ComplaintTests {
  /// The rules and severities of the changes of a response body.
  static func response(
    _ old: String, _ new: String, components: (String, String) = ("", ""),
    versions: (String, String) = ("3.1.0", "3.1.0")
  ) throws -> [String] {
    func text(_ schema: String, _ components: String, _ version: String) -> String {
      """
      openapi: \(version)
      info: {title: Pets, version: "1"}
      paths:
        /pets: {get: {responses: {"200": {description: OK, content: {application/json: {schema: \(schema)}}}}}}
      components:
        schemas:
          Any: {}
      \(components)
      """
    }
    return try DiffRuleTests.changes(text(old, components.0, versions.0), text(new, components.1, versions.1)).map {
      "\($0.diagnostic.severity.rawValue) \($0.diagnostic.rule.id)"
    }
  }

  static func get(_ old: String, _ new: String) throws -> [String] {
    try DiffRuleTests.changes(Rule.pairText(old), Rule.pairText(new)).map {
      "\($0.diagnostic.severity.rawValue) \($0.diagnostic.rule.id)"
    }
  }

  private static let color = "    Color: {type: string, enum: [red, green]}"

  @Test(arguments: [
    "{anyOf: [{$ref: \"#/components/schemas/Color\"}, {type: \"null\"}]}",
    "{oneOf: [{type: \"null\"}, {$ref: \"#/components/schemas/Color\"}]}",
  ])
  func `oasdiff 1088 and 1091: a nullable wrapper adds null to an enum and removes no value`(_ wrapper: String) throws {
    let found = try Self.response(
      "{$ref: \"#/components/schemas/Color\"}", wrapper, components: (Self.color, Self.color))
    #expect(found == ["error diff.response.null"])
    #expect(
      try Self.response("{type: [string, \"null\"], enum: [red, green, null]}", wrapper, components: ("", Self.color))
        == [])
  }

  @Test func `oasdiff 930: an inline schema that becomes a reference is no change`() throws {
    let inline = "{type: object, properties: {color: {type: string, enum: [red, green]}}}"
    let reference = "{type: object, properties: {color: {$ref: \"#/components/schemas/Color\"}}}"
    #expect(try Self.response(inline, reference, components: ("", Self.color)) == [])
    #expect(try Self.response(reference, inline, components: (Self.color, "")) == [])
  }

  @Test func `qubership-apihub 531: nullable of 3.0 equals the list of types of 3.1`() throws {
    #expect(
      try Self.response(
        "{type: string, nullable: true}", "{type: [string, \"null\"]}", versions: ("3.0.3", "3.1.0")) == [])
  }

  @Test func `openapi-diff 198: a removed optional response property is a warning`() throws {
    #expect(
      try Self.response(
        "{type: object, properties: {a: {type: string}, b: {type: string}}}",
        "{type: object, properties: {a: {type: string}}}") == ["warning diff.response.property-undeclared"])
  }

  @Test func `oasdiff 549: a required parameter with a default has a rule of its own`() throws {
    let parameter = "parameters: [{name: n, in: query, required: true, schema: {type: integer, default: 1}}]"
    #expect(try Self.get("", parameter) == ["error diff.param.added-required-default"])
  }

  @Test func `openapi-diff 314: a changed branch of oneOf is found`() throws {
    let old = "{oneOf: [{type: string}, {type: object, required: [a], properties: {a: {type: integer}}}]}"
    let new = "{oneOf: [{type: string}, {type: object, required: [a], properties: {a: {type: boolean}}}]}"
    #expect(try Self.response(old, new).contains("error diff.response.type"))
  }

  @Test func `oasdiff 861: an enum in a deepObject parameter is found`() throws {
    func parameter(_ values: String) -> String {
      "parameters: [{name: f, in: query, style: deepObject, schema: {type: object, properties: {k: {enum: [\(values)]}}}}]"
    }
    #expect(try Self.get(parameter("a, b"), parameter("a")) == ["error diff.request.enum"])
  }

  @Test func `oasdiff 1090: a changed type is found`() throws {
    #expect(try Self.response("{type: string}", "{type: integer}").contains("error diff.response.type"))
  }

  @Test func `openapi-diff 365: a data envelope is found`() throws {
    let pet = "{type: object, required: [name], properties: {name: {type: string}}}"
    let found = try Self.response(pet, "{type: object, required: [data], properties: {data: \(pet)}}")
    #expect(found.contains("error diff.response.required"))
  }

  @Test func `a required property that is removed is one difference`() throws {
    let old = "{type: object, required: [owner], properties: {name: {type: string}, owner: {type: string}}}"
    let new = "{type: object, properties: {name: {type: string}}}"
    #expect(try Self.response(old, new) == ["error diff.response.required"])
  }

  @Test func `a query parameter that accepts any text accepts numbers as before`() throws {
    func parameter(_ type: String) -> String { "parameters: [{name: q, in: query, schema: {type: \(type)}}]" }
    #expect(try Self.get(parameter("integer"), parameter("string")).filter { $0.hasPrefix("error") } == [])
    #expect(try Self.get(parameter("string"), parameter("integer")).contains("error diff.request.type"))
  }

  @Test func `a further success is an error where statuses are meanings`() throws {
    func text(_ meaning: String, _ more: String) -> String {
      """
      openapi: 3.1.0
      info: {title: Pets, version: "1"}
      paths: {/pets: {get: {responses: {"200": {description: OK\(meaning)}\(more)}}}}
      """
    }
    let more = ", \"206\": {description: Part}"
    func severities(_ meaning: String) throws -> [String] {
      try DiffRuleTests.changes(text(meaning, ""), text(meaning, more)).map(\.diagnostic.severity.rawValue)
    }
    #expect(try severities(", x-meaning: found") == ["error"])
    #expect(try severities("") == ["warning"])
  }

  @Test func `a shared schema is one change with several uses`() throws {
    func text(_ limit: Int) -> String {
      """
      openapi: 3.1.0
      info: {title: Pets, version: "1"}
      paths:
        /a: {post: {requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/P"}}}}, responses: {}}}
        /b: {post: {requestBody: {content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/P"}}}}}, responses: {}}}
      components: {schemas: {P: {type: string, maxLength: \(limit)}}}
      """
    }
    let changes = try DiffRuleTests.changes(text(5), text(3))
    #expect(changes.map(\.diagnostic.rule.id) == ["diff.request.length"])
    #expect(changes.flatMap(\.others).map { "\($0.operation.path) \($0.place)" } == ["/b request body `/*`"])
  }

  @Test func `Swagger 2.0 and OpenAPI 3 of one API have no difference`() throws {
    let swagger = """
      swagger: "2.0"
      info: {title: Pets, version: "1"}
      host: example.com
      basePath: /v1
      schemes: [https]
      consumes: [application/json]
      produces: [application/json]
      security: [{key: []}]
      securityDefinitions: {key: {type: apiKey, name: X-Key, in: header}}
      paths:
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, type: integer, format: int64}]
          get:
            operationId: readPet
            parameters: [{name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}]
            responses: {200: {description: OK, schema: {$ref: "#/definitions/Pet"}, headers: {X-Rate: {type: integer}}}}
          put:
            parameters: [{name: pet, in: body, required: true, schema: {$ref: "#/definitions/Pet"}}]
            responses: {204: {description: Stored}}
          post:
            consumes: [application/x-www-form-urlencoded]
            parameters: [{name: name, in: formData, type: string, required: true}]
            responses: {201: {description: Made}}
      definitions: {Pet: {type: object, required: [name], properties: {name: {type: string}, born: {type: string, format: date}}}}
      """
    func modern(_ version: String) -> String {
      """
      openapi: \(version)
      info: {title: Pets, version: "1"}
      servers: [{url: "https://example.com/v1"}]
      security: [{key: []}]
      paths:
        /pets/{id}:
          parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
          get:
            operationId: readPet
            parameters: [{name: tags, in: query, schema: {type: array, items: {type: string}}}]
            responses:
              "200":
                description: OK
                headers: {X-Rate: {schema: {type: integer}}}
                content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
          put:
            requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
            responses: {"204": {description: Stored}}
          post:
            requestBody:
              required: true
              content:
                application/x-www-form-urlencoded:
                  schema: {type: object, required: [name], properties: {name: {type: string}}}
            responses: {"201": {description: Made}}
      components:
        securitySchemes: {key: {type: apiKey, name: X-Key, in: header}}
        schemas: {Pet: {type: object, required: [name], properties: {name: {type: string}, born: {type: string, format: date}}}}
      """
    }
    let texts = [swagger, modern("3.0.3"), modern("3.1.0")]
    for old in texts {
      for new in texts {
        #expect(
          try DiffRuleTests.changes(old, new).map(\.diagnostic.description) == [], "\(old.prefix(15)) \(new.prefix(15))"
        )
      }
    }
  }

  @Test func `a split contract and its bundle have no difference`() throws {
    func text(_ reference: String, _ components: String) -> String {
      """
      openapi: 3.1.0
      info: {title: Pets, version: "1"}
      paths: {/pets: {get: {responses: {"200": {description: OK, content: {application/json: {schema: {$ref: "\(reference)"}}}}}}}}
      \(components)
      """
    }
    let pet = "{type: object, properties: {name: {type: string}}}"
    let bundle = ContractFixture(text("#/components/schemas/Pet", "components: {schemas: {Pet: \(pet)}}"))
    let split = ContractFixture(text("pet.yaml", "x-none: 1"), files: ["pet.yaml": pet])
    #expect(ContractDiff(try bundle.api, try split.api).run().isEmpty)
    #expect(ContractDiff(try split.api, try bundle.api).run().isEmpty)
  }

  // MARK: - The other direction

  /// The rules and severities of the changes of a request body.
  private static func request(
    _ old: String, _ new: String, components: (String, String) = ("", ""),
    versions: (String, String) = ("3.1.0", "3.1.0")
  ) throws -> [String] {
    func text(_ schema: String, _ components: String, _ version: String) -> String {
      """
      openapi: \(version)
      info: {title: Pets, version: "1"}
      paths:
        /pets: {post: {requestBody: {content: {application/json: {schema: \(schema)}}}, responses: {"200": {description: OK}}}}
      components:
        schemas:
          Any: {}
      \(components)
      """
    }
    return try DiffRuleTests.changes(text(old, components.0, versions.0), text(new, components.1, versions.1)).map {
      "\($0.diagnostic.severity.rawValue) \($0.diagnostic.rule.id)"
    }
  }

  @Test func `oasdiff 1088: a request that also accepts null refuses no value of an enum`() throws {
    let wrapper = "{type: object, properties: {c: {oneOf: [{type: \"null\"}, {$ref: \"#/components/schemas/Color\"}]}}}"
    let plain = "{type: object, properties: {c: {$ref: \"#/components/schemas/Color\"}}}"
    #expect(try Self.request(plain, wrapper, components: (Self.color, Self.color)) == ["info diff.request.widened"])
    #expect(try Self.request(wrapper, plain, components: (Self.color, Self.color)) == ["error diff.request.null"])
  }

  @Test func `oasdiff 930: an inline request schema that becomes a reference is no change`() throws {
    let inline = "{type: array, items: {type: string, enum: [red, green]}}"
    let reference = "{type: array, items: {$ref: \"#/components/schemas/Color\"}}"
    #expect(try Self.request(inline, reference, components: ("", Self.color)) == [])
    #expect(try Self.request(reference, inline, components: (Self.color, "")) == [])
  }

  @Test func `oasdiff 549: a required property of a request with a default has a rule of its own`() throws {
    #expect(
      try Self.request(
        "{type: object, properties: {id: {type: string}}}",
        "{type: object, required: [n], properties: {id: {type: string}, n: {type: integer, default: 1}}}")
        == ["error diff.request.required-default"])
  }

  @Test func `openapi-diff 314: a removed branch of oneOf breaks requests, and an added one does not`() throws {
    func tagged(_ kinds: [String]) -> String {
      let branches = kinds.map { "{type: object, required: [kind], properties: {kind: {const: \($0)}}}" }
      return "{oneOf: [\(branches.joined(separator: ", "))]}"
    }
    #expect(try Self.request(tagged(["cat", "dog"]), tagged(["cat"])) == ["error diff.request.alternative"])
    #expect(
      try Self.request(tagged(["cat"]), tagged(["cat", "dog"])).filter { $0.hasPrefix("error") } == [])
  }

  @Test func `oasdiff 861: a response that loses a value of an enum is a note`() throws {
    let old = "{type: object, properties: {origin: {type: string, enum: [a, b]}}}"
    #expect(try Self.response(old, old.replacing("[a, b]", with: "[a]")) == ["info diff.response.narrowed"])
    #expect(try Self.response(old.replacing("[a, b]", with: "[a]"), old) == ["error diff.response.enum"])
  }

  @Test func `oasdiff 1090: a property of a component that turns from array to object is found`() throws {
    func component(_ type: String) -> String { "    Thing: {type: object, properties: {p: {type: \(type)}}}" }
    let reference = "{$ref: \"#/components/schemas/Thing\"}"
    let components = (component("array"), component("object"))
    #expect(try Self.request(reference, reference, components: components) == ["error diff.request.type"])
    #expect(try Self.response(reference, reference, components: components) == ["error diff.response.type"])
  }

  @Test(arguments: [
    ("{type: string, nullable: true}", "{type: [string, \"null\"]}"),
    (
      "{type: integer, nullable: true, minimum: 0, exclusiveMinimum: true}",
      "{type: [integer, \"null\"], exclusiveMinimum: 0}"
    ),
    ("{type: string, nullable: true, enum: [a, null]}", "{anyOf: [{type: string, enum: [a]}, {type: \"null\"}]}"),
  ])
  func `qubership-apihub 531: a schema of 3.0 equals its form of 3.1 in both directions`(
    _ old: String, _ new: String
  ) throws {
    #expect(try Self.request(old, new, versions: ("3.0.3", "3.1.0")) == [])
    #expect(try Self.request(new, old, versions: ("3.1.0", "3.0.3")) == [])
    #expect(try Self.response(old, new, versions: ("3.0.3", "3.1.0")) == [])
    #expect(try Self.response(new, old, versions: ("3.1.0", "3.0.3")) == [])
  }

  @Test func `openapi-diff 198: a removed optional response property of a component is a warning at most`() throws {
    let old = "    Thing: {type: object, required: [a], properties: {a: {type: string}, b: {type: string}}}"
    let new = "    Thing: {type: object, required: [a], properties: {a: {type: string}}}"
    let reference = "{type: array, items: {$ref: \"#/components/schemas/Thing\"}}"
    #expect(
      try Self.response(reference, reference, components: (old, new)) == ["warning diff.response.property-undeclared"])
  }

  @Test func `JSON and YAML of one contract have no difference`() throws {
    let yaml = """
      openapi: 3.1.0
      info: {title: Pets, version: "1"}
      paths:
        /pets/{id}:
          get:
            parameters: [{name: id, in: path, required: true, schema: {type: integer, maximum: 1e3}}]
            responses: {200: {description: OK, content: {application/json: {schema: {enum: [yes, "1", 1, null]}}}}}
      """
    let json = """
      {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {"/pets/{id}": {"get": {
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer", "maximum": 1000}}],
        "responses": {"200": {"description": "OK", "content": {"application/json": {
          "schema": {"enum": ["yes", "1", 1, null]}}}}}}}}}
      """
    #expect(try DiffRuleTests.changes(yaml, json).map(\.diagnostic.description) == [])
    #expect(try DiffRuleTests.changes(json, yaml).map(\.diagnostic.description) == [])
  }
}

extension Rule {
  /// A contract with `GET /pets` and these lines beside its response.
  static func pairText(_ lines: String) -> String {
    """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets:
        get:
          responses: {"200": {description: OK}}
          \(lines)
    """
  }
}

import Testing
import UnderstudyContract
import UnderstudyTestSupport

/// One API, written three times: everything that a server or client can notice must be read alike.
@Suite struct VersionTwinTests {
  private static let swagger2 = """
    swagger: "2.0"
    info: {title: Pets, version: "1"}
    host: example.com
    basePath: /v1
    schemes: [https]
    consumes: [application/json]
    produces: [application/json]
    security: [{key: []}]
    securityDefinitions:
      key: {type: apiKey, name: X-Key, in: header}
      login: {type: basic}
    paths:
      /pets/{id}:
        parameters: [{name: id, in: path, required: true, type: integer}]
        get:
          operationId: readPet
          deprecated: true
          parameters: [{name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}]
          responses:
            200: {$ref: "#/responses/Pet"}
            default: {description: Something else}
        put:
          security: []
          parameters: [{name: pet, in: body, required: true, schema: {$ref: "#/definitions/Pet"}}]
          responses: {204: {description: Stored}}
        post:
          consumes: [application/x-www-form-urlencoded]
          parameters: [{name: name, in: formData, type: string, required: true}]
          responses: {201: {description: Made}}
    definitions: {Pet: {type: object}}
    responses:
      Pet:
        description: A pet
        schema: {$ref: "#/definitions/Pet"}
        examples: {application/json: {name: Tom}}
        headers: {X-Rate: {type: integer}}
    """

  private static func openAPI3(_ version: String) -> String {
    """
    openapi: \(version)
    info: {title: Pets, version: "1"}
    servers: [{url: "https://example.com/v1"}]
    security: [{key: []}]
    paths:
      /pets/{id}:
        parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
        get:
          operationId: readPet
          deprecated: true
          parameters: [{name: tags, in: query, schema: {type: array, items: {type: string}}}]
          responses:
            "200": {$ref: "#/components/responses/Pet"}
            default: {description: Something else}
        put:
          security: []
          requestBody:
            required: true
            content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
          responses: {"204": {description: Stored}}
        post:
          requestBody:
            required: true
            content:
              application/x-www-form-urlencoded:
                schema: {type: object, required: [name], properties: {name: {type: string}}}
          responses: {"201": {description: Made}}
    components:
      securitySchemes:
        key: {type: apiKey, name: X-Key, in: header}
        login: {type: http, scheme: basic}
      schemas: {Pet: {type: object}}
      responses:
        Pet:
          description: A pet
          content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}, example: {name: Tom}}}
          headers: {X-Rate: {schema: {type: integer}}}
    """
  }

  /// What can be noticed, a line a thing.
  private func outline(_ api: API) -> [String] {
    var lines = ["\(api.title) \(api.version) \(api.servers.map(\.url))"]
    lines += api.securitySchemes.map { "\($0.name) \($0.kind)" }
    for operation in api.operations {
      lines.append(
        "\(operation.id) \(operation.method) \(operation.path) \(operation.isDeprecated) "
          + "\(operation.security.map { $0.schemes.map(\.name) }) \(operation.servers.map(\.url))")
      for parameter in operation.parameters {
        lines.append(
          "  \(parameter.name) \(parameter.location) \(parameter.isRequired) \(parameter.style) \(parameter.explode) "
            + "\(parameter.schema?["type"]?.string ?? "")")
      }
      if let body = operation.requestBody {
        lines.append("  body \(body.isRequired) \(body.content.map(describe))")
      }
      for response in operation.responses {
        lines.append(
          "  \(response.status) \(response.meaning) \(response.description) \(response.content.map(describe)) "
            + "\(response.headers.map { "\($0.name) \($0.isRequired) \($0.schema?["type"]?.string ?? "")" })")
      }
    }
    return lines
  }

  private func describe(_ mediaType: MediaTypeObject) -> String {
    let properties = mediaType.schema?["properties"].map { JSONWriter.text($0) } ?? ""
    return "\(mediaType.range) \(mediaType.examples.count) \(mediaType.schema?.reference != nil) \(properties)"
  }

  @Test(arguments: ["3.0.3", "3.1.0", "3.2.0"])
  func `the same API in another version is the same model`(_ version: String) throws {
    let old = try ContractFixture(Self.swagger2).api
    let new = try ContractFixture(Self.openAPI3(version)).api
    #expect(old.diagnostics.map(\.message) == [])
    #expect(new.diagnostics.map(\.message) == [])
    #expect(outline(old) == outline(new))
    #expect(Linter.lint(old).map(\.message) == [])
    #expect(Linter.lint(new).map(\.message) == [])
  }
}

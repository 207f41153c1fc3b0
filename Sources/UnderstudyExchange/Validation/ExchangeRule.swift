extension Rule {
  /// A rule about requests, with exchanges under `exampleContract`: some break the rule, each with the pointers that are
  /// reported, the others keep it.
  ///
  /// An exchange is `POST /pets`, header lines, an empty line and a body; behind ` -> ` an answer in the same form.
  static func ofRequest(
    _ id: String, _ severity: Severity, _ summary: String, help: String, breaking: KeyValuePairs<String, String>,
    keeping: [String]
  ) -> Rule {
    Rule(id, severity, owner: .client, summary, help: help, exchanges: exchanges(breaking, keeping))
  }

  /// The same for a rule about answers.
  static func ofResponse(
    _ id: String, _ severity: Severity, _ summary: String, help: String, breaking: KeyValuePairs<String, String> = [:],
    keeping: [String] = []
  ) -> Rule {
    Rule(id, severity, owner: .provider, summary, help: help, exchanges: exchanges(breaking, keeping))
  }

  private static func exchanges(_ breaking: KeyValuePairs<String, String>, _ keeping: [String]) -> [ExchangeExample] {
    (Array(breaking) + keeping.map { ($0, "") }).map { text, pointers in
      let sides = text.split(separator: " -> ", maxSplits: 1)
      return ExchangeExample(
        String(sides[0]), sides.count > 1 ? String(sides[1]) : "", at: pointers.split(separator: " ").map(String.init))
    }
  }

  static func post(_ body: String) -> String { "POST /pets\nContent-Type: application/json\n\n\(body)" }

  static func pet(_ body: String) -> String { "GET /pets/7 -> \(ok(body))" }
  static func pets(_ body: String) -> String { "GET /pets -> \(ok(body))" }
  private static func ok(_ body: String) -> String { "200\nContent-Type: application/json\nX-Total: 1\n\n\(body)" }

  package static let exampleContract = """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    servers: [{url: "https://pets.example"}]
    paths:
      /pets:
        get:
          parameters:
            - {name: limit, in: query, schema: {type: integer, maximum: 100}}
            - {name: tags, in: query, schema: {type: array, items: {type: integer}}}
            - {name: page, in: query, deprecated: true, schema: {type: integer}}
          responses:
            "200":
              description: All pets
              headers:
                X-Total: {required: true, schema: {type: integer}}
              content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
        post:
          requestBody:
            required: true
            content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
          responses:
            "201": {description: Created}
            4XX: {description: Refused}
      /pets/{id}:
        get:
          security: [{token: []}]
          parameters:
            - {name: id, in: path, required: true, schema: {type: integer}}
            - {name: X-Trace, in: header, required: true, schema: {type: string}}
          responses:
            "200": {description: The pet, content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}}
            "401": {description: Unauthorized}
        delete:
          deprecated: true
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses: {"204": {description: Deleted}}
    components:
      securitySchemes:
        token: {type: http, scheme: bearer}
        key: {type: apiKey, in: query, name: key}
      schemas:
        Pet:
          type: object
          required: [name]
          properties:
            name: {type: string}
            id: {type: integer, readOnly: true}
            secret: {type: string, writeOnly: true}
            nick: {type: string, deprecated: true}
            born: {type: string, format: date-time}
            owner:
              anyOf: [{$ref: "#/components/schemas/Person"}]
              discriminator: {propertyName: kind}
        Person: {type: object, required: [kind], properties: {kind: {type: string}}}
    """
}

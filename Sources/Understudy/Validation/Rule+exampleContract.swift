extension Rule {
  /// The contract that validates the exchanges of the rules.
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
            "401": {description: Who are you?}
        delete:
          deprecated: true
          parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
          responses: {"204": {description: Gone}}
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
            owner:
              anyOf: [{$ref: "#/components/schemas/Person"}]
              discriminator: {propertyName: kind}
        Person: {type: object, required: [kind], properties: {kind: {type: string}}}
    """
}

/// Contracts for verifying.
enum VerifiedContract {
  /// `GET /pets/{id}` with an object of three properties, and a 404.
  static func pet(_ schema: String = petSchema) -> String {
    """
    openapi: 3.1.0
    info: {title: Pets, version: "1"}
    paths:
      /pets/{id}:
        get:
          operationId: readPet
          parameters:
            - {name: id, in: path, required: true, schema: {type: integer, minimum: 1}}
            - {name: kind, in: query, schema: {type: string, enum: [cat, dog]}}
            - {name: X-Trace, in: header, required: true, schema: {type: string}}
          responses:
            "200":
              description: The pet.
              headers: {X-Total: {schema: {type: integer}}}
              content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
            4XX:
              description: No.
              content: {application/json: {schema: {type: object, required: [title]}}}
    components:
      schemas:
        Pet: \(schema)

    """
  }

  static let petSchema =
    "{type: object, required: [id, name], properties: {id: {type: integer}, name: {type: string}, "
    + "born: {type: string, format: date-time}, secret: {type: string, writeOnly: true}}}"
}

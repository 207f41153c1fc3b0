/// A contract small enough to show whole outputs of.
enum Shop {
  static let contract = """
    openapi: 3.1.0
    info: {title: Shop, version: "1"}
    paths:
      /pets/{id}:
        get:
          operationId: readPet
          parameters:
            - {name: id, in: path, required: true, schema: {type: integer}}
          responses:
            "200":
              x-meaning: found
              description: One pet.
              content:
                application/json:
                  schema: {type: object, required: [name], properties: {name: {type: string}}}
                  examples:
                    cat: {value: {name: Tom}}
            "404": {description: No such pet.}

    """

  static let files = ["shop.yaml": contract]

  /// The contract, with a reference in place of its schema.
  static func referring(to reference: String) -> String {
    contract.replacing(
      "{type: object, required: [name], properties: {name: {type: string}}}", with: "{$ref: \"\(reference)\"}")
  }
}

/// Printed text without parts that differ from run to run.
func steady(_ text: String) -> String {
  text.replacing(/http:\/\/127\.0\.0\.1:\d+/, with: "URL").replacing(/\d+(\.\d)? ms/, with: "N ms")
    .replacing(/\d\d:\d\d:\d\d/, with: "TIME")
}

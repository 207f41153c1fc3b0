/// What the readers themselves complain about.
extension Rule {
  package static let specUnparsable = Rule(
    "spec.unparsable", .error, owner: .contract, "The document cannot be read as a contract",
    help: """
      It is neither JSON nor YAML, or it names no version that is known. Known are `swagger: "2.0"` and `openapi: 3.0.x`, \
      `3.1.x`, `3.2.x`.
      """)

  package static let specInfoMissing = Rule(
    "spec.info.missing", .warning, owner: .contract, "`info`, its title or its version is missing",
    help: """
      Every version of the specification requires `info` with `title` and `version`. Nothing here depends on them, so the \
      contract is used all the same.
      """,
    examples: [
      Example(
        """
        ↓openapi: 3.0.3
        paths: {}
        """),
      Example(
        """
        openapi: 3.0.3
        info: ↓{title: Pets}
        paths: {}
        """),
    ])

  package static let specFieldMissing = Rule(
    "spec.field.missing", .error, owner: .contract, "A part lacks a field that it cannot do without",
    help: "A parameter without `name` or `in`, a server without `url` and the like mean nothing: the part is left out.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              parameters:
                - ↓in: query
                  schema: {type: string}
              responses: {"200": {description: OK}}
        """)
    ])

  package static let specType = Rule(
    "spec.type", .error, owner: .contract, "A part is of another type than the specification says",
    help: "The part is left out; the rest of the contract is used. `required` takes `true`, not `\"true\"`.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              deprecated: ↓"true"
              responses: {"200": {description: OK}}
        """)
    ])

  package static let specPathInvalid = Rule(
    "spec.path.invalid", .error, owner: .contract, "A path does not start with a slash",
    help: "Paths are appended to the server's URL and start with `/` (OAS 3.1, 4.8.8). Such a path is left out.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          ↓pets:
            get:
              responses: {"200": {description: OK}}
        """)
    ])

  package static let specPathMethod = Rule(
    "spec.path.method", .warning, owner: .contract, "A path item holds a key that is no method",
    help: "Methods are written in lower case. `trace` came with 3.0, `query` and `additionalOperations` with 3.2.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            ↓GET:
              responses: {"200": {description: OK}}
        """)
    ])

  package static let specOperationIdDuplicate = Rule(
    "spec.operation.id-duplicate", .error, owner: .contract, "Two operations have the same `operationId`",
    help: """
      The id must be unique among all operations (OAS 3.1, 4.8.10). The second one can only be named by its method and path.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              operationId: listPets
              responses: {"200": {description: OK}}
            head:
              operationId: ↓listPets
              responses: {"200": {description: OK}}
        """)
    ])

  package static let specRefExternal = Rule(
    "spec.ref.external", .error, owner: .contract, "A reference leads to another machine while fetching is off",
    help: """
      A contract must not make this program speak to other machines unasked. Copy the document beside the contract, and \
      refer to the copy.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              responses:
                "200": {$ref: ↓"https://example.com/common.yaml#/responses/OK"}
        """)
    ])
}

extension Rule {
  /// All rules about contracts; those with a check of their own are in `LintRule.all`.
  package static let spec: [Rule] =
    [
      specUnparsable, specInfoMissing, specFieldMissing, specType, specRefExternal, specPathInvalid, specPathMethod,
      specOperationIdDuplicate,
    ] + LintRule.all.map(\.rule).filter { $0.id.hasPrefix("spec.") && !schema.contains($0) }

  package static let specUnparsable = contract(
    "spec.unparsable", .error, "The document cannot be read as a contract",
    help: """
      It is neither JSON nor YAML, or its version is unknown. Known versions are `swagger: "2.0"` and `openapi: 3.0.x`, \
      `3.1.x`, `3.2.x`.
      """)

  static let specInfoMissing = contract(
    "spec.info.missing", .warning, "`info`, its title or its version is missing",
    help:
      "Every version of the specification requires `info` with `title` and `version`. Understudy uses the contract anyway.",
    Example("↓openapi: 3.0.3\npaths: {}"), Example("openapi: 3.0.3\ninfo: ↓{title: Pets}\npaths: {}"))

  static let specFieldMissing = contract(
    "spec.field.missing", .error, "An object lacks a required field",
    help: "Objects such as a parameter without `name` or `in` or a server without `url` are ignored.",
    .parameters("- ↓in: query\n  schema: {type: string}"))

  static let specType = contract(
    "spec.type", .error, "A value has another type than the specification requires",
    help: "The value is ignored; the rest of the contract is used. `required` takes `true`, not `\"true\"`.",
    .paths("/pets: {get: {deprecated: ↓\"true\", responses: {\"200\": {description: OK}}}}"))

  static let specPathInvalid = contract(
    "spec.path.invalid", .error, "A path does not start with a slash",
    help: "Paths are appended to the server's URL and start with `/` (OAS 3.1, 4.8.8). Other paths are ignored.",
    .paths("↓pets: {get: {responses: {\"200\": {description: OK}}}}"))

  static let specPathMethod = contract(
    "spec.path.method", .warning, "A key of a path item is not a method",
    help: "Methods are lower case. `trace` came with 3.0, `query` and `additionalOperations` with 3.2.",
    .paths("/pets: {↓GET: {responses: {\"200\": {description: OK}}}}"))

  static let specOperationIdDuplicate = contract(
    "spec.operation.id-duplicate", .error, "Two operations have the same `operationId`",
    help:
      "The id must be unique among all operations (OAS 3.1, 4.8.10). The second is known by its method and path only.",
    .paths(
      """
      /pets:
        get: {operationId: listPets, responses: {"200": {description: OK}}}
        head: {operationId: ↓listPets, responses: {"200": {description: OK}}}
      """))

  static let specRefExternal = contract(
    "spec.ref.external", .error, "A reference points to another machine while fetching is off",
    help: """
      A contract must not make this program contact other machines. Copy the document next to the contract, and refer to \
      the copy.
      """,
    .responses("\"200\": {$ref: ↓\"https://example.com/common.yaml#/responses/OK\"}"))

  private static func contract(
    _ id: String, _ severity: Severity, _ summary: String, help: String, _ examples: Example...
  ) -> Rule {
    Rule(id, severity, owner: .contract, summary, help: help, examples: examples)
  }
}

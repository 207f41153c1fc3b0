extension Rule {
  package static let schema: [Rule] = [
    unresolvedSchemaReference, schemaReferenceLoop, unknownDialect, invalidPattern, patternTooLarge, wrongKeywordValue,
    schemaTooLarge, unassertedContent,
  ]

  package static let unresolvedSchemaReference = Rule(
    "spec.schema.ref", .error, owner: .contract,
    "A `$ref` of a schema leads nowhere, or to a value that is not a schema",
    help: """
      The value of `$ref` is a URI reference, which is resolved against the base URI of its schema. Without the
      target, values at this place are not validated. (JSON Schema Core 2020-12, 8.2.3)
      """)

  package static let schemaReferenceLoop = Rule(
    "spec.schema.ref.loop", .error, owner: .contract, "A schema refers to itself without going deeper into the value",
    help: """
      A recursive schema must go deeper into the value before it refers to itself, by keywords such as `properties`
      and `items`. Otherwise its evaluation never ends. (JSON Schema Core 2020-12, 9.4.1)
      """)

  package static let unknownDialect = Rule(
    "spec.schema.dialect", .error, owner: .contract, "A schema has an unknown dialect",
    help: """
      `$schema` and `jsonSchemaDialect` define the meaning of the keywords. With an unknown dialect, or one that
      requires an unknown vocabulary, values at this place are not validated. (JSON Schema Core 2020-12, 8.1)
      """)

  package static let invalidPattern = Rule(
    "spec.schema.pattern.invalid", .error, owner: .contract, "A pattern is not a regular expression of ECMA-262",
    help: """
      `pattern` and the names in `patternProperties` are regular expressions of ECMA-262 with the flag `u`. Inline
      flags, possessive quantifiers, `\\A` and `\\Z` belong to other languages. (JSON Schema Core 2020-12, 6.4)
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          schemas:
            A: {type: string, pattern: ↓"^(a"}
            B: {type: string, pattern: "^a$"}
        """)
    ])

  package static let patternTooLarge = Rule(
    "spec.schema.pattern.too-large", .warning, owner: .contract, "A pattern is valid but not supported",
    help: """
      The regular expression engine allows at most 65535 repetitions and about 64 KiB of compiled code, needs
      lookbehinds of a bounded length, and does not clear the groups of a repetition as ECMA-262 does. Values that
      need such a pattern are not validated. To limit the length of a string, use `maxLength`.
      """)

  package static let wrongKeywordValue = Rule(
    "spec.schema.keyword", .warning, owner: .contract, "A keyword has a value of the wrong type, so it is ignored",
    help: """
      Each keyword has its type of value: `required` a list of names, `minLength` a whole number that is not negative.
      A keyword with any other value is ignored.
      """)

  package static let schemaTooLarge = Rule(
    "spec.schema.too-large", .error, owner: .contract, "A schema is too large to compile",
    help: """
      A schema is compiled with all schemas that it refers to, up to a limit that known contracts do not reach. Values
      that need a schema beyond the limit are not validated.
      """)

  package static let unassertedContent = Rule(
    "spec.schema.content", .warning, owner: .contract, "The declared content of a string cannot be checked",
    help: """
      With `--content-assertion`, strings are checked by `contentEncoding` for base64, base32 and base16, by
      `contentMediaType` for JSON, and by the `contentSchema` of such JSON. Other encodings and media types are not
      checked. (JSON Schema Validation 2020-12, 8)
      """)
}

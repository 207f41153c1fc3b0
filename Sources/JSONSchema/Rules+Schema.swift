extension Rule {
  package static let schema: [Rule] = [
    unresolvedSchemaReference, schemaReferenceLoop, unknownDialect, invalidPattern, patternTooLarge, wrongKeywordValue,
    schemaTooLarge, unassertedContent,
  ]

  package static let unresolvedSchemaReference = Rule(
    "spec.schema.ref", .error, owner: .contract, "A `$ref` of a schema leads nowhere, or to no schema",
    help: """
      The value of `$ref` is a URI reference, resolved against the base URI of the schema it stands in. Nothing can be
      validated by a schema that is not there, so no value at this place is: it is not validated. The same holds where there is
      something else than a schema. (JSON Schema Core 2020-12, 8.2.3)
      """)

  package static let schemaReferenceLoop = Rule(
    "spec.schema.ref.loop", .error, owner: .contract, "A schema refers to itself without going deeper into the value",
    help: """
      A recursive schema must consume a level of the value between two turns: through `properties`, `items` and the
      like. One that refers to itself in place says nothing and never ends. (JSON Schema Core 2020-12, 9.4.1)
      """)

  package static let unknownDialect = Rule(
    "spec.schema.dialect", .error, owner: .contract, "A schema is written in a dialect that is not known",
    help: """
      `$schema` and `jsonSchemaDialect` name the rules that a schema is read by. A schema in an unknown dialect, or one
      that demands an unknown vocabulary, is not followed: no value at this place is validated.
      (JSON Schema Core 2020-12, 8.1)
      """)

  package static let invalidPattern = Rule(
    "spec.schema.pattern.invalid", .error, owner: .contract, "A pattern is not a regular expression of ECMA-262",
    help: """
      `pattern` and the names in `patternProperties` are regular expressions of ECMA-262 with the flag `u`. Inline flags,
      possessive quantifiers, `\\A` and `\\Z` belong to other languages. (JSON Schema Core 2020-12, 6.4)
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
    "spec.schema.pattern.too-large", .warning, owner: .contract, "A pattern is valid, but cannot be run here",
    help: """
      The engine of regular expressions repeats nothing more than 65535 times, compiles no more than some 64 KiB and wants
      to know how far a lookbehind can reach; and unlike ECMA-262 it remembers what a group found in an earlier turn of a
      repetition, so a reference to a group that a turn may leave out cannot be followed. The pattern may be right all the same, so nothing is said about a value that
      needs it: it is not validated. For the length of a string write `maxLength`.
      """)

  package static let wrongKeywordValue = Rule(
    "spec.schema.keyword", .warning, owner: .contract, "A keyword has a value of the wrong type, so it is ignored",
    help: """
      Each keyword allows certain values only: `required` is a list of names, `minLength` a whole number that is not
      negative. A keyword with another value has no meaning.
      """)

  package static let schemaTooLarge = Rule(
    "spec.schema.too-large", .error, owner: .contract, "A schema stands for more rules than can be held",
    help: """
      All that a schema refers to is compiled with it. Beyond a limit that is far above that of any known contract nothing
      more is taken in, and values that need it are not validated.
      """)

  package static let unassertedContent = Rule(
    "spec.schema.content", .warning, owner: .contract, "What a string holds is promised, but cannot be checked",
    help: """
      With `--content-assertion` strings are held to `contentEncoding` base64, base32 and base16, to `contentMediaType` of
      JSON, and to the `contentSchema` of such JSON. Any other encoding or media type passes unchecked.
      (JSON Schema Validation 2020-12, 8)
      """)
}

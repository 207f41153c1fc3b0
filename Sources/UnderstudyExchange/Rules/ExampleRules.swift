extension Rule {
  package static let example: [Rule] = [LintRule.exampleExternal.rule, exampleSchema, examplePairUnmatched]

  package static let exampleSchema = Rule(
    "example.schema", .warning, owner: .contract, "An example or a default does not fit its schema",
    help: """
      Examples should fit their schema (OAS 3.1, 4.8.15): people copy them, and mocks send them. The \
      examples of a parameter or header may be its value or the text on the wire; one of the two must fit. A request \
      example that shares its name with an example of a 4xx answer is meant to be refused, and is not validated.
      """)

  package static let examplePairUnmatched = Rule(
    "example.pair.unmatched", .warning, owner: .contract,
    "A request example has no response example of the same name, or the reverse",
    help: """
      Reported only in operations where most names of request examples are also those of response examples. Add an example \
      of that name to the other side.
      """)
}

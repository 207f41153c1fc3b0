extension Rule {
  /// What can be wrong with the examples in a contract.
  package static let example: [Rule] = [LintRule.exampleExternal.rule, exampleSchema, examplePairUnmatched]

  package static let exampleSchema = Rule(
    "example.schema", .warning, owner: .contract, "An example or a default does not fit its schema",
    help: """
      Examples should match the schema they stand beside (OAS 3.1, 4.8.15): people copy them, and mocks send them. The \
      examples of a parameter or header may be its value or the text on the wire; one of the two must fit. A request \
      example that shares its name with an example of a 4xx answer is meant to be refused, and is not validated.
      """)

  package static let examplePairUnmatched = Rule(
    "example.pair.unmatched", .warning, owner: .contract,
    "An example of the request has no example of an answer by its name, or the other way round",
    help: """
      Told only in operations where most names of request examples stand at an answer too, so that names pair what is sent \
      with what comes back. Give the missing side an example of that name.
      """)
}

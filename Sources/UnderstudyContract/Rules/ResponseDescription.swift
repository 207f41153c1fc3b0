extension LintRule {
  static let responseDescription = LintRule(
    "spec.response.description", .error, "A response has no description",
    help: """
      Until 3.1 every response requires a `description` (OAS 3.1, 4.8.17); 3.2 made it optional. Understudy uses the response, \
      but other tools reject the contract.
      """,
    .contract(
      in: .openAPI31,
      """
      paths:
        /pets:
          get:
            responses:
              "200": {description: OK}
              "204": {description: ""}
              "404": ↓{content: {text/plain: {}}}
              "410": {$ref: "#/components/responses/Gone"}
      components: {responses: {Gone: ↓{headers: {}}}}
      """),
    .responses(in: .swagger2, "200: ↓{schema: {}}"),
    .responses(in: .openAPI32, "\"200\": {summary: OK}")
  ) { subject, rule in
    guard subject.specification < .openAPI32 else { return [] }
    return subject.all(.response).filter { $0["description"] == nil }.map { response in
      Diagnostic(rule, "the response has no `description`", at: Location(start: response))
    }
  }
}

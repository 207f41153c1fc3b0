extension Rule {
  package static let specResponseDescription = Rule(
    "spec.response.description", .error, owner: .contract, "A response without a description",
    help: """
      Until 3.1 every response needs a `description` (OAS 3.1, 4.8.17); 3.2 made it optional. The response is used all the \
      same, but other tools refuse the contract.
      """,
    examples: [
      Example(
        """
        openapi: 3.1.0
        info: {title: Pets, version: "1"}
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
      Example(
        """
        swagger: "2.0"
        info: {title: Pets, version: "1"}
        paths: {/pets: {get: {responses: {200: ↓{schema: {}}}}}}
        """),
      Example(
        """
        openapi: 3.2.0
        info: {title: Pets, version: "1"}
        paths: {/pets: {get: {responses: {"200": {summary: OK}}}}}
        """),
    ])
}

extension LintRule {
  static let responseDescription = LintRule(.specResponseDescription) { subject in
    guard subject.specification < .openAPI32 else { return [] }
    return subject.all(.response).filter { $0["description"] == nil }.map { response in
      Diagnostic(.specResponseDescription, "the response has no `description`", at: Location(start: response))
    }
  }
}

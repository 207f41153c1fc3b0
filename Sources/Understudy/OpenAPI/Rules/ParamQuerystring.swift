extension Rule {
  package static let specParamQuerystring = Rule(
    "spec.param.querystring", .error, owner: .contract, "A whole query string beside another reader of the query",
    help: """
      A parameter `in: querystring` takes the query as one value: there is at most one, and none `in: query` beside it, in \
      the operation and its path together (OAS 3.2, 4.12.1).
      """,
    examples: [
      Example(
        """
        openapi: 3.2.0
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            parameters: [{name: limit, in: query, schema: {}}]
            get:
              parameters: [{name: filter, in: ↓querystring, content: {application/json: {}}}]
              responses: {"200": {description: OK}}
          /toys:
            get:
              parameters:
                - {name: a, in: querystring, content: {application/json: {}}}
                - {name: b, in: ↓querystring, content: {application/json: {}}}
                - {name: c, in: header, schema: {}}
              responses: {"200": {description: OK}}
            put:
              parameters: [{name: a, in: querystring, content: {application/json: {}}}]
              responses: {"200": {description: OK}}
        """)
    ])
}

extension LintRule {
  static let paramQuerystring = LintRule(.specParamQuerystring) { subject in
    (subject.api.operations + subject.api.webhooks).flatMap { operation -> [Diagnostic] in
      let whole = operation.parameters.filter { $0.location == .querystring }
      guard let first = whole.first else { return [] }
      func finding(_ message: String, _ parameter: Parameter, _ other: Parameter) -> Diagnostic {
        Diagnostic(
          .specParamQuerystring, "\(operation.method) \(operation.path) \(message)",
          at: parameter.node["in"] ?? parameter.node,
          notes: [Diagnostic.Note("the other", at: Location(start: other.node))])
      }
      var findings = whole.dropFirst().map { finding("has a second query string, `\($0.name)`", $0, first) }
      if let other = operation.parameters.first(where: { $0.location == .query }) {
        findings.append(finding("takes the query as a whole and has the query parameter `\(other.name)`", first, other))
      }
      return findings
    }
  }
}

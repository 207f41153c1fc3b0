extension LintRule {
  static let paramQuerystring = LintRule(
    "spec.param.querystring", .error, "A `querystring` parameter is combined with another parameter of the query",
    help: """
      A parameter `in: querystring` takes the whole query as one value. An operation and its path together have at most one, \
      and none `in: query` beside it (OAS 3.2, 4.12.1).
      """,
    .paths(
      in: .openAPI32,
      """
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
  ) { subject, rule in
    (subject.api.operations + subject.api.webhooks).flatMap { operation -> [Diagnostic] in
      let whole = operation.parameters.filter { $0.location == .querystring }
      guard let first = whole.first else { return [] }
      func finding(_ message: String, _ parameter: Parameter, _ other: Parameter) -> Diagnostic {
        Diagnostic(
          rule, "\(operation.method) \(operation.path) \(message)", at: parameter.node["in"] ?? parameter.node,
          notes: [Diagnostic.Note("the other", at: Location(start: other.node))])
      }
      var findings = whole.dropFirst().map { finding("has a second query string, `\($0.name)`", $0, first) }
      if let other = operation.parameters.first(where: { $0.location == .query }) {
        findings.append(finding("takes the whole query and has the query parameter `\(other.name)`", first, other))
      }
      return findings
    }
  }
}

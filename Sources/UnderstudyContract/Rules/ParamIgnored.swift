extension LintRule {
  static let paramIgnored = LintRule(
    "spec.param.ignored", .warning, "A header parameter has a name that the specification ignores",
    help: """
      Header parameters named `Accept`, `Content-Type` or `Authorization` are ignored (OAS 3.1, 4.8.12): the keys of \
      `content` and the security schemes describe them.
      """,
    .parameters(
      """
      - {name: ↓authorization, in: header, schema: {type: string}}
      - {name: accept, in: query, schema: {type: string}}
      """),
    .parameters(in: .swagger2, "- {name: Authorization, in: header, type: string}")
  ) { subject, rule in
    if subject.specification == .swagger2 { return [] }
    let instead = [
      "accept": "the keys of a response's `content` list the accepted media types",
      "content-type": "the keys of the request body's `content` list the media types",
      "authorization": "describe it as a security scheme",
    ]
    return subject.all(.parameter).compactMap { node in
      guard node["in"]?.isString("header") == true, let name = node["name"], name.isString,
        let help = instead[name.text.lowercased()]
      else { return nil }
      return Diagnostic(rule, "the header parameter `\(name.text)` is ignored", at: name, help: help)
    }
  }
}

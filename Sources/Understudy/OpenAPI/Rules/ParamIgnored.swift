extension Rule {
  package static let specParamIgnored = Rule(
    "spec.param.ignored", .warning, owner: .contract, "A header parameter has a name that is ignored",
    help: """
      Header parameters named `Accept`, `Content-Type` or `Authorization` are ignored (OAS 3.1, 4.8.12): the keys of \
      `content` and the security schemes describe them.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              parameters:
                - {name: ↓authorization, in: header, schema: {type: string}}
                - {name: accept, in: query, schema: {type: string}}
              responses: {"200": {description: OK}}
        """),
      Example(
        """
        swagger: "2.0"
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              parameters: [{name: Authorization, in: header, type: string}]
              responses: {"200": {description: OK}}
        """),
    ])
}

extension LintRule {
  static let paramIgnored = LintRule(.specParamIgnored) { subject in
    if subject.specification == .swagger2 { return [] }
    let instead = [
      "accept": "the keys of a response's `content` say what may be asked for",
      "content-type": "the keys of the request body's `content` say what may be sent",
      "authorization": "describe it as a security scheme",
    ]
    return subject.all(.parameter).compactMap { node in
      guard node["in"]?.isString("header") == true, let name = node["name"], name.isString,
        let help = instead[name.text.lowercased()]
      else { return nil }
      return Diagnostic(.specParamIgnored, "the header parameter `\(name.text)` is ignored", at: name, help: help)
    }
  }
}

extension Rule {
  package static let specResponseNone = Rule(
    "spec.response.none", .warning, owner: .contract, "An operation without a response, or with `default` alone",
    help: """
      `responses` must name at least one, and should name the one of a successful call (OAS 3.1, 4.8.16). `default` alone \
      does not say what success looks like.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            ↓get: {summary: List}
            put:
              ↓responses: {}
            post:
              ↓responses: {default: {description: Whatever}}
            delete:
              responses: {"204": {description: Gone}}
        """)
    ])
}

extension LintRule {
  static let responseNone = LintRule(.specResponseNone) { subject in
    (subject.api.operations + subject.api.webhooks).compactMap { operation in
      let responses = operation.node["responses"]
      let names = responses.flatMap { subject.resolve($0) }?.members.filter { !$0.key.isExtensionKey }.map(\.name) ?? []
      guard names.allSatisfy({ $0 == "default" }) else { return nil }
      let message = names.isEmpty ? "has no response" : "has no response but `default`"
      let place = operation.node.key("responses") ?? operation.pathNode.key(operation.method.lowercased())
      return Diagnostic(
        .specResponseNone, "\(operation.method) \(operation.path) \(message)", at: place ?? operation.node,
        help: "name the status of a successful call")
    }
  }
}

extension LintRule {
  static let responseNone = LintRule(
    "spec.response.none", .warning, "An operation has no response but `default`",
    help: """
      `responses` must have at least one member, and should have that of a successful call (OAS 3.1, 4.8.16). `default` alone \
      does not describe success.
      """,
    .paths(
      """
      /pets:
        ↓get: {summary: List}
        put:
          ↓responses: {}
        post:
          ↓responses: {default: {description: Any}}
        delete:
          responses: {"204": {description: Gone}}
      """)
  ) { subject, rule in
    (subject.api.operations + subject.api.webhooks).compactMap { operation in
      let responses = operation.node["responses"]
      let names = responses.flatMap { subject.resolve($0) }?.members.filter { !$0.key.isExtensionKey }.map(\.name) ?? []
      guard names.allSatisfy({ $0 == "default" }) else { return nil }
      let message = names.isEmpty ? "has no response" : "has no response but `default`"
      let place = operation.node.key("responses") ?? operation.pathNode.key(operation.method.lowercased())
      return Diagnostic(
        rule, "\(operation.method) \(operation.path) \(message)", at: place ?? operation.node,
        help: "add the status of a successful call")
    }
  }
}

extension Rule {
  package static let specResponsesKey = Rule(
    "spec.responses.key", .error, owner: .contract, "A key of `responses` is no status",
    help: """
      A status is three digits from 100 to 599, `default`, or from 3.0 on a range from `1XX` to `5XX` with capital letters \
      (OAS 3.1, 4.8.16).
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              responses:
                "200": {description: OK}
                4XX: {description: Your fault}
                ↓5xx: {description: Our fault}
                ↓"99": {description: Nobody's fault}
                default: {description: Whatever}
                x-note: fine
        """),
      Example(
        """
        swagger: "2.0"
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              responses:
                200: {description: OK}
                ↓4XX: {description: Your fault}
        """),
    ])
}

extension LintRule {
  static let responsesKey = LintRule(.specResponsesKey) { subject in
    subject.all(.responses).flatMap(\.distinctMembers).compactMap { member in
      let name = member.name
      guard !member.key.isExtensionKey, name != "$ref" else { return nil }
      let status = Response.Status(name)
      if case .range = status, subject.specification == .swagger2 {
        return Diagnostic(.specResponsesKey, "Swagger 2.0 has no ranges such as `\(name)`", at: member.key)
      }
      if status != nil { return nil }
      let meant = Response.Status(lenient: name)
      return Diagnostic(
        .specResponsesKey, "`\(name)` is no status", at: member.key, help: meant.map { "write `\($0)`" })
    }
  }
}

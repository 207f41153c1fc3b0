extension LintRule {
  static let responsesKey = LintRule(
    "spec.responses.key", .error, "A key of `responses` is not a status",
    help: """
      A status is three digits from 100 to 599, `default`, or from 3.0 on a range from `1XX` to `5XX` in upper case \
      (OAS 3.1, 4.8.16).
      """,
    .responses(
      """
      "200": {description: OK}
      4XX: {description: Client error}
      ↓5xx: {description: Server error}
      ↓"99": {description: Unknown}
      default: {description: Any}
      x-note: fine
      """),
    .responses(
      in: .swagger2,
      """
      200: {description: OK}
      ↓4XX: {description: Client error}
      """)
  ) { subject, rule in
    subject.all(.responses).flatMap(\.distinctMembers).compactMap { member in
      let name = member.name
      guard !member.key.isExtensionKey, name != "$ref" else { return nil }
      let status = Response.Status(name)
      if case .range = status, subject.specification == .swagger2 {
        return Diagnostic(rule, "Swagger 2.0 has no ranges such as `\(name)`", at: member.key)
      }
      if status != nil { return nil }
      let meant = Response.Status(lenient: name)
      return Diagnostic(rule, "`\(name)` is not a status", at: member.key, help: meant.map { "write `\($0)`" })
    }
  }
}

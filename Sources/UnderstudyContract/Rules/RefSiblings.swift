extension LintRule {
  static let refSiblings = LintRule(
    "spec.ref.siblings", .warning, "Keywords beside `$ref` have no effect",
    help: """
      Up to 3.0 everything beside `$ref` is ignored. From 3.1 on keywords beside the `$ref` of a schema count, and elsewhere \
      `summary` and `description` replace the target's (OAS 3.1, 4.8.23). Wrap a schema in `allOf` to add to it.
      """,
    .schemas(
      """
      Name: {type: string}
      Pet:
        properties:
          name:
            $ref: "#/components/schemas/Name"
            ↓nullable: true
      """),
    .contract(
      in: .openAPI31,
      """
      paths:
        /pets:
          get:
            responses:
              "200": {$ref: "#/components/responses/OK", description: Fine}
              "201": {$ref: "#/components/responses/OK", ↓content: {}}
      components:
        schemas:
          Name: {type: string}
          Nick: {$ref: "#/components/schemas/Name", maxLength: 3}
        responses:
          OK: {description: OK}
      """)
  ) { subject, rule in
    let isModern = subject.specification >= .openAPI31
    return subject.references.compactMap { reference in
      // Keywords beside `$ref` count in a path item of any version.
      if reference.kind == .pathItem || (isModern && reference.kind == .schema) { return nil }
      let ignored = reference.holder.members.filter { member in
        let name = member.name
        return name != "$ref" && !member.key.isExtensionKey && !(isModern && ["summary", "description"].contains(name))
      }
      guard let first = ignored.first else { return nil }
      let names = ignored.map { "`\($0.name)`" }.joined(separator: ", ")
      return Diagnostic(
        rule, "\(names) beside `$ref` \(ignored.count == 1 ? "has" : "have") no effect", at: first.key,
        help: reference.kind == .schema ? "write `allOf: [{$ref: ...}]` and put the keywords beside `allOf`" : nil)
    }
  }
}

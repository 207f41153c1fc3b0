extension Rule {
  package static let specRefSiblings = Rule(
    "spec.ref.siblings", .warning, owner: .contract, "Keywords beside `$ref` have no effect",
    help: """
      Up to 3.0 everything beside `$ref` is ignored; from 3.1 on a schema may say more beside it, and elsewhere `summary` and \
      `description` replace the target's (OAS 3.1, 4.8.23). Wrap a schema in `allOf` to add to it.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          schemas:
            Name: {type: string}
            Pet:
              properties:
                name:
                  $ref: "#/components/schemas/Name"
                  ↓nullable: true
        """),
      Example(
        """
        openapi: 3.1.0
        info: {title: Pets, version: "1"}
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
        """),
    ])
}

extension LintRule {
  static let refSiblings = LintRule(.specRefSiblings) { subject in
    ignoredSiblings(of: subject.references, subject.specification)
  }

  static func ignoredSiblings(
    of references: [ContractWalk.Reference], _ specification: Specification
  ) -> [Diagnostic] {
    let isModern = specification >= .openAPI31
    return references.compactMap { reference in
      // A path item may say more beside `$ref`, whatever the version.
      if reference.kind == .pathItem || (isModern && reference.kind == .schema) { return nil }
      let ignored = reference.holder.members.filter { member in
        let name = member.name
        return name != "$ref" && !member.key.isExtensionKey && !(isModern && ["summary", "description"].contains(name))
      }
      guard let first = ignored.first else { return nil }
      let names = ignored.map { "`\($0.name)`" }.joined(separator: ", ")
      return Diagnostic(
        .specRefSiblings, "\(names) beside `$ref` \(ignored.count == 1 ? "has" : "have") no effect", at: first.key,
        help: reference.kind == .schema ? "write `allOf: [{$ref: ...}]` and put the keywords beside `allOf`" : nil)
    }
  }
}

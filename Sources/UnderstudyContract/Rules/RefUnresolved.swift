extension Rule {
  package static var specRefUnresolved: Rule { LintRule.refUnresolved.rule }
}

extension LintRule {
  /// Also reports `spec.ref.external`, and `spec.unparsable` of referenced files: the failure names its rule.
  static let refUnresolved = LintRule(
    "spec.ref.unresolved", .error, "The target of a reference does not exist or is of another kind",
    help: """
      The text after `#` is a JSON pointer: `/` within a name is written `~1`, `~` is written `~0`, a space `%20`. Paths are \
      relative to the file of the reference.
      """,
    .contract(
      """
      paths:
        /pets:
          get:
            parameters:
              - $ref: ↓"#/components/parameters/Limits"
            responses: {"200": {description: OK}}
      components:
        parameters:
          Limit: {name: limit, in: query, schema: {type: integer}}
      """),
    .contract(
      """
      paths: {}
      components:
        schemas:
          Pet:
            properties:
              owner: {$ref: ↓"#/components/schemas/Owner"}
              home: {$ref: ↓"#/components/responses/Home"}
              parent: {$ref: "#/components/schemas/Pet"}
              name: {$ref: "#/components/schemas/First~1last%20name"}
          First/last name: {type: string}
        responses:
          Home: {description: Home}
      """),
    .contract(
      """
      paths: {}
      components:
        responses:
          A: {$ref: ↓"#/components/responses/B"}
          B: {$ref: ↓"#/components/responses/A"}
      """),
    .schemas(
      in: .openAPI31,
      """
      Pet: {$ref: "#pet"}
      Animal: {$anchor: pet, type: object}
      Stray: {$ref: ↓"#stray"}
      """)
  ) { subject, rule in
    subject.references.compactMap { reference in
      switch reference.target {
      case .failure(let failure): failure.diagnostic(at: reference.text)
      case .success(let target): wrongKind(reference, target, rule) ?? cycle(reference, subject)
      }
    }
  }

  /// The kind of a target follows from its section.
  private static func wrongKind(_ reference: ContractWalk.Reference, _ target: JSON, _ rule: Rule) -> Diagnostic? {
    let text = reference.text.text
    guard let hash = text.utf8.firstIndex(of: UInt8(ascii: "#")) else { return nil }
    let tokens = text[hash...].utf8.dropFirst().split(separator: UInt8(ascii: "/")).compactMap { String($0) }
    let found: ObjectKind?
    switch tokens.first {
    case "components" where tokens.count == 3: found = ObjectKind.sections.first { $0.key == tokens[1] }?.kind
    case "definitions" where tokens.count == 2: found = .schema
    case "parameters" where tokens.count == 2 && target["in"] != nil: found = .parameter
    case "responses" where tokens.count == 2 && target["description"] != nil: found = .response
    default: found = nil
    }
    guard let found, found != reference.kind else { return nil }
    return Diagnostic(
      rule, "the reference `\(text)` points to \(found.noun): expected \(reference.kind.noun)", at: reference.text)
  }

  /// A chain of references that leads back to itself. Schemas may be recursive, but not by `$ref` alone.
  private static func cycle(_ reference: ContractWalk.Reference, _ subject: LintSubject) -> Diagnostic? {
    if reference.kind == .schema, subject.specification >= .openAPI31 { return nil }
    // A broken link further on is reported at that link.
    guard case .failure(.cycle) = subject.resolver.resolve(reference.holder) else { return nil }
    return ReferenceFailure.cycle.diagnostic(at: reference.text)
  }
}

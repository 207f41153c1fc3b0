extension Rule {
  package static let specRefUnresolved = Rule(
    "spec.ref.unresolved", .error, owner: .contract, "A reference leads nowhere, or to a thing of another kind",
    help: """
      The text after `#` is a JSON pointer: `/` within a name is written `~1`, `~` is written `~0`, a space `%20`. Files are \
      sought from the file that the reference stands in.
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
                - $ref: ↓"#/components/parameters/Limits"
              responses: {"200": {description: OK}}
        components:
          parameters:
            Limit: {name: limit, in: query, schema: {type: integer}}
        """),
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
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
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          responses:
            A: {$ref: ↓"#/components/responses/B"}
            B: {$ref: ↓"#/components/responses/A"}
        """),
      Example(
        """
        openapi: 3.1.0
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          schemas:
            Pet: {$ref: "#pet"}
            Animal: {$anchor: pet, type: object}
            Stray: {$ref: ↓"#stray"}
        """),
    ])
}

extension LintRule {
  /// Also finds what `spec.ref.external` and `spec.unparsable` say of referenced files: the failure names its rule.
  static let refUnresolved = LintRule(.specRefUnresolved) { subject in
    subject.references.compactMap { reference in
      switch reference.target {
      case .failure(let failure): failure.diagnostic(at: reference.text)
      case .success(let target):
        wrongKind(reference, target) ?? circle(reference, subject)
      }
    }
  }

  /// The section that the target stands in tells what it is.
  private static func wrongKind(_ reference: ContractWalk.Reference, _ target: JSON) -> Diagnostic? {
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
      .specRefUnresolved, "the reference `\(text)` leads to \(found.noun), where \(reference.kind.noun) is expected",
      at: reference.text)
  }

  /// A chain of references that never arrives. Schemas may go in circles, but not by `$ref` alone.
  private static func circle(_ reference: ContractWalk.Reference, _ subject: LintSubject) -> Diagnostic? {
    if reference.kind == .schema, subject.specification >= .openAPI31 { return nil }
    switch subject.resolver.resolve(reference.holder) {
    case .failure(.cycle): return ReferenceFailure.cycle.diagnostic(at: reference.text)
    // A broken link further on is told where it stands.
    case .failure, .success: return nil
    }
  }
}

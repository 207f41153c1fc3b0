import JSONSchema

extension Rule {
  package static let specSchemaDiscriminator = Rule(
    "spec.schema.discriminator", .warning, owner: .contract, "A discriminator that cannot do its work",
    help: """
      The property that it names must be required wherever it is looked for, and what `mapping` names must be one of the \
      alternatives (OAS 3.1, 4.8.25). A discriminator never changes what is valid.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          schemas:
            Cat: {type: object, required: [kind], properties: {kind: {type: string}}}
            Dog: {type: object, properties: {kind: {type: string}}}
            Pet:
              oneOf: [{$ref: "#/components/schemas/Cat"}, {$ref: "#/components/schemas/Dog"}]
              discriminator: {propertyName: ↓kind}
            Other:
              oneOf: [{$ref: "#/components/schemas/Cat"}]
              discriminator:
                propertyName: kind
                mapping:
                  cat: Cat
                  tom: "#/components/schemas/Cat"
                  dog: ↓"#/components/schemas/Dog"
                  cow: ↓Cow
            Parent:
              type: object
              required: [kind]
              discriminator: {propertyName: kind}
              properties: {kind: {type: string}}
        """)
    ])
}

extension LintRule {
  static let schemaDiscriminator = LintRule(.specSchemaDiscriminator) { subject in
    let schemas = subject.library
    return subject.schemas.flatMap { schema -> [Diagnostic] in
      guard let value = schema["discriminator"], !subject.isPlainReference(schema) else { return [] }
      let alternatives = ["oneOf", "anyOf"].flatMap { schema[$0].map { Array($0.elements) } ?? [] }
      var findings: [Diagnostic] = []
      if let name = subject.specification == .swagger2 ? value : value["propertyName"], name.isString {
        if value["defaultMapping"] == nil, let place = firstWithout(name, schema, alternatives, schemas, subject) {
          findings.append(
            Diagnostic(
              .specSchemaDiscriminator, "the discriminator's property `\(name.text)` is not required", at: name,
              notes: [Diagnostic.Note("not required here", at: Location(place))]))
        }
      }
      let targets = Set(alternatives.map { target(of: $0, subject).id })
      for member in value["mapping"]?.distinctMembers ?? [] where member.value.isString {
        if let message = mappingProblem(member.value, targets, subject) {
          findings.append(Diagnostic(.specSchemaDiscriminator, message, at: member.value))
        }
      }
      return findings
    }
  }

  /// The first place where the property should be required and is not.
  private static func firstWithout(
    _ name: JSON, _ schema: JSON, _ alternatives: [JSON], _ schemas: SchemaLibrary, _ subject: LintSubject
  ) -> JSON? {
    let name = name.text
    if schemas.resolved(schema).requirement(of: name) != nil { return nil }
    if alternatives.isEmpty { return schema }
    for alternative in alternatives {
      // An alternative may have alternatives itself; those carry their own discriminator.
      guard let target = subject.resolve(alternative), target["oneOf"] == nil, target["anyOf"] == nil else { continue }
      if schemas.resolved(target).requirement(of: name) == nil { return target }
    }
    return nil
  }

  private static func target(of alternative: JSON, _ subject: LintSubject) -> JSON {
    alternative.reference.flatMap { try? subject.resolver.target(of: $0).get() } ?? alternative
  }

  /// A value of `mapping` is a component's name first, else a reference.
  private static func mappingProblem(_ value: JSON, _ targets: Set<NodeID>, _ subject: LintSubject) -> String? {
    let component = subject.api.root["components"]?["schemas"]?[value.text]
    guard let target = component ?? (try? subject.resolver.target(of: value).get()) else {
      return "the mapping to `\(value.text)` leads nowhere"
    }
    // Without alternatives the children name this schema, not the other way round.
    return targets.isEmpty || targets.contains(target.id)
      ? nil : "`\(value.text)` is none of the alternatives beside the discriminator"
  }
}

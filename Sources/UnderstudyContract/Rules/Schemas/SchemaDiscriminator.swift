extension LintRule {
  static let schemaDiscriminator = LintRule(
    "spec.schema.discriminator", .warning, "A discriminator cannot select a schema",
    help: """
      Every alternative must require the property of the discriminator, and every target of `mapping` must be one of the \
      alternatives (OAS 3.1, 4.8.25). A discriminator never changes which values are valid.
      """,
    .schemas(
      """
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
  ) { subject, rule in
    let schemas = subject.library
    return subject.schemas.flatMap { schema -> [Diagnostic] in
      guard let value = schema["discriminator"], !subject.isPlainReference(schema) else { return [] }
      let alternatives = ["oneOf", "anyOf"].flatMap { schema[$0].map { Array($0.elements) } ?? [] }
      var findings: [Diagnostic] = []
      if let name = subject.specification == .swagger2 ? value : value["propertyName"], name.isString,
        value["defaultMapping"] == nil, let place = firstWithout(name, schema, alternatives, schemas, subject)
      {
        findings.append(
          Diagnostic(
            rule, "the discriminator's property `\(name.text)` is not required", at: name,
            notes: [Diagnostic.Note("not required here", at: Location(place))]))
      }
      let targets = Set(alternatives.map { target(of: $0, subject).id })
      for member in value["mapping"]?.distinctMembers ?? [] where member.value.isString {
        if let message = mappingProblem(member.value, targets, subject) {
          findings.append(Diagnostic(rule, message, at: member.value))
        }
      }
      return findings
    }
  }

  /// The first schema that should require the property and does not.
  private static func firstWithout(
    _ name: JSON, _ schema: JSON, _ alternatives: [JSON], _ schemas: SchemaLibrary, _ subject: LintSubject
  ) -> JSON? {
    if schemas.resolved(schema).requirement(of: name.text) != nil { return nil }
    if alternatives.isEmpty { return schema }
    // An alternative with alternatives has a discriminator of its own.
    return alternatives.lazy.compactMap(subject.resolve).first {
      $0["oneOf"] == nil && $0["anyOf"] == nil && schemas.resolved($0).requirement(of: name.text) == nil
    }
  }

  private static func target(of alternative: JSON, _ subject: LintSubject) -> JSON {
    alternative.reference.flatMap { try? subject.resolver.target(of: $0).get() } ?? alternative
  }

  /// A value of `mapping` is the name of a component, else a reference.
  private static func mappingProblem(_ value: JSON, _ targets: Set<NodeID>, _ subject: LintSubject) -> String? {
    let component = subject.api.root["components"]?["schemas"]?[value.text]
    guard let target = component ?? (try? subject.resolver.target(of: value).get()) else {
      return "the target of the mapping, `\(value.text)`, does not exist"
    }
    // Without alternatives the children refer to this schema, not the other way round.
    return targets.isEmpty || targets.contains(target.id)
      ? nil : "`\(value.text)` is not one of the alternatives beside the discriminator"
  }
}

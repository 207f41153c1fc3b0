extension LintRule {
  static let schemaWrongDialect = LintRule(
    "spec.schema.wrong-dialect", .warning, "A schema uses a keyword of another version",
    help: """
      Up to 3.0 schemas are a subset of an old JSON Schema: no `const`, no list of types, no `null`, and \
      `exclusiveMinimum` is a switch. From 3.1 on they are JSON Schema 2020-12, which has no `nullable`. A keyword that \
      the version does not know is ignored.
      """,
    .schemas(
      """
      A: {↓const: 1}
      B: {type: ↓[string, integer]}
      C: {type: number, exclusiveMinimum: ↓0}
      D: {↓nullable: true}
      E: {type: string, nullable: true}
      F: {type: object, properties: {const: {type: string}}}
      """),
    .schemas(
      in: .openAPI31,
      """
      A: {type: string, ↓nullable: true}
      B: {type: number, minimum: 1, exclusiveMinimum: ↓true}
      C: {const: 1}
      D: {type: [string, "null"]}
      """),
    .schemas(
      in: .swagger2,
      """
      A: {↓oneOf: [{type: string}]}
      B: {type: string, x-nullable: true}
      """)
  ) { subject, rule in
    let specification = subject.specification
    let unknown = unknownKeywords(specification)
    return subject.schemas.filter { $0["$schema"] == nil && !subject.isPlainReference($0) }.flatMap { schema in
      let findings = schema.members.compactMap { member in
        unknown[member.key.bytes].map { reason in
          Diagnostic(
            rule, "`\(member.name)` is not a keyword of \(specification.rawValue): \(reason)", at: member.key)
        }
      }
      return findings + misreadKeywords(schema, specification, rule)
    }
  }

  /// The keywords of other versions, each with a reason or a replacement.
  private static func unknownKeywords(_ specification: Specification) -> [[UInt8]: String] {
    if specification >= .openAPI31 { return [Array("nullable".utf8): "add \"null\" to `type`"] }
    let of31 = [
      "const", "if", "then", "else", "contains", "patternProperties", "propertyNames", "dependentSchemas",
      "dependentRequired", "unevaluatedItems", "unevaluatedProperties", "prefixItems", "$defs", "minContains",
      "maxContains", "contentEncoding", "contentMediaType", "contentSchema", "$dynamicRef", "$anchor",
    ]
    let of30 = specification == .swagger2 ? ["oneOf", "anyOf", "not", "nullable", "writeOnly"] : []
    let keywords = of31.map { (Array($0.utf8), "it came with 3.1") } + of30.map { (Array($0.utf8), "it came with 3.0") }
    return Dictionary(uniqueKeysWithValues: keywords)
  }

  /// Keywords that exist in this version with another meaning.
  private static func misreadKeywords(_ schema: JSON, _ specification: Specification, _ rule: Rule) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let isModern = specification >= .openAPI31
    for keyword in ["exclusiveMinimum", "exclusiveMaximum"] {
      guard let value = schema[keyword], isModern ? value.bool != nil : value.kind == .number else { continue }
      let message = isModern ? "is a number from 3.1 on, not a switch" : "is `true` or `false` up to 3.0, not a number"
      findings.append(Diagnostic(rule, "`\(keyword)` \(message)", at: value))
    }
    if isModern { return findings }
    if let type = schema["type"], type.isArray {
      findings.append(
        Diagnostic(
          rule, "`type` is a single name up to 3.0, not a list", at: type,
          help: specification == .openAPI30 ? "use `nullable` or `oneOf`" : nil))
    } else if let type = schema["type"], type.isString("null") {
      findings.append(Diagnostic(rule, "the type `null` does not exist up to 3.0", at: type))
    }
    if specification == .openAPI30, schema["nullable"]?.bool == true, schema["type"] == nil,
      let key = schema.key("nullable")
    {
      findings.append(
        Diagnostic(
          rule, "`nullable` has no effect without `type` beside it", at: key,
          help: "name the type (OAS 3.0.3, 4.7.24), or add an alternative that allows null"))
    }
    return findings
  }
}

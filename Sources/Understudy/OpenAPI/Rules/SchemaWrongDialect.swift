extension Rule {
  package static let specSchemaWrongDialect = Rule(
    "spec.schema.wrong-dialect", .warning, owner: .contract, "A keyword of another version's schemas",
    help: """
      Up to 3.0 schemas are a subset of an old JSON Schema: no `const`, no list of types, no `null`, and \
      `exclusiveMinimum` is a switch. From 3.1 on they are JSON Schema 2020-12, where `nullable` means nothing. A keyword that \
      the version does not know is ignored.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          schemas:
            A: {↓const: 1}
            B: {type: ↓[string, integer]}
            C: {type: number, exclusiveMinimum: ↓0}
            D: {↓nullable: true}
            E: {type: string, nullable: true}
            F: {type: object, properties: {const: {type: string}}}
        """),
      Example(
        """
        openapi: 3.1.0
        info: {title: Pets, version: "1"}
        paths: {}
        components:
          schemas:
            A: {type: string, ↓nullable: true}
            B: {type: number, minimum: 1, exclusiveMinimum: ↓true}
            C: {const: 1}
            D: {type: [string, "null"]}
        """),
      Example(
        """
        swagger: "2.0"
        info: {title: Pets, version: "1"}
        paths: {}
        definitions:
          A: {↓oneOf: [{type: string}]}
          B: {type: string, x-nullable: true}
        """),
    ])
}

extension LintRule {
  static let schemaWrongDialect = LintRule(.specSchemaWrongDialect) { subject in
    wrongDialect(in: subject.schemas, subject.specification)
  }

  static func wrongDialect(in schemas: [JSON], _ specification: Specification) -> [Diagnostic] {
    let unknown = unknownKeywords(specification)
    return schemas.flatMap { schema in
      // A schema that names its dialect speaks that.
      if schema["$schema"] != nil || schema["$ref"] != nil && specification < .openAPI31 { return [Diagnostic]() }
      var findings: [Diagnostic] = []
      for member in schema.members {
        let key = member.key
        guard let since = unknown[key.bytes] else { continue }
        findings.append(
          Diagnostic(
            .specSchemaWrongDialect, "`\(key.text)` is no keyword of \(specification.rawValue): \(since)", at: key))
      }
      return findings + misread(schema, specification)
    }
  }

  /// Keywords that are not there, with what is known of them instead.
  private static func unknownKeywords(_ specification: Specification) -> [[UInt8]: String] {
    var result: [[UInt8]: String] = [:]
    if specification >= .openAPI31 {
      result[Array("nullable".utf8)] = "add \"null\" to `type`"
      return result
    }
    let modern = [
      "const", "if", "then", "else", "contains", "patternProperties", "propertyNames", "dependentSchemas",
      "dependentRequired", "unevaluatedItems", "unevaluatedProperties", "prefixItems", "$defs", "minContains",
      "maxContains", "contentEncoding", "contentMediaType", "contentSchema", "$dynamicRef", "$anchor",
    ]
    for keyword in modern { result[Array(keyword.utf8)] = "it came with 3.1" }
    if specification == .swagger2 {
      for keyword in ["oneOf", "anyOf", "not", "nullable", "writeOnly"] {
        result[Array(keyword.utf8)] = "it came with 3.0"
      }
    }
    return result
  }

  /// Keywords that are there, but with another meaning.
  private static func misread(_ schema: JSON, _ specification: Specification) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let isModern = specification >= .openAPI31
    for keyword in ["exclusiveMinimum", "exclusiveMaximum"] {
      guard let value = schema[keyword], isModern ? value.bool != nil : value.kind == .number else { continue }
      findings.append(
        Diagnostic(
          .specSchemaWrongDialect,
          isModern
            ? "`\(keyword)` is a number from 3.1 on, not a switch"
            : "`\(keyword)` is `true` or `false` up to 3.0, not a number",
          at: value))
    }
    if isModern { return findings }
    if let type = schema["type"], type.isArray {
      findings.append(
        Diagnostic(
          .specSchemaWrongDialect, "`type` is one name up to 3.0, not a list", at: type,
          help: specification == .openAPI30 ? "use `nullable` or `oneOf`" : nil))
    } else if let type = schema["type"], type.isString("null") {
      findings.append(Diagnostic(.specSchemaWrongDialect, "there is no type `null` up to 3.0", at: type))
    }
    if specification == .openAPI30, schema["nullable"]?.bool == true, schema["type"] == nil,
      let key = schema.key("nullable")
    {
      findings.append(
        Diagnostic(
          .specSchemaWrongDialect, "`nullable` has no effect without `type` beside it", at: key,
          help: "name the type (OAS 3.0.3, 4.7.24), or add an alternative that allows null"))
    }
    return findings
  }
}

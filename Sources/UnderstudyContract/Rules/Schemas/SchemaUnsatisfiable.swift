extension Rule {
  package static var specSchemaUnsatisfiable: Rule { LintRule.schemaUnsatisfiable.rule }
}

extension LintRule {
  static let schemaUnsatisfiable = LintRule(
    "spec.schema.unsatisfiable", .error, "No value can satisfy a schema or a part of it",
    help: """
      A minimum above its maximum, an `enum` value outside `type`, a required property that is forbidden, an `allOf` whose \
      types have nothing in common. An `enum` of which some values fit `type` can be satisfied, and is a warning.
      """,
    .schemas(
      """
      Age: {type: integer, minimum: ↓9, maximum: 3}
      Half: {type: number, minimum: 1, maximum: ↓1, exclusiveMaximum: true}
      Name: {type: string, minLength: 1, maxLength: 1}
      Size: {type: string, enum: [small, ↓1, null]}
      Weight: {type: number, enum: [↓light, heavy]}
      Color: {type: string, nullable: true, enum: [red, null]}
      Text: {type: string}
      Both: {↓allOf: [{$ref: "#/components/schemas/Text"}, {type: object}]}
      Count: {allOf: [{type: number}, {type: integer}]}
      Closed: {type: object, required: [name, ↓nick], properties: {name: {}}, additionalProperties: false}
      """),
    .schemas(
      in: .openAPI31,
      """
      Age: {type: integer, exclusiveMinimum: ↓3, exclusiveMaximum: 3}
      Pet: {type: object, required: [↓name], properties: {name: false}}
      Size: {type: [string, "null"], enum: [small, null]}
      """)
  ) { subject, rule in
    let schemas = subject.library
    return subject.schemas.flatMap { schema in
      bounds(schema, subject.specification, rule) + enumValues(schema, subject.specification, rule)
        + forbidden(schema, rule) + emptyIntersection(schema, schemas, subject, rule)
    }
  }

  private static let bounds = [
    ("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"), ("minProperties", "maxProperties"),
    ("minContains", "maxContains"),
  ]

  private static func bounds(_ schema: JSON, _ specification: Specification, _ rule: Rule) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    func compare(_ low: String, _ high: String, isStrict: Bool, atHigh: Bool = false) {
      guard let lowValue = schema[low], let highValue = schema[high], let least = lowValue.number,
        let most = highValue.number, least > most || (isStrict && least == most)
      else { return }
      findings.append(
        Diagnostic(
          rule, "no value is between `\(low)` \(least.spelling) and `\(high)` \(most.spelling)",
          at: atHigh ? highValue : lowValue))
    }
    for (low, high) in bounds {
      // Up to 3.0 the exclusive keywords are switches, from 3.1 on numbers.
      let isStrict =
        low == "minimum" && (schema["exclusiveMinimum"]?.bool == true || schema["exclusiveMaximum"]?.bool == true)
      compare(low, high, isStrict: isStrict, atHigh: isStrict && schema["exclusiveMaximum"]?.bool == true)
    }
    if specification >= .openAPI31 {
      compare("exclusiveMinimum", "exclusiveMaximum", isStrict: true)
      compare("minimum", "exclusiveMaximum", isStrict: true)
      compare("exclusiveMinimum", "maximum", isStrict: true)
    }
    return findings
  }

  private static func enumValues(_ schema: JSON, _ specification: Specification, _ rule: Rule) -> [Diagnostic] {
    guard let values = schema["enum"], let types = JSONTypeSet(schema: schema, dialect: specification.dialect),
      types != .any
    else { return [] }
    let outside = values.elements.filter { types.isDisjoint(with: JSONTypeSet(of: $0)) }
    guard let first = outside.first else { return [] }
    let type = schema["type"].map { JSONWriter.text($0) } ?? ""
    let others = outside.count == 1 ? "" : " and \(outside.count - 1) more like it"
    let help =
      first.isNull && specification < .openAPI31
      ? "add `\(specification == .swagger2 ? "x-" : "")nullable: true`"
      : types.contains(.string) && !first.isNull ? "put the value in quotes" : nil
    return [
      Diagnostic(
        rule, "`enum` lists \(first.kindWithArticle)\(others), but `type` is \(type)",
        at: Location(first), severity: outside.count < values.count ? .warning : nil, help: help)
    ]
  }

  /// Required properties that the same schema forbids.
  private static func forbidden(_ schema: JSON, _ rule: Rule) -> [Diagnostic] {
    guard let required = schema["required"], required.isArray, required.count > 0 else { return [] }
    let properties = schema["properties"]?.memberTable ?? [:]
    let isClosed =
      schema["additionalProperties"]?.bool == false && schema["patternProperties"] == nil
      && schema["type"]?.isString("object") == true
    return required.elements.compactMap { name in
      guard name.isString else { return nil }
      let property = properties[name.bytes]
      guard property?.bool == false || (isClosed && property == nil) else { return nil }
      let names = schema["properties"]?.members.prefix(100).map(\.name) ?? []
      return Diagnostic(
        rule,
        "`\(name.text)` is required, but "
          + (property == nil ? "not a property, and `additionalProperties` is false" : "its schema is `false`"),
        at: name, help: property == nil ? Suggestion.phrase(for: name.text, among: names) : nil)
    }
  }

  private static func emptyIntersection(
    _ schema: JSON, _ schemas: SchemaLibrary, _ subject: LintSubject, _ rule: Rule
  ) -> [Diagnostic] {
    guard let key = schema.key("allOf"), let list = schema["allOf"], !subject.isPlainReference(schema) else {
      return []
    }
    let own = JSONTypeSet(schema: schema, dialect: subject.specification.dialect) ?? .any
    let applied = (schemas.target(ofReference: schema).map { [$0] } ?? []) + list.elements
    let types = [own] + applied.map { schemas.resolved($0).types }
    // A part without any type has a finding of its own.
    guard types.reduce(JSONTypeSet.any, { $0.intersection($1) }).isEmpty, !types.contains([]) else { return [] }
    return [Diagnostic(rule, "no type is allowed by all parts of `allOf`", at: key)]
  }
}

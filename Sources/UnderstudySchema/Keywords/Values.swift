/// Checks the values of keywords that assert nothing by themselves.
extension Compiler {
  mutating func checkValues(_ schema: SchemaContext) {
    for keyword in Self.strings { check(keyword, "a string", in: schema, \.isString) }
    for keyword in Self.switches { check(keyword, "`true` or `false`", in: schema) { $0.bool != nil } }
    for keyword in Self.maps { check(keyword, "an object of schemas", in: schema, \.isObject) }
    // No other code reads these without the keywords that they depend on.
    for keyword in Self.schemas { check(keyword, "a schema", in: schema) { $0.isObject || $0.bool != nil } }
    for keyword in Self.bounds { _ = bound(keyword, in: schema) }
    if schema.dialect.keywords.contains(.xNullable) {
      check(.discriminator, "the name of a property", in: schema, \.isString)
    } else {
      check(.discriminator, "an object with `propertyName`", in: schema, \.isObject)
    }
  }

  private static let strings: [Keyword] = [
    .schema, .id, .draft4ID, .anchor, .dynamicAnchor, .contentEncoding, .contentMediaType,
  ]
  private static let switches: [Keyword] = [.recursiveAnchor, .nullable, .xNullable, .readOnly, .writeOnly]
  private static let maps: [Keyword] = [.defs, .definitions]
  private static let schemas: [Keyword] = [.if, .then, .else, .additionalItems, .contentSchema]
  private static let bounds: [Keyword] = [.minContains, .maxContains]

  private mutating func check(
    _ keyword: Keyword, _ expected: String, in schema: SchemaContext, _ isRight: (JSON) -> Bool
  ) {
    guard schema.present.contains(keyword), let node = schema[keyword], !isRight(node) else { return }
    reportWrongValue(keyword, expected, node)
  }
}

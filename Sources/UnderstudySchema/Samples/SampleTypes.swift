/// The JSON types that a value may have by the schemas that apply to it.
enum SampleTypes {
  /// The types that a value may have, the most fitting first; `null` comes last.
  static func of(_ schema: SchemaIntersection) -> [JSONTypeSet] {
    var types = schema.allowed ?? (likely(schema) + [.object, .array, .string, .number, .boolean, .null])
    types.removeAll(where: schema.excluded.isSuperset)
    var unique: [JSONTypeSet] = []
    for type in types where !unique.contains(type) { unique.append(type) }
    return unique.filter { $0 != .null } + unique.filter { $0 == .null }
  }

  static func intersection(_ a: [JSONTypeSet], _ b: [JSONTypeSet]) -> [JSONTypeSet] {
    let all = JSONTypeSet(b)
    return a.map(all.intersection).filter { !$0.isEmpty }
  }

  /// The types that the keywords apply to.
  private static func likely(_ schema: SchemaIntersection) -> [JSONTypeSet] {
    // The keywords under `not` count too: only a number can break `minimum`.
    let excluded = schema.all("not")
    let named = keywords.filter { _, keywords in
      keywords.contains { keyword in schema.has(keyword) || excluded.contains { $0[keyword] != nil } }
    }
    return named.map(\.0)
      + (schema.has("format") ? [numericFormats.contains(schema.format ?? "") ? .number : .string] : [])
      + [.string]
  }

  static let numericFormats: Set<String> = ["int32", "int64", "float", "double"]

  private static let keywords: [(JSONTypeSet, [String])] = [
    (
      .object,
      [
        "properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties",
        "propertyNames", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties",
      ]
    ),
    (.array, ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "unevaluatedItems"]),
    (.string, ["pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType"]),
    (.number, ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]),
  ]
}

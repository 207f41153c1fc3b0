import SourceText

/// The JSON types that a value may have by the schemas that apply to it.
enum SampleTypes {
  /// The types that a value may have, the most fitting first; `null` comes last.
  static func of(_ schema: SchemaIntersection) -> [SchemaType] {
    var types = schema.allowed ?? (likely(schema) + [.object, .array, .string, .number, .boolean, .null])
    for excluded in schema.all("not") where excluded.count == 1 {
      let listed = listed(excluded) ?? []
      types.removeAll { listed.contains($0) || ($0 == .integer && listed.contains(.number)) }
    }
    var unique: [SchemaType] = []
    for type in types where !unique.contains(type) { unique.append(type) }
    return unique.filter { $0 != .null } + unique.filter { $0 == .null }
  }

  /// The types that one schema lists; `nil` when it lists none.
  static func listed(_ part: JSON) -> [SchemaType]? {
    guard let type = part["type"] else { return nil }
    let names = type.isArray ? type.elements.compactMap(\.string) : [type.string].compactMap { $0 }
    // Swagger 2.0 has `file` for a body of any bytes; any other unknown name means nothing.
    var types = names.compactMap { $0 == "file" ? .string : SchemaType(rawValue: $0) }
    guard !types.isEmpty else { return nil }
    if part["nullable"]?.bool == true || part["x-nullable"]?.bool == true { types.append(.null) }
    return types
  }

  static func intersection(_ a: [SchemaType], _ b: [SchemaType]) -> [SchemaType] {
    a.compactMap { type in
      if b.contains(type) { return type }
      if type == .integer, b.contains(.number) { return .integer }
      if type == .number, b.contains(.integer) { return .integer }
      return nil
    }
  }

  /// The types that the keywords are about.
  private static func likely(_ schema: SchemaIntersection) -> [SchemaType] {
    // The keywords under `not` count too: only a number can break `minimum`.
    let excluded = schema.all("not")
    return SchemaType.allCases.filter { type in
      (keywords[type] ?? []).contains { keyword in
        schema.has(keyword) || excluded.contains { $0[keyword] != nil }
      }
    }
      + (schema.has("format") ? [numericFormats.contains(schema.format ?? "") ? .number : .string] : [])
      + [.string]
  }

  static let numericFormats: Set<String> = ["int32", "int64", "float", "double"]

  private static let keywords: [SchemaType: [String]] = [
    .object: [
      "properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties",
      "propertyNames", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties",
    ],
    .array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "unevaluatedItems"],
    .string: ["pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType"],
    .number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ]
}

import SourceText

/// What a value may be, as `type` names it.
enum SchemaType: String, CaseIterable, Sendable {
  case object, array, string, integer, number, boolean, null

  /// Whether a value is of the type.
  func admits(_ value: JSON) -> Bool {
    switch value.kind {
    case .object: self == .object
    case .array: self == .array
    case .string: self == .string
    case .number: self == .number || self == .integer && value.number?.isInteger == true
    case .true, .false: self == .boolean
    case .null: self == .null
    }
  }
}

extension Sampling {
  /// The types that a value may have, the most fitting first; `null` comes last.
  func types(of conjunction: Conjunction) -> [SchemaType] {
    var types =
      conjunction.allowed ?? (likelyTypes(conjunction) + [.object, .array, .string, .number, .boolean, .null])
    for excluded in conjunction.all("not") where excluded.count == 1 {
      let listed = listedTypes(excluded) ?? []
      types.removeAll { listed.contains($0) || ($0 == .integer && listed.contains(.number)) }
    }
    var unique: [SchemaType] = []
    for type in types where !unique.contains(type) { unique.append(type) }
    return unique.filter { $0 != .null } + unique.filter { $0 == .null }
  }

  func listedTypes(_ part: JSON) -> [SchemaType]? {
    guard let type = part["type"] else { return nil }
    let names = type.isArray ? type.elements.compactMap(\.string) : [type.string].compactMap { $0 }
    // Swagger 2.0 says `file` for a body of any bytes; anything else unknown says nothing.
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

  /// The types that the keywords speak of.
  private func likelyTypes(_ conjunction: Conjunction) -> [SchemaType] {
    // What `not` speaks of counts too: only a number can break `minimum`.
    let excluded = conjunction.all("not")
    return SchemaType.allCases.filter { type in
      (Self.telling[type] ?? []).contains { keyword in
        conjunction.has(keyword) || excluded.contains { $0[keyword] != nil }
      }
    }
      + (conjunction.has("format") ? [Self.numericFormats.contains(conjunction.format ?? "") ? .number : .string] : [])
      + [.string]
  }

  static let numericFormats: Set<String> = ["int32", "int64", "float", "double"]

  private static let telling: [SchemaType: [String]] = [
    .object: [
      "properties", "required", "additionalProperties", "patternProperties", "minProperties", "maxProperties",
      "propertyNames", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties",
    ],
    .array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains", "unevaluatedItems"],
    .string: ["pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType"],
    .number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ]
}

extension Conjunction {
  /// The first format that any part names.
  var format: String? { parts.lazy.compactMap { $0["format"]?.string }.first }
}

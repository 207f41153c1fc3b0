/// A keyword of any dialect that the engine knows.
package enum Keyword: UInt8, CaseIterable, Sendable {
  // Core
  case schema, id, draft4ID, anchor, dynamicAnchor, recursiveAnchor, ref, dynamicRef, recursiveRef, defs, definitions
  // Any type
  case type, `enum`, const, nullable, xNullable
  // Numbers
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
  // Strings
  case minLength, maxLength, pattern, format, contentEncoding, contentMediaType, contentSchema
  // Arrays
  case minItems, maxItems, uniqueItems, items, prefixItems, additionalItems
  case contains, minContains, maxContains, unevaluatedItems
  // Objects
  case minProperties, maxProperties, required, properties, patternProperties, additionalProperties, propertyNames
  case dependencies, dependentRequired, dependentSchemas, unevaluatedProperties
  // In place
  case allOf, anyOf, oneOf, not, `if`, then, `else`
  // OpenAPI
  case discriminator, readOnly, writeOnly

  /// The member name in a schema.
  package var name: String { Self.names[Int(rawValue)] }

  private static let names = allCases.map { keyword in
    switch keyword {
    case .schema, .id, .anchor, .dynamicAnchor, .recursiveAnchor, .ref, .dynamicRef, .recursiveRef, .defs: "$\(keyword)"
    case .draft4ID: "id"
    case .xNullable: "x-nullable"
    default: "\(keyword)"
    }
  }

  /// The keyword that a member's key spells.
  package static func named(_ key: JSON) -> Keyword? { byName.value(of: key) }

  static let byName = KnownNames(allCases.map { ($0.name, $0) })

  /// The keyword with a member name.
  package static func named(_ name: String) -> Keyword? { allCases.first { $0.name.utf8Equals(name) } }

  /// The form of a keyword's value: no subschema, a schema, an array of schemas, or an object of schemas.
  enum Shape { case none, schema, list, map }

  /// The form of a value; the caller skips a value whose type does not fit it. `items` has two forms.
  func shape(of value: JSON) -> Shape {
    switch self {
    case .items: value.isArray ? .list : .schema
    case .additionalItems, .contains, .unevaluatedItems, .additionalProperties, .propertyNames,
      .unevaluatedProperties, .not, .if, .then, .else, .contentSchema:
      .schema
    case .prefixItems, .allOf, .anyOf, .oneOf: .list
    case .defs, .definitions, .properties, .patternProperties, .dependencies, .dependentSchemas: .map
    default: .none
    }
  }
}

/// A set of keywords in one machine word.
package struct KeywordSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var bits: UInt64 = 0

  private init(bits: UInt64) { self.bits = bits }

  package init(arrayLiteral keywords: Keyword...) {
    for keyword in keywords { insert(keyword) }
  }

  package func contains(_ keyword: Keyword) -> Bool { bits & Self.bit(keyword) != 0 }

  func isDisjoint(with others: KeywordSet) -> Bool { bits & others.bits == 0 }

  mutating func insert(_ keyword: Keyword) { bits |= Self.bit(keyword) }

  mutating func subtract(_ others: KeywordSet) { bits &= ~others.bits }

  func union(_ others: KeywordSet) -> KeywordSet { KeywordSet(bits: bits | others.bits) }
  func intersection(_ others: KeywordSet) -> KeywordSet { KeywordSet(bits: bits & others.bits) }
  func subtracting(_ others: KeywordSet) -> KeywordSet { KeywordSet(bits: bits & ~others.bits) }

  private static func bit(_ keyword: Keyword) -> UInt64 { 1 << UInt64(keyword.rawValue) }
}

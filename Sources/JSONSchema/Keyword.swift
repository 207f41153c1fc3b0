/// A keyword of any dialect that the engine knows.
package enum Keyword: UInt8, CaseIterable, Sendable {
  // Core
  case schema
  case id
  case draft4ID
  case anchor
  case dynamicAnchor
  case recursiveAnchor
  case ref
  case dynamicRef
  case recursiveRef
  case defs
  case definitions
  // Any type
  case type
  case `enum`
  case const
  case nullable
  case xNullable
  // Numbers
  case minimum
  case maximum
  case exclusiveMinimum
  case exclusiveMaximum
  case multipleOf
  // Strings
  case minLength
  case maxLength
  case pattern
  case format
  case contentEncoding
  case contentMediaType
  case contentSchema
  // Arrays
  case minItems
  case maxItems
  case uniqueItems
  case items
  case prefixItems
  case additionalItems
  case contains
  case minContains
  case maxContains
  case unevaluatedItems
  // Objects
  case minProperties
  case maxProperties
  case required
  case properties
  case patternProperties
  case additionalProperties
  case propertyNames
  case dependencies
  case dependentRequired
  case dependentSchemas
  case unevaluatedProperties
  // In place
  case allOf
  case anyOf
  case oneOf
  case not
  case `if`
  case then
  case `else`
  // OpenAPI
  case discriminator
  case readOnly
  case writeOnly

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

  /// The keyword of a member's key.
  package static func named(_ key: JSON) -> Keyword? { byName.value(of: key) }

  static let byName = KnownNames(allCases.map { ($0.name, $0) })

  /// The keyword that people call by a name.
  package static func named(_ name: String) -> Keyword? { allCases.first { $0.name.utf8Equals(name) } }

  /// Where the subschemas in the keyword's value stand.
  enum Shape {
    /// The value holds none.
    case none
    /// The value is one.
    case schema
    /// The value is an array of them.
    case list
    /// The value is an object whose members are some.
    case map
  }

  /// How to walk the keyword's value; a value of another type than the shape asks for is simply not walked.
  ///
  /// `items` and `dependencies` have two forms; they are walked by what the value is.
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

/// Which keywords there are, in one word: compiling a schema asks for each of them.
package struct KeywordSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  private var bits: UInt64 = 0

  package init(arrayLiteral keywords: Keyword...) {
    for keyword in keywords { insert(keyword) }
  }

  package func contains(_ keyword: Keyword) -> Bool { bits & Self.bit(keyword) != 0 }

  func isDisjoint(with others: KeywordSet) -> Bool { bits & others.bits == 0 }

  mutating func insert(_ keyword: Keyword) { bits |= Self.bit(keyword) }

  mutating func subtract(_ others: KeywordSet) { bits &= ~others.bits }

  func union(_ others: KeywordSet) -> KeywordSet {
    var union = self
    union.bits |= others.bits
    return union
  }

  func intersection(_ others: KeywordSet) -> KeywordSet {
    var common = self
    common.bits &= others.bits
    return common
  }

  func subtracting(_ others: KeywordSet) -> KeywordSet {
    var rest = self
    rest.subtract(others)
    return rest
  }

  private static func bit(_ keyword: Keyword) -> UInt64 { 1 << UInt64(keyword.rawValue) }
}

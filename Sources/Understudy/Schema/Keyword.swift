/// A keyword of any dialect that the engine knows.
package enum Keyword: String, CaseIterable, Sendable {
  // Core
  case schema = "$schema"
  case id = "$id"
  case draft4ID = "id"
  case anchor = "$anchor"
  case dynamicAnchor = "$dynamicAnchor"
  case recursiveAnchor = "$recursiveAnchor"
  case ref = "$ref"
  case dynamicRef = "$dynamicRef"
  case recursiveRef = "$recursiveRef"
  case defs = "$defs"
  case definitions
  // Any type
  case type
  case `enum`
  case const
  case nullable
  case xNullable = "x-nullable"
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

  private static let byName: [String: Keyword] = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// The keyword of a member name.
  package static func named(_ name: String) -> Keyword? { byName[name] }

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

import SourceText

/// A set of JSON types; a number is an integer or a fraction.
struct SchemaTypes: OptionSet, Hashable {
  let rawValue: UInt8

  static let null = SchemaTypes(rawValue: 1)
  static let boolean = SchemaTypes(rawValue: 2)
  static let integer = SchemaTypes(rawValue: 4)
  static let fraction = SchemaTypes(rawValue: 8)
  static let string = SchemaTypes(rawValue: 16)
  static let array = SchemaTypes(rawValue: 32)
  static let object = SchemaTypes(rawValue: 64)
  static let number: SchemaTypes = [.integer, .fraction]
  static let all = SchemaTypes(rawValue: 127)

  /// The types of a `type` name; everything for a name that is not known, such as `file`.
  init(named name: String) {
    switch name {
    case "null": self = .null
    case "boolean": self = .boolean
    case "integer": self = .integer
    case "number": self = .number
    case "string": self = .string
    case "array": self = .array
    case "object": self = .object
    default: self = .all
    }
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The type of a value.
  init(of value: JSON) {
    switch value.kind {
    case .null: self = .null
    case .true, .false: self = .boolean
    case .number: self = value.number?.isInteger == true ? .integer : .fraction
    case .string: self = .string
    case .array: self = .array
    case .object: self = .object
    }
  }

  /// What `type` (with `nullable`, up to 3.0) allows; `nil` where it is not given.
  init?(declaredBy schema: JSON, _ specification: Specification) {
    guard let type = schema["type"] else { return nil }
    if type.isString {
      self.init(named: type.text)
      let isNullable = (schema["nullable"] ?? schema["x-nullable"])?.bool == true
      if specification < .openAPI31, isNullable { insert(.null) }
    } else if type.isArray {
      self = type.elements.reduce(into: []) { $0.formUnion(SchemaTypes(named: $1.string ?? "")) }
    } else {
      return nil
    }
  }
}

/// What can be said of a schema without an instance, through `$ref` and `allOf` and nothing else.
struct SchemaFacts {
  private let subject: LintSubject
  private var types: [NodeID: SchemaTypes] = [:]
  private var properties: [NodeID: [Property]] = [:]
  private var required: [NodeID: Set<[UInt8]>] = [:]

  struct Property {
    var key: JSON
    var schema: JSON
  }

  init(_ subject: LintSubject) { self.subject = subject }

  /// The parts that all hold: the schema itself, what it refers to, and its `allOf`.
  func conjuncts(of schema: JSON) -> [JSON] {
    var parts: [JSON] = []
    if let reference = schema.reference {
      if let target = try? subject.resolver.target(of: reference).get() { parts.append(target) }
      if subject.specification < .openAPI31 { return parts }
    }
    return parts + (schema["allOf"].map { Array($0.elements) } ?? [])
  }

  /// Whether everything it says is in the object itself.
  func isPlainReference(_ schema: JSON) -> Bool { schema.reference != nil && subject.specification < .openAPI31 }

  /// The types that an instance may have.
  mutating func types(of schema: JSON) -> SchemaTypes { types(of: schema, depth: 0) }

  private mutating func types(of schema: JSON, depth: Int) -> SchemaTypes {
    if schema.bool == false { return [] }
    guard schema.isObject, depth < Self.maximumDepth else { return .all }
    if let known = types[schema.id] { return known }
    types[schema.id] = .all
    var result = isPlainReference(schema) ? .all : SchemaTypes(declaredBy: schema, subject.specification) ?? .all
    for part in conjuncts(of: schema) { result.formIntersection(types(of: part, depth: depth + 1)) }
    types[schema.id] = result
    return result
  }

  /// The declared properties.
  mutating func properties(of schema: JSON) -> [Property] { properties(of: schema, depth: 0) }

  private mutating func properties(of schema: JSON, depth: Int) -> [Property] {
    guard schema.isObject, depth < Self.maximumDepth else { return [] }
    if let known = properties[schema.id] { return known }
    properties[schema.id] = []
    var result =
      isPlainReference(schema)
      ? []
      : (schema["properties"]?.distinctMembers ?? []).map {
        Property(key: $0.key, schema: $0.value)
      }
    for part in conjuncts(of: schema) { result += properties(of: part, depth: depth + 1) }
    properties[schema.id] = result
    return result
  }

  /// The names in `required`.
  mutating func required(of schema: JSON) -> Set<[UInt8]> { required(of: schema, depth: 0) }

  private mutating func required(of schema: JSON, depth: Int) -> Set<[UInt8]> {
    guard schema.isObject, depth < Self.maximumDepth else { return [] }
    if let known = required[schema.id] { return known }
    required[schema.id] = []
    var result: Set<[UInt8]> = []
    if !isPlainReference(schema) {
      result.formUnion(schema["required"]?.elements.filter(\.isString).map(\.bytes) ?? [])
    }
    for part in conjuncts(of: schema) { result.formUnion(required(of: part, depth: depth + 1)) }
    required[schema.id] = result
    return result
  }

  /// Chains of `allOf` are short; a hostile one must not exhaust the stack.
  private static let maximumDepth = 64
}

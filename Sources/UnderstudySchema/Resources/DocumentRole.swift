/// The role of a value in a document with regard to schemas.
///
/// The path to a schema shows its role: `default` is a value in a schema, and a response among `responses`.
package enum DocumentRole {
  /// A schema inside another one.
  case schema
  /// A schema outside of other schemas: the root of a document, `components/schemas/x`.
  case outermostSchema
  /// A list or map of schemas inside another one.
  case subschemas
  /// A map of schemas outside of other schemas: `components/schemas`, `definitions`.
  case schemas
  /// Any other object of a description, whose fields have fixed names.
  case structure
  /// A list of structures, or a map of them with free names: `responses`, `content`, `paths`.
  case structures
  /// A map of maps of structures.
  case callbacks
  /// A value in a file without a declaration that a description refers to, of any other role.
  case fragment

  /// Whether it may be a schema.
  package var isSchema: Bool {
    switch self {
    case .schema, .outermostSchema: true
    default: false
    }
  }

  /// The children that may contain schemas, in order.
  func children(of node: JSON, in dialect: Dialect?) -> [(node: JSON, role: DocumentRole)] {
    if node.isArray {
      guard let role = elementRole else { return [] }
      return node.elements.map { ($0, role) }
    }
    let shape = self == .fragment ? FragmentShape(node, dialect) : nil
    return node.members.compactMap { member in
      role(of: member.key, member.value, in: dialect, shape).map { (member.value, $0) }
    }
  }

  /// The role of one child by its key or index; `nil` if it is missing or cannot contain schemas.
  package func child(_ token: String, of node: JSON, in dialect: Dialect?) -> (node: JSON, role: DocumentRole)? {
    guard let value = node[JSONPointer([token])] else { return nil }
    if node.isArray { return elementRole.map { (value, $0) } }
    let shape = self == .fragment ? FragmentShape(node, dialect) : nil
    return node.key(token).flatMap { role(of: $0, value, in: dialect, shape) }.map { (value, $0) }
  }

  private var elementRole: DocumentRole? {
    switch self {
    case .subschemas: .schema
    case .structure, .structures: .structure
    case .fragment: .fragment
    case .schema, .outermostSchema, .schemas, .callbacks: nil
    }
  }

  private func role(of key: JSON, _ value: JSON, in dialect: Dialect?, _ shape: FragmentShape?) -> DocumentRole? {
    switch self {
    case .schema, .outermostSchema:
      guard let keyword = Keyword.named(key), dialect?.keywords.contains(keyword) == true else { return nil }
      return Self.role(of: keyword, value)
    case .subschemas: return .schema
    case .schemas: return .outermostSchema
    case .structures: return .structure
    case .callbacks: return .structures
    case .structure: return Self.field(key.text, other: .structure)
    case .fragment:
      if shape == .schema, let keyword = Keyword.named(key), dialect?.keywords.contains(keyword) == true {
        return Self.role(of: keyword, value)
      }
      return shape == .names ? .fragment : Self.field(key.text, other: .fragment)
    }
  }

  private static func role(of keyword: Keyword, _ value: JSON) -> DocumentRole? {
    switch keyword.shape(of: value) {
    case .none: nil
    case .schema: .schema
    case .list: value.isArray ? .subschemas : nil
    case .map: value.isObject ? .subschemas : nil
    }
  }

  /// The role of a field with a fixed name; `nil` for those that hold values of the API.
  private static func field(_ name: String, other: DocumentRole) -> DocumentRole? {
    switch name {
    case "schema", "itemSchema": .outermostSchema
    case "schemas", "definitions", "$defs": .schemas
    case "example", "examples", "default", "enum", "value", "links": nil
    case "callbacks": .callbacks
    case "paths", "webhooks", "pathItems", "additionalOperations", "parameters", "requestBodies", "responses",
      "headers", "content", "mediaTypes", "encoding", "securitySchemes", "variables":
      .structures
    default: other
    }
  }

  /// The shape of an object whose path does not show its role.
  private enum FragmentShape {
    case schema, structure, names

    init(_ node: JSON, _ dialect: Dialect?) {
      if let dialect, !KeywordScan.keywords(of: node).isDisjoint(with: dialect.keywords) {
        self = .schema
      } else {
        self = Self.fields.contains { node.key($0) != nil } ? .structure : .names
      }
    }

    /// Each kind of object with schemas or values of the API has one of these.
    private static let fields = [
      "schema", "itemSchema", "content", "description", "value", "responses", "in", "summary",
    ]
  }
}

/// The kinds of objects in a contract with their fields: the specification as a table.
enum ObjectKind: String, CaseIterable {
  case contract, components, paths, pathItem, operation, callback
  case parameter, header, requestBody, mediaType, encoding
  case responses, response, link, example, securityScheme, schema

  /// One field of an object that holds further objects.
  struct Field: Sendable {
    enum Shape: Sendable {
      case one, list, map
      /// A schema or a list of schemas, as `items` was before 2020-12.
      case oneOrList
    }

    let key: String
    let shape: Shape
    let kind: ObjectKind

    static func one(_ key: String, _ kind: ObjectKind) -> Field { Field(key: key, shape: .one, kind: kind) }
    static func list(_ key: String, _ kind: ObjectKind) -> Field { Field(key: key, shape: .list, kind: kind) }
    static func map(_ key: String, _ kind: ObjectKind) -> Field { Field(key: key, shape: .map, kind: kind) }
  }

  /// The fields of this kind that hold objects.
  func fields(in specification: Specification) -> [Field] {
    specification == .swagger2 ? swagger2Fields : openAPI3Fields(specification)
  }

  /// The kind of every member, where the object is a map itself.
  var memberKind: ObjectKind? {
    switch self {
    case .paths, .callback: .pathItem
    case .responses: .response
    default: nil
    }
  }

  private var swagger2Fields: [Field] {
    switch self {
    case .contract:
      [
        .one("paths", .paths), .map("definitions", .schema), .map("parameters", .parameter),
        .map("responses", .response), .map("securityDefinitions", .securityScheme),
      ]
    case .pathItem: Self.operations(.swagger2)
    case .operation: [.list("parameters", .parameter), .one("responses", .responses)]
    case .parameter: [.one("schema", .schema), .one("items", .schema)]
    case .header: [.one("items", .schema)]
    case .response: [.one("schema", .schema), .map("headers", .header)]
    case .schema: Self.draft4Fields
    default: []
    }
  }

  private func openAPI3Fields(_ specification: Specification) -> [Field] {
    switch self {
    case .contract: [.one("paths", .paths), .one("components", .components), .map("webhooks", .pathItem)]
    case .components: Self.sections.map { .map($0.key, $0.kind) }
    case .pathItem: Self.operations(specification) + [.map("additionalOperations", .operation)]
    case .operation:
      [
        .list("parameters", .parameter), .one("requestBody", .requestBody), .one("responses", .responses),
        .map("callbacks", .callback),
      ]
    case .parameter, .header: [.one("schema", .schema), .map("content", .mediaType), .map("examples", .example)]
    case .requestBody: [.map("content", .mediaType)]
    case .response: [.map("headers", .header), .map("content", .mediaType), .map("links", .link)]
    case .mediaType:
      [
        .one("schema", .schema), .one("itemSchema", .schema), .map("examples", .example), .map("encoding", .encoding),
        .list("prefixEncoding", .encoding), .one("itemEncoding", .encoding),
      ]
    case .encoding: [.map("headers", .header)]
    case .schema: specification == .openAPI30 ? Self.draft4Fields : Self.draft202012Fields
    default: []
    }
  }

  private static func operations(_ specification: Specification) -> [Field] {
    PathItemKeys.methods(specification).map { .one($0, .operation) } + [.list("parameters", .parameter)]
  }

  /// The sections of `components`, which also give the kind of a reference's target.
  static let sections: [(key: String, kind: ObjectKind)] = [
    ("schemas", .schema), ("responses", .response), ("parameters", .parameter), ("examples", .example),
    ("requestBodies", .requestBody), ("headers", .header), ("securitySchemes", .securityScheme), ("links", .link),
    ("callbacks", .callback), ("pathItems", .pathItem), ("mediaTypes", .mediaType),
  ]

  private static let draft4Fields: [Field] =
    ["items", "not", "additionalProperties"].map { .one($0, .schema) }
    + ["allOf", "oneOf", "anyOf"].map { .list($0, .schema) } + [.map("properties", .schema)]

  private static let draft202012Fields: [Field] =
    draft4Fields.filter { $0.key != "items" }
    + [Field(key: "items", shape: .oneOrList, kind: .schema), .list("prefixItems", .schema)]
    + ["if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"]
    .map { .one($0, .schema) }
    + ["patternProperties", "dependentSchemas", "$defs", "definitions"].map { .map($0, .schema) }

  /// The words for it in a message: `a path item`.
  var noun: String {
    switch self {
    case .components, .paths, .responses: return "a \(rawValue) object"
    default:
      let words = rawValue.reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)" }
      return "aeiou".contains(words.prefix(1)) ? "an \(words)" : "a \(words)"
    }
  }
}

/// The kinds of objects that a contract is made of, and what may stand in each: the specification as a table.
enum ObjectKind: Hashable, Sendable {
  case contract, components, paths, pathItem, operation, callback
  case parameter, header, requestBody, mediaType, encoding
  case responses, response, link, example, securityScheme, schema

  /// One field of an object that holds further objects.
  struct Field: Sendable {
    var key: String
    var shape: Shape
    var kind: ObjectKind
  }

  enum Shape: Sendable {
    case one, list, map
    /// A schema or a list of them, as `items` was before 2020-12.
    case oneOrList
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
        Field(key: "paths", shape: .one, kind: .paths), Field(key: "definitions", shape: .map, kind: .schema),
        Field(key: "parameters", shape: .map, kind: .parameter), Field(key: "responses", shape: .map, kind: .response),
        Field(key: "securityDefinitions", shape: .map, kind: .securityScheme),
      ]
    case .pathItem: operations(.swagger2)
    case .operation:
      [
        Field(key: "parameters", shape: .list, kind: .parameter),
        Field(key: "responses", shape: .one, kind: .responses),
      ]
    case .parameter:
      [Field(key: "schema", shape: .one, kind: .schema), Field(key: "items", shape: .one, kind: .schema)]
    case .header: [Field(key: "items", shape: .one, kind: .schema)]
    case .response:
      [Field(key: "schema", shape: .one, kind: .schema), Field(key: "headers", shape: .map, kind: .header)]
    case .schema: Self.draft4Fields
    default: []
    }
  }

  private func openAPI3Fields(_ specification: Specification) -> [Field] {
    switch self {
    case .contract:
      [
        Field(key: "paths", shape: .one, kind: .paths), Field(key: "components", shape: .one, kind: .components),
        Field(key: "webhooks", shape: .map, kind: .pathItem),
      ]
    case .components: Self.sections.map { Field(key: $0.key, shape: .map, kind: $0.kind) }
    case .pathItem:
      operations(specification) + [Field(key: "additionalOperations", shape: .map, kind: .operation)]
    case .operation:
      [
        Field(key: "parameters", shape: .list, kind: .parameter),
        Field(key: "requestBody", shape: .one, kind: .requestBody),
        Field(key: "responses", shape: .one, kind: .responses), Field(key: "callbacks", shape: .map, kind: .callback),
      ]
    case .parameter, .header:
      [
        Field(key: "schema", shape: .one, kind: .schema), Field(key: "content", shape: .map, kind: .mediaType),
        Field(key: "examples", shape: .map, kind: .example),
      ]
    case .requestBody: [Field(key: "content", shape: .map, kind: .mediaType)]
    case .response:
      [
        Field(key: "headers", shape: .map, kind: .header), Field(key: "content", shape: .map, kind: .mediaType),
        Field(key: "links", shape: .map, kind: .link),
      ]
    case .mediaType:
      [
        Field(key: "schema", shape: .one, kind: .schema), Field(key: "itemSchema", shape: .one, kind: .schema),
        Field(key: "examples", shape: .map, kind: .example), Field(key: "encoding", shape: .map, kind: .encoding),
        Field(key: "prefixEncoding", shape: .list, kind: .encoding),
        Field(key: "itemEncoding", shape: .one, kind: .encoding),
      ]
    case .encoding: [Field(key: "headers", shape: .map, kind: .header)]
    case .schema: specification == .openAPI30 ? Self.draft4Fields : Self.draft202012Fields
    default: []
    }
  }

  private func operations(_ specification: Specification) -> [Field] {
    PathItemKeys.methods(specification).map { Field(key: $0, shape: .one, kind: .operation) }
      + [Field(key: "parameters", shape: .list, kind: .parameter)]
  }

  /// The sections of `components`, which also tell what kind a reference leads to.
  static let sections: [(key: String, kind: ObjectKind)] = [
    ("schemas", .schema), ("responses", .response), ("parameters", .parameter), ("examples", .example),
    ("requestBodies", .requestBody), ("headers", .header), ("securitySchemes", .securityScheme), ("links", .link),
    ("callbacks", .callback), ("pathItems", .pathItem), ("mediaTypes", .mediaType),
  ]

  private static let draft4Fields: [Field] = [
    Field(key: "properties", shape: .map, kind: .schema), Field(key: "items", shape: .one, kind: .schema),
    Field(key: "allOf", shape: .list, kind: .schema), Field(key: "oneOf", shape: .list, kind: .schema),
    Field(key: "anyOf", shape: .list, kind: .schema), Field(key: "not", shape: .one, kind: .schema),
    Field(key: "additionalProperties", shape: .one, kind: .schema),
  ]

  private static let draft202012Fields: [Field] =
    draft4Fields.filter { $0.key != "items" } + [Field(key: "items", shape: .oneOrList, kind: .schema)]
    + ["if", "then", "else", "contains", "propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema"]
    .map { Field(key: $0, shape: .one, kind: .schema) }
    + ["patternProperties", "dependentSchemas", "$defs", "definitions"].map {
      Field(key: $0, shape: .map, kind: .schema)
    }
    + [Field(key: "prefixItems", shape: .list, kind: .schema)]

  /// The words for it in a message.
  var noun: String {
    switch self {
    case .contract: "a contract"
    case .components: "a components object"
    case .paths: "a paths object"
    case .pathItem: "a path item"
    case .operation: "an operation"
    case .callback: "a callback"
    case .parameter: "a parameter"
    case .header: "a header"
    case .requestBody: "a request body"
    case .mediaType: "a media type"
    case .encoding: "an encoding"
    case .responses: "a responses object"
    case .response: "a response"
    case .link: "a link"
    case .example: "an example"
    case .securityScheme: "a security scheme"
    case .schema: "a schema"
    }
  }
}

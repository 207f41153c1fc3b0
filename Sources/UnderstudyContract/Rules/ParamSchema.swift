extension LintRule {
  static let paramSchema = LintRule(
    "spec.param.schema", .error, "A parameter has no description of its values",
    help: """
      A parameter has `schema` or `content` (OAS 3.1, 4.8.12), in Swagger 2.0 `type`. Without one every text is valid, so that \
      neither side of the contract can be validated; a live run sends nothing that it could call valid.
      """,
    .parameters("- ↓{name: limit, in: query}"), .parameters("- {name: limit, in: query, schema: {type: integer}}"),
    .parameters(in: .swagger2, "- ↓{name: limit, in: query}"),
    .parameters(in: .swagger2, "- {name: limit, in: query, type: integer}")
  ) { subject, rule in
    subject.all(.parameter).compactMap { parameter in
      guard subject.specification == .swagger2 else {
        guard parameter["schema"] == nil, parameter["content"] == nil else { return nil }
        return Diagnostic(rule, "the parameter has neither `schema` nor `content`", at: parameter)
      }
      guard parameter["in"]?.isString("body") != true, parameter["type"] == nil else { return nil }
      let wrong = parameter["schema"].map { _ in "`schema` is only for `in: body`: write `type` beside `in`" }
      return Diagnostic(rule, "the parameter has no `type`", at: parameter, help: wrong)
    }
  }

  static let paramRequired = LintRule(
    "spec.param.required", .error, "A path parameter is not required",
    help: "A parameter `in: path` has `required: true` (OAS 3.1, 4.8.12): a path without its value is another path.",
    .paths(
      """
      /pets/{id}:
        get:
          parameters: [↓{name: id, in: path, schema: {type: string}}]
          responses: {"200": {description: OK}}
      /toys/{id}:
        get:
          parameters: [{name: id, in: path, required: true, schema: {type: string}}]
          responses: {"200": {description: OK}}
      """)
  ) { subject, rule in
    subject.all(.parameter).compactMap { parameter in
      guard parameter["in"]?.isString("path") == true, parameter["required"].map({ $0.bool == false }) ?? true
      else { return nil }
      return Diagnostic(rule, "the path parameter lacks `required: true`", at: parameter["required"] ?? parameter)
    }
  }

  static let paramType = LintRule(
    "spec.param.type", .error, "The `type` of a parameter is not a type of Swagger 2.0",
    help: """
      The types of parameters are `string`, `number`, `integer`, `boolean`, `array` and `file` (Swagger 2.0, "Parameter Object"). \
      A parameter with another one accepts every text.
      """,
    .parameters(in: .swagger2, "- {name: limit, in: query, type: ↓int}"),
    .parameters(in: .swagger2, "- {name: limit, in: query, type: integer}")
  ) { subject, rule in
    // Elsewhere the schema compiler reports unknown types.
    guard subject.specification == .swagger2 else { return [] }
    return (subject.all(.parameter) + subject.all(.header)).compactMap { parameter in
      guard let type = parameter["type"], let name = type.string, !Parameter.typesOfSwagger2.contains(name) else {
        return nil
      }
      let usual = usualTypes[name].map { "did you mean `\($0)`?" }
      return Diagnostic(
        rule, "`\(name)` is not a type of a parameter", at: type,
        help: usual ?? Suggestion.phrase(for: name, among: Parameter.typesOfSwagger2))
    }
  }

  /// The types of programming languages.
  private static let usualTypes = [
    "int": "integer", "long": "integer", "int32": "integer", "int64": "integer", "float": "number", "double": "number",
    "bool": "boolean", "str": "string", "text": "string", "date": "string", "datetime": "string", "list": "array",
  ]
}

extension Parameter {
  static let typesOfSwagger2 = ["string", "number", "integer", "boolean", "array", "file"]

  /// Whether the contract says which values it takes; an unknown `type` says nothing.
  package var isDescribed: Bool {
    guard let schema else { return content != nil }
    // In Swagger 2.0 the parameter is the schema, and must have a type.
    let isOwnSchema = schema.id == node.id
    guard let type = schema["type"] else { return !isOwnSchema }
    let known = isOwnSchema ? Self.typesOfSwagger2 : JSONTypeSet.allNames
    return type.isArray || type.string.map { known.contains($0) } ?? false
  }
}

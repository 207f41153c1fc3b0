extension LintRule {
  static let schemaRequiredDefault = LintRule(
    "spec.schema.required-default", .info, "A required value has a default, which never applies",
    help: "A default is what the receiver assumes for an absent value; a required value is never absent.",
    .parameters(
      """
      - {name: limit, in: query, required: true, schema: {type: integer, ↓default: 5}}
      - {name: offset, in: query, schema: {type: integer, default: 0}}
      """),
    .schemas(
      "Pet: {required: [name], properties: {name: {type: string, ↓default: Tom}, color: {type: string, default: red}}}")
  ) { subject, rule in
    let properties = subject.schemas.flatMap { schema -> [(name: String, schema: JSON)] in
      guard let required = schema["required"], required.isArray, let properties = schema["properties"] else {
        return []
      }
      let table = properties.memberTable
      return required.elements.filter(\.isString).compactMap { name in table[name.bytes].map { (name.text, $0) } }
    }
    let parameters = subject.all(.parameter).compactMap { node -> (name: String, schema: JSON)? in
      guard node["required"]?.bool == true, let name = node["name"]?.string else { return nil }
      return (name, subject.specification == .swagger2 ? node : node["schema"] ?? node)
    }
    return (properties + parameters).compactMap { name, schema in
      schema.key("default").map { Diagnostic(rule, "`\(name)` is required, so its default never applies", at: $0) }
    }
  }
}

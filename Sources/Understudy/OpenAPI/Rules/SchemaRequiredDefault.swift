extension Rule {
  package static let specSchemaRequiredDefault = Rule(
    "spec.schema.required-default", .info, owner: .contract, "A required value has a default, which can never apply",
    help: "A default is what the receiver assumes when a value is absent; a required one is never absent.",
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              parameters:
                - {name: limit, in: query, required: true, schema: {type: integer, ↓default: 5}}
                - {name: offset, in: query, schema: {type: integer, default: 0}}
              responses: {"200": {description: OK}}
        components:
          schemas:
            Pet:
              type: object
              required: [name]
              properties: {name: {type: string, ↓default: Tom}, color: {type: string, default: red}}
        """)
    ])
}

extension LintRule {
  static let schemaRequiredDefault = LintRule(.specSchemaRequiredDefault) { subject in
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
      schema.key("default").map { key in
        Diagnostic(.specSchemaRequiredDefault, "`\(name)` is required, so its default never applies", at: key)
      }
    }
  }
}

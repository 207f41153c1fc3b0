extension LintRule {
  static let paramWireCollision = LintRule(
    "spec.param.wire-collision", .warning, "Two query parameters use the same key on the wire",
    help: """
      An exploded form object is sent as its properties, without its own name; a `deepObject` as `name[property]`. If another \
      parameter has such a name, the server cannot know which of the two a value belongs to.
      """,
    .parameters(
      """
      - {name: filter, in: query, schema: {type: object, properties: {color: {type: string}}}}
      - {name: ↓color, in: query, schema: {type: string}}
      - {name: size, in: query, schema: {type: string}}
      - name: page
        in: query
        style: deepObject
        schema: {type: object, properties: {size: {type: integer}}}
      - {name: "page[number]", in: query, schema: {type: string}}
      - {name: ↓"page[size]", in: query, schema: {type: string}}
      """)
  ) { subject, rule in
    let schemas = subject.library
    var findings: [Diagnostic] = []
    var reported: Set<NodeID> = []
    for operation in subject.api.operations {
      var owners: [[UInt8]: Parameter] = [:]
      for parameter in operation.parameters where parameter.location == .query {
        for key in wireKeys(parameter, schemas) {
          guard let owner = owners.updateValue(parameter, forKey: key), owner.node.id != parameter.node.id,
            reported.insert(parameter.node.id).inserted
          else { continue }
          let text = String(decoding: key, as: UTF8.self)
          findings.append(
            Diagnostic(
              rule, "the parameters `\(owner.name)` and `\(parameter.name)` both use the key `\(text)`",
              at: parameter.node["name"] ?? parameter.node,
              notes: [Diagnostic.Note("the other parameter", at: Location(owner.node["name"] ?? owner.node))]))
        }
      }
    }
    return findings
  }

  private static func wireKeys(_ parameter: Parameter, _ schemas: SchemaLibrary) -> [[UInt8]] {
    let name = Array(parameter.name.utf8)
    guard let schema = parameter.schema.map(schemas.resolved) else { return [name] }
    switch parameter.style {
    case .form where parameter.explode && schema.types == .object:
      return schema.declaredProperties.map { Array($0.name.utf8) }
    case .deepObject: return schema.declaredProperties.map { Array("\(parameter.name)[\($0.name)]".utf8) }
    default: return [name]
    }
  }
}

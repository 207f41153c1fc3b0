package import SourceText

extension Rule {
  package static let specParamWireCollision = Rule(
    "spec.param.wire-collision", .warning, owner: .contract, "Two query parameters use the same key on the wire",
    help: """
      An exploded form object is sent as its properties, without its own name; a `deepObject` as `name[property]`. Where \
      another parameter is called so too, nobody can tell whose value it is.
      """,
    examples: [
      Example(
        """
        openapi: 3.0.3
        info: {title: Pets, version: "1"}
        paths:
          /pets:
            get:
              parameters:
                - name: filter
                  in: query
                  schema: {type: object, properties: {color: {type: string}}}
                - {name: ↓color, in: query, schema: {type: string}}
                - {name: size, in: query, schema: {type: string}}
                - name: page
                  in: query
                  style: deepObject
                  schema: {type: object, properties: {size: {type: integer}}}
                - {name: "page[number]", in: query, schema: {type: string}}
                - {name: ↓"page[size]", in: query, schema: {type: string}}
              responses: {"200": {description: OK}}
        """)
    ])
}

extension LintRule {
  static let paramWireCollision = LintRule(.specParamWireCollision) { subject in
    var facts = SchemaFacts(subject)
    var findings: [Diagnostic] = []
    var reported: Set<NodeID> = []
    for operation in subject.api.operations {
      var owners: [[UInt8]: Parameter] = [:]
      for parameter in operation.parameters where parameter.location == .query {
        for key in wireKeys(parameter, &facts) {
          guard let owner = owners.updateValue(parameter, forKey: key), owner.node.id != parameter.node.id,
            reported.insert(parameter.node.id).inserted
          else { continue }
          let name = parameter.node["name"] ?? parameter.node
          findings.append(
            Diagnostic(
              .specParamWireCollision,
              "the parameters `\(owner.name)` and `\(parameter.name)` both use the key `\(String(decoding: key, as: UTF8.self))`",
              at: name, notes: [Diagnostic.Note("the other parameter", at: Location(owner.node["name"] ?? owner.node))])
          )
        }
      }
    }
    return findings
  }

  private static func wireKeys(_ parameter: Parameter, _ facts: inout SchemaFacts) -> [[UInt8]] {
    let name = Array(parameter.name.utf8)
    guard let schema = parameter.schema else { return [name] }
    let isObject = facts.types(of: schema) == .object
    switch parameter.style {
    case .form where parameter.explode && isObject: return facts.properties(of: schema).map(\.key.bytes)
    case .deepObject:
      return facts.properties(of: schema).map { name + [UInt8(ascii: "[")] + $0.key.bytes + [UInt8(ascii: "]")] }
    default: return [name]
    }
  }
}

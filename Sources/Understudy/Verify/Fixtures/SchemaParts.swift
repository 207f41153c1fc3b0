import JSONSchema
import SourceText

/// What the schemas that hold together for one value say of its members: references and `allOf` followed.
struct SchemaParts {
  private var nodes: [JSON] = []
  /// Whether there is a choice somewhere, so that what is not found may still be allowed.
  private var hasChoices = false

  private static let limit = 100

  init(_ node: JSON, _ schemas: SchemaLibrary) {
    var pending = [node]
    while let node = pending.popLast(), nodes.count < Self.limit {
      nodes.append(node)
      if let target = schemas.target(ofReference: node) { pending.append(target) }
      pending += node["allOf"].map { Array($0.elements) } ?? []
      if ["oneOf", "anyOf", "if", "not", "patternProperties"].contains(where: { node[$0] != nil }) {
        hasChoices = true
      }
    }
  }

  func property(_ name: String) -> JSON? { nodes.lazy.compactMap { $0["properties"]?[name] }.first }

  /// The schema of elements.
  var items: JSON? { nodes.lazy.compactMap { $0["items"] }.first { $0.isObject } }

  /// Where the name is listed as required.
  func requirement(of name: String) -> JSON? {
    nodes.lazy.compactMap { $0["required"]?.elements.first { $0.isString(name) } }.first
  }

  /// The `additionalProperties: false` that forbids every other name; `nil` where a choice may allow them.
  var closure: JSON? {
    if hasChoices { return nil }
    return nodes.lazy.compactMap { $0["additionalProperties"] }.first { $0.bool == false }
  }

  /// The names of all properties, in the order of the contract.
  var names: [String] {
    var seen: Set<String> = []
    return nodes.flatMap { $0["properties"]?.members.map(\.name) ?? [] }.filter { seen.insert($0).inserted }
  }

  /// The values of `enum`, where there is one.
  var enumeration: [JSON]? { nodes.lazy.compactMap { $0["enum"] }.first.map { Array($0.elements) } }

  static func enumeration(of node: JSON) -> [JSON] { node["enum"].map { Array($0.elements) } ?? [] }
}

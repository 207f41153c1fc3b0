import UnderstudySchema
import UnderstudyVerification

/// A description with its schemas.
struct Description {
  let path: String
  let library: SchemaLibrary
  let root: JSON

  /// Loads a file; `nil` if it is not a Swagger or OpenAPI description.
  init?(_ path: String) {
    guard let source = try? FileSystem.read(path), let document = try? TextDocument.read(source) else { return nil }
    let root = document.root
    let dialect: Dialect
    if root["swagger"] != nil {
      dialect = .swagger2
    } else if let version = root["openapi"]?.string {
      dialect = version.hasPrefix("3.0") ? .openAPI30 : .openAPI31
    } else {
      return nil
    }
    guard root["paths"] != nil || root["components"] != nil || root["definitions"] != nil || root["webhooks"] != nil
    else { return nil }
    self.path = path
    self.root = root
    let store = DocumentStore()
    library = SchemaLibrary(dialect: dialect) { path in try? store.document(at: path).get() }
  }

  /// The descriptions in a folder and its subfolders, or one file; sorted by path.
  static func all(in path: String) -> [String] {
    guard FileSystem.isFolder(path) else { return [path] }
    var found: [String] = []
    for entry in (try? FileSystem.list(path)) ?? [] where !entry.name.hasPrefix(".") {
      let inner = path + "/" + entry.name
      if entry.isFolder {
        found += all(in: inner)
      } else if [".json", ".yaml", ".yml"].contains(where: { entry.name.hasSuffix($0) }) {
        found.append(inner)
      }
    }
    return found
  }

  /// A schema with its name.
  struct NamedSchema {
    let name: String
    let node: JSON
  }

  /// The schemas of components, definitions, bodies, parameters, headers and responses, in all referenced files.
  ///
  /// Parameters and headers of Swagger 2.0 are schemas themselves, without fields that are not keywords.
  var schemas: [NamedSchema] {
    var found: [NamedSchema] = []
    var seen: Set<String> = []
    var pending = [root]
    func add(_ node: JSON) { found.append(NamedSchema(name: name(of: node), node: node)) }
    while let node = pending.popLast() {
      if let reference = node["$ref"]?.string, reference.utf8.first != UInt8(ascii: "#"),
        let target = library.target(ofReference: node),
        seen.insert("\(target.document.source?.path ?? "") \(target.index)").inserted
      {
        pending.append(target)
      }
      if root["swagger"] != nil, node["in"]?.isString == true, node["type"]?.isString == true {
        found.append(NamedSchema(name: name(of: node), node: Self.schema(ofParameter: node)))
      }
      pending += node.elements.reversed()
      for member in node.members {
        switch member.name {
        case "schema", "itemSchema": if member.value.isObject { add(member.value) }
        case "schemas", "definitions": for schema in member.value.members { add(schema.value) }
        case "example", "examples", "x-examples": break
        default: pending.append(member.value)
        }
      }
    }
    return found
  }

  private func name(of node: JSON) -> String {
    let file = node.document.source?.path ?? path
    return (file == path ? "" : file) + "#\(node.pointer)"
  }

  private static func schema(ofParameter parameter: JSON) -> JSON {
    let others: Set<String> = ["name", "in", "required", "description", "collectionFormat", "allowEmptyValue"]
    let members = parameter.members.filter { !others.contains($0.name) }.map { ($0.name, $0.value) }
    return .object([("swagger", "2.0")] + members)
  }
}

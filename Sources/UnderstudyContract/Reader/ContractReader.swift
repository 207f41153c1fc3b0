/// The walk over paths, operations and responses that the readers of all versions share.
protocol ContractReader {
  var reading: Reading { get set }
  /// Responses read before, with the media types of 2.0's `produces`.
  var responses: [ResponseKey: Response] { get set }

  /// Reads what operations inherit from the root.
  init(_ reading: Reading)
  /// Adds what differs between the versions.
  mutating func complete(_ operation: inout Operation, in item: PathItem)
  /// A response without its status, description and meaning.
  mutating func response(_ node: JSON, produces: [String]) -> Response
}

struct ResponseKey: Hashable {
  var node: NodeID
  var produces: [String]
}

/// A path item, to which its operations refer.
struct PathItem {
  /// A template, the name of a webhook or an expression.
  var path: String
  var node: JSON
  /// The item as written, and the target of its `$ref`. The effect of fields beside `$ref` is undefined (OAS 3.1, 4.8.9.1);
  /// here they add to the target's.
  var layers: [JSON]
  var parameters: [JSON]
}

extension ContractReader {
  static func read(_ reading: Reading, name: String) -> API {
    var reader = Self(reading)
    return reader.read(name: name)
  }

  private mutating func read(name: String) -> API {
    let root = reading.root
    let (title, version) = reading.info()
    // From 3.1 on a document may hold components or webhooks alone.
    let isModern = reading.specification >= .openAPI31
    if root["paths"] == nil, !isModern || (root["components"] ?? root["webhooks"]) == nil {
      reading.reportMissing("paths", root, "contract")
    }
    let operations = reading.map(root, "paths", hasExtensions: true).flatMap { member -> [Operation] in
      if member.name.utf8.first == UInt8(ascii: "/") { return self.operations(member.value, path: member.name) }
      reading.report(
        Diagnostic(
          .specPathInvalid, "the path `\(member.name)` does not start with a slash", at: member.key,
          help: "write `/\(member.name)`"))
      return []
    }
    let webhooks =
      isModern ? reading.map(root, "webhooks").flatMap { self.operations($0.value, path: $0.name) } : []
    let schemes = reading.securitySchemes()
    return API(
      name: name, title: title, version: version, specification: reading.specification, root: root,
      servers: reading.rootServers, operations: operations, webhooks: webhooks, securitySchemes: schemes,
      resolver: reading.resolver, diagnostics: reading.diagnostics)
  }

  /// The operations of a path item, in document order.
  mutating func operations(_ value: JSON, path: String) -> [Operation] {
    guard let target = reading.object(value, "a path item") else { return [] }
    let layers = value.id == target.id ? [value] : [value, target]
    let parameters = layers.last { $0["parameters"] != nil }.map { reading.list($0, "parameters") } ?? []
    let item = PathItem(path: path, node: target, layers: layers, parameters: parameters)
    var result: [Operation] = []
    var seen: Set<String> = []
    for layer in layers {
      for member in layer.distinctMembers {
        var methods: [(name: String, value: JSON)] = []
        if PathItemKeys.methods(reading.specification).contains(member.name) {
          methods = [(member.name.uppercased(), member.value)]
        } else if member.name == "additionalOperations", reading.specification >= .openAPI32 {
          methods = reading.map(layer, member.name).map { ($0.name, $0.value) }
        } else {
          reading.reportUnknownMethod(member)
        }
        for (method, value) in methods where seen.insert(method).inserted {
          if let node = reading.object(value, "an operation") { result.append(operation(node, method, in: item)) }
        }
      }
    }
    return result
  }

  private mutating func operation(_ node: JSON, _ method: String, in item: PathItem) -> Operation {
    let operationId = reading.operationId(node)
    var operation = Operation(
      id: reading.names.id(operationId: operationId, method: method, path: item.path), operationId: operationId,
      method: method, path: item.path, summary: reading.string(node, "summary"),
      tags: reading.list(node, "tags").compactMap(\.string), isDeprecated: reading.flag(node, "deprecated"),
      security: reading.security(node) ?? reading.rootSecurity, node: node, pathNode: item.node)
    complete(&operation, in: item)
    return operation
  }

  /// The responses of an operation, in document order; the linter reports keys that are not a status.
  mutating func responses(of operation: JSON, produces: [String] = []) -> [Response] {
    var result: [Response] = []
    var meanings: [String?] = []
    var seen: Set<Response.Status> = []
    for member in reading.map(operation, "responses", hasExtensions: true) {
      guard let status = Response.Status(lenient: member.name), seen.insert(status).inserted,
        let node = reading.object(member.value, "a response")
      else { continue }
      let key = ResponseKey(node: node.id, produces: produces)
      var response = responses[key] ?? self.response(node, produces: produces)
      responses[key] = response
      response.status = status
      response.description = reading.overridden(member.value, node, "description") ?? ""
      result.append(response)
      // `x-meaning` may differ between two uses of one shared response.
      meanings.append(Self.explicitMeaning(member.value) ?? Self.explicitMeaning(node))
    }
    ResponseMeaning.assign(to: &result, explicit: meanings)
    return result
  }

  /// `x-meaning`, unless it is also a status.
  private static func explicitMeaning(_ node: JSON) -> String? {
    node["x-meaning"]?.string.flatMap { $0.isEmpty || Response.Status(lenient: $0) != nil ? nil : $0 }
  }

  /// Parameters of an operation replace those of the path item; of two in one list, the first counts.
  static func merge<Input>(_ shared: [Input], _ own: [Input], by key: (Input) -> ParameterKey) -> [Input] {
    var seen: Set<ParameterKey> = []
    let own = own.filter { seen.insert(key($0)).inserted }
    return shared.filter { seen.insert(key($0)).inserted } + own
  }
}

/// Name and location of a parameter; names of headers are case-insensitive.
package struct ParameterKey: Hashable {
  private let location: String
  private let name: [UInt8]

  package init(_ name: String, in location: String) {
    self.location = location
    self.name = Array((location == "header" ? name.lowercased() : name).utf8)
  }
}

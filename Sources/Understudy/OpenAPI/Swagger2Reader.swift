/// Reads Swagger 2.0 into the model of 3.x; one extension per noun that differs.
struct Swagger2Reader {
  let root: JSON
  var reading: Reading
  private var names = OperationNames()
  private var rootServers: [Server] = []
  private var rootSecurity: [SecurityRequirement] = []
  private var consumes: [String] = []
  private var produces: [String] = []
  var parameters: [NodeID: Parameter] = [:]
  /// By response and the media types it is sent in, which come from elsewhere.
  var responses: [ResponseKey: Response] = [:]

  struct ResponseKey: Hashable {
    var node: NodeID
    var produces: [String]
  }

  static func read(_ root: JSON, name: String, _ reading: Reading) -> API {
    var reader = Swagger2Reader(root: root, reading: reading)
    return reader.read(name: name)
  }

  private init(root: JSON, reading: Reading) {
    self.root = root
    self.reading = reading
  }

  private mutating func read(name: String) -> API {
    let info = InfoReader.read(root, &reading)
    let schemes = mediaList(root, "schemes") ?? []
    rootServers = servers(schemes)
    rootSecurity = SecurityReader.requirements(root, &reading) ?? []
    consumes = mediaList(root, "consumes") ?? []
    produces = mediaList(root, "produces") ?? []
    if root["paths"] == nil { reading.reportMissing("paths", root, "contract") }
    var operations: [Operation] = []
    for member in reading.map(root, "paths", hasExtensions: true) {
      let path = member.name
      guard path.utf8.first == UInt8(ascii: "/") else {
        reading.report(.pathWithoutSlash(member.key))
        continue
      }
      operations += self.operations(member.value, path: path)
    }
    let securitySchemes = securitySchemes()
    return API(
      name: name, title: info.title, version: info.version, specification: .swagger2, root: root, servers: rootServers,
      operations: operations, webhooks: [], securitySchemes: securitySchemes, resolver: reading.resolver,
      diagnostics: reading.diagnostics)
  }

  /// One server per scheme. Without `schemes` the URL has none, as without `host` it has no host: both default to
  /// where the document was served.
  private mutating func servers(_ schemes: [String]) -> [Server] {
    let basePath = reading.string(root, "basePath") ?? ""
    guard let host = reading.string(root, "host"), !host.isEmpty else {
      return [Server(url: basePath.isEmpty ? "/" : basePath, variables: [], node: root["basePath"])]
    }
    let slash = basePath.isEmpty || basePath.utf8.first == UInt8(ascii: "/") ? "" : "/"
    let prefixes = schemes.isEmpty ? [""] : schemes.map { $0 + ":" }
    return prefixes.map { Server(url: "\($0)//\(host)\(slash)\(basePath)", variables: [], node: root["host"]) }
  }

  /// A list of strings; an empty list differs from none: on an operation it clears what the root says.
  private mutating func mediaList(_ node: JSON, _ key: String) -> [String]? {
    guard node[key] != nil else { return nil }
    return reading.list(node, key).compactMap(\.string)
  }
}

extension Swagger2Reader {
  private mutating func operations(_ value: JSON, path: String) -> [Operation] {
    guard let target = reading.object(value, "a path item") else { return [] }
    let layers = value.id == target.id ? [value] : [value, target]
    let shared = layers.last { $0["parameters"] != nil }.map { reading.list($0, "parameters") } ?? []
    var result: [Operation] = []
    var seen: Set<String> = []
    for layer in layers {
      for member in layer.distinctMembers {
        let name = member.name
        guard PathItemKeys.methods(reading.specification).contains(name) else {
          reading.reportUnknownMethod(member)
          continue
        }
        guard seen.insert(name).inserted, let node = reading.object(member.value, "an operation") else { continue }
        result.append(operation(node, method: name.uppercased(), path: path, pathNode: target, shared: shared))
      }
    }
    return result
  }

  private mutating func operation(
    _ node: JSON, method: String, path: String, pathNode: JSON, shared: [JSON]
  ) -> Operation {
    let operationId = names.operationId(node, &reading)
    let consumes = mediaList(node, "consumes") ?? consumes
    let produces = mediaList(node, "produces") ?? produces
    let inputs = inputs(shared: shared, own: reading.list(node, "parameters"))
    let schemes = mediaList(node, "schemes")
    return Operation(
      id: names.id(operationId: operationId, method: method, path: path),
      operationId: operationId,
      method: method,
      path: path,
      summary: reading.string(node, "summary"),
      tags: reading.list(node, "tags").compactMap(\.string),
      isDeprecated: reading.flag(node, "deprecated"),
      parameters: inputs.compactMap { parameter($0) },
      requestBody: requestBody(inputs, consumes: consumes),
      responses: operationResponses(node, produces: produces),
      security: SecurityReader.requirements(node, &reading) ?? rootSecurity,
      servers: schemes.map { servers($0) } ?? rootServers,
      callbacks: [],
      node: node, pathNode: pathNode)
  }
}

extension OpenAPI3Reader {
  /// The operations of a path item, in document order; `path` is a template, a webhook's name or an expression.
  mutating func operations(_ value: JSON, path: String) -> [Operation] {
    guard let target = reading.object(value, "a path item") else { return [] }
    // What stands beside `$ref` is undefined (4.8.9.1); the local fields are taken to add to the target's.
    let layers = value.id == target.id ? [value] : [value, target]
    let shared = layers.last { $0["parameters"] != nil }.map { reading.list($0, "parameters") } ?? []
    let servers = layers.map { self.servers($0) }.first { !$0.isEmpty }
    let item = PathItem(path: path, node: target, parameters: parameters(shared), servers: servers ?? rootServers)
    var result: [Operation] = []
    var seen: Set<String> = []
    for layer in layers {
      for member in layer.distinctMembers {
        let name = member.name
        if PathItemKeys.methods(reading.specification).contains(name) {
          guard seen.insert(name).inserted else { continue }
          if let operation = operation(member.value, method: name.uppercased(), item) { result.append(operation) }
        } else if name == "additionalOperations", reading.specification >= .openAPI32 {
          for member in reading.map(layer, name) where seen.insert(member.name).inserted {
            if let operation = operation(member.value, method: member.name, item) { result.append(operation) }
          }
        } else {
          reading.reportUnknownMethod(member)
        }
      }
    }
    return result
  }

  private struct PathItem {
    var path: String
    var node: JSON
    var parameters: [Parameter]
    var servers: [Server]
  }

  private mutating func operation(_ value: JSON, method: String, _ item: PathItem) -> Operation? {
    guard let node = reading.object(value, "an operation") else { return nil }
    let operationId = names.operationId(node, &reading)
    let own = servers(node)
    return Operation(
      id: names.id(operationId: operationId, method: method, path: item.path),
      operationId: operationId,
      method: method,
      path: item.path,
      summary: reading.string(node, "summary"),
      tags: reading.list(node, "tags").compactMap(\.string),
      isDeprecated: reading.flag(node, "deprecated"),
      parameters: Parameter.merge(item.parameters, overriddenBy: parameters(reading.list(node, "parameters"))),
      requestBody: node["requestBody"].flatMap { requestBody($0) },
      responses: operationResponses(node),
      security: security(node) ?? rootSecurity,
      servers: own.isEmpty ? item.servers : own,
      callbacks: callbacks(node),
      node: node, pathNode: item.node)
  }

  /// Callbacks within callbacks; references could chain any number of them.
  private static let maximumCallbackDepth = 16

  /// Callbacks of an operation; each Callback Object is read once, since they may refer to each other in circles.
  private mutating func callbacks(_ node: JSON) -> [Callback] {
    guard callbackDepth < Self.maximumCallbackDepth else { return [] }
    callbackDepth += 1
    defer { callbackDepth -= 1 }
    var result: [Callback] = []
    for member in reading.map(node, "callbacks") {
      guard let object = reading.object(member.value, "a callback") else { continue }
      if callbacks[object.id] == nil {
        callbacks[object.id] = []
        callbacks[object.id] = object.distinctMembers.filter { !$0.key.isExtensionKey }.map { entry in
          Callback(name: member.name, expression: entry.name, operations: operations(entry.value, path: entry.name))
        }
      }
      result += (callbacks[object.id] ?? []).map { callback in
        var callback = callback
        callback.name = member.name
        return callback
      }
    }
    return result
  }
}

extension Parameter {
  /// Operation-level parameters replace those of the path item with the same name and location.
  static func merge(_ shared: [Parameter], overriddenBy own: [Parameter]) -> [Parameter] {
    if own.isEmpty { return shared }
    let replaced = Set(own.map(\.identity))
    return shared.filter { !replaced.contains($0.identity) } + own
  }

  /// Name and location; the names of headers have no case.
  var identity: Identity {
    Identity(location: location, name: Array((location == .header ? name.lowercased() : name).utf8))
  }

  struct Identity: Hashable {
    var location: Location
    var name: [UInt8]
  }
}

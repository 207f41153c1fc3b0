/// Reads the servers and the credentials of an AsyncAPI document of version 2 or 3 for a comparison.
struct AsyncAPIServers {
  private let root: JSON
  private let resolver: ReferenceResolver
  /// The servers by their names.
  private var servers: [(name: String, ids: [NodeID], server: EventServer)] = []

  init(_ root: JSON, _ resolver: ReferenceResolver) {
    (self.root, self.resolver) = (root, resolver)
    for member in root["servers"].flatMap(resolved)?.distinctMembers ?? [] where !member.key.isExtensionKey {
      guard let node = resolved(member.value), node.isObject else { continue }
      servers.append((member.name, ids(member.value), server(node)))
    }
  }

  private func resolved(_ value: JSON) -> JSON? { try? resolver.resolve(value).get() }
  private func ids(_ value: JSON) -> [NodeID] { [value.id] + (resolved(value).map { [$0.id] } ?? []) }

  private func server(_ node: JSON) -> EventServer {
    let text = node["url"]?.string
    let address = text.map { $0.split(separator: "://", maxSplits: 1).last.map(String.init) ?? "" }
    let former = address.flatMap { text in text.firstIndex(of: "/").map { String(text[$0...]) } }
    var path = node["pathname"]?.string ?? former ?? ""
    while path.hasSuffix("/") { path.removeLast() }
    return EventServer(
      scheme: Self.family(node["protocol"]?.string?.lowercased() ?? ""), path: path, node: node,
      security: requirements(node["security"]) ?? [])
  }

  /// The protocol without its transport: encryption differs between environments.
  private static func family(_ scheme: String) -> String {
    let encrypted = [
      "wss": "ws", "https": "http", "mqtts": "mqtt", "secure-mqtt": "mqtt", "amqps": "amqp", "kafka-secure": "kafka",
      "stomps": "stomp", "rediss": "redis",
    ]
    return encrypted[scheme] ?? scheme
  }

  /// The servers of a channel: all if it lists none.
  func servers(of channel: JSON) -> [EventServer] {
    guard let list = channel["servers"]?.array, !list.isEmpty else { return servers.map(\.server) }
    return list.compactMap { entry in
      if let name = entry.string { return servers.first { $0.name.utf8Equals(name) }?.server }
      let next = entry.reference.flatMap { try? resolver.target(of: $0).get() }
      let wanted = Set((next.map(ids) ?? []) + ids(entry))
      return servers.first { !wanted.isDisjoint(with: $0.ids) }?.server
    }
  }

  /// The alternatives of a `security` list; `nil` without one.
  func requirements(_ list: JSON?) -> [SecurityRequirement]? {
    guard let list = list?.array else { return nil }
    return list.compactMap { entry in
      if entry.reference == nil, entry["type"]?.string == nil {
        let schemes = entry.distinctMembers.map { (name: $0.name, scopes: $0.value.elements.compactMap(\.string)) }
        return SecurityRequirement(schemes, node: entry)
      }
      guard let node = resolved(entry) else { return nil }
      let name = entry.reference?.text.split(separator: "/").last.map(String.init) ?? node["type"]?.string ?? ""
      let scopes = node["scopes"]?.elements.compactMap(\.string) ?? []
      return SecurityRequirement([(name, scopes)], node: entry)
    }
  }

  /// The credentials that requirements name, and those that servers and operations define in place.
  var schemes: [SecurityScheme] {
    let definitions = root["components"]?["securitySchemes"].flatMap(resolved)?.distinctMembers ?? []
    let declared = definitions.compactMap { member in resolved(member.value).map { scheme(member.name, $0) } }
    let places = members(of: "servers") + members(of: "operations")
    let inline = places.flatMap { $0["security"]?.elements.filter { $0["type"] != nil } ?? [] }
    return declared + inline.map { scheme($0["type"]?.string ?? "", $0) }
  }

  private func members(of key: String) -> [JSON] {
    root[key].flatMap(resolved)?.distinctMembers.compactMap { resolved($0.value) } ?? []
  }

  private func scheme(_ name: String, _ node: JSON) -> SecurityScheme {
    let type = node["type"]?.string ?? ""
    let location = node["in"]?.string
    let kind: SecurityScheme.Kind =
      switch type {
      case "http": .http(scheme: node["scheme"]?.string?.lowercased() ?? "")
      case "httpApiKey":
        .apiKey(name: node["name"]?.string ?? "", in: location.flatMap { Parameter.Location(rawValue: $0) } ?? .header)
      case "oauth2": .oauth2
      case "openIdConnect": .openIdConnect
      case "apiKey": .unknown("apiKey in \(location ?? "user")")
      default: .unknown(type)
      }
    return SecurityScheme(name, kind, node: node)
  }
}

/// A server that channels are on.
struct EventServer {
  /// The protocol without encryption: `ws` for `wss`.
  var scheme: String
  /// The path of the address, without a slash at the end.
  var path: String
  var node: JSON
  /// The alternatives of credentials; none for anonymous clients.
  var security: [SecurityRequirement]

  var base: String { "\(scheme) \(path.isEmpty ? "/" : path)" }
}

import UnderstudySockets

/// A message of a channel (AsyncAPI 3.0.0, Message Object).
struct AsyncAPIMessage {
  let key: String
  /// The message, references followed.
  let node: JSON
  /// The value in the channel, which operations refer to.
  let id: NodeID
  private let traits: [JSON]

  private static let keys = [
    "headers", "payload", "correlationId", "contentType", "name", "bindings", "examples", "traits",
  ]

  init?(_ key: String, _ value: JSON, _ reading: inout AsyncAPIReading) {
    guard let node = reading.object(value, "a message") else { return nil }
    (self.key, self.node, id) = (key, node, value.id)
    traits = (reading.list(node, "traits") ?? []).compactMap { reading.object($0, "a trait") }
    reading.checkKeys(of: node, Self.keys)
    for trait in traits { reading.checkKeys(of: trait, Self.keys.filter { $0 != "payload" }) }
  }

  /// A field of the message, else of its last trait that has it (AsyncAPI 3.0.0, Traits Merge Mechanism).
  func field(_ name: String) -> JSON? { node[name] ?? traits.reversed().lazy.compactMap { $0[name] }.first }

  /// Its `name`, else its key.
  var name: String { field("name")?.string ?? key }

  var example: JSON? { field("examples")?.elements.lazy.compactMap { $0["payload"] }.first }

  func reportFields(_ reading: inout AsyncAPIReading) {
    for part in [node] + traits {
      for name in ["headers", "correlationId"] {
        guard let key = part.key(name) else { continue }
        reading.ignore("`\(name)` of a message is not used", at: key, severity: .info)
      }
      reading.checkBindings(of: part, "a message")
    }
  }

  /// The schema of its payload; `nil` where any payload is accepted, or its format is not validated.
  func schema(_ reading: inout AsyncAPIReading) -> JSON? {
    guard let payload = node["payload"], let target = reading.resolve(payload) else { return nil }
    guard target.isObject || target.bool != nil else {
      reading.reject("`payload` must be a schema, found \(target.kindName)", at: target)
      return nil
    }
    // A Multi Format Schema Object has both.
    guard let format = target["schemaFormat"], let schema = target["schema"] else { return payload }
    guard let name = format.string else {
      reading.reject("`schemaFormat` must be a string, found \(format.kindName)", at: format)
      return nil
    }
    // A reference leads to a document of its own dialect.
    if Self.isDraft7(name) || schema.reference != nil && Self.isJSONSchema(name) { return schema }
    reading.ignore(
      "a payload of the format `\(name)` is not validated", at: format,
      help: Self.isJSONSchema(name)
        ? "refer to it in a document that declares its dialect"
        : "known: application/vnd.aai.asyncapi, application/schema+json;version=draft-07")
    return nil
  }

  /// The formats that are written as schemas of an AsyncAPI document are (AsyncAPI 3.0.0, Schema Formats Table).
  private static func isDraft7(_ format: String) -> Bool {
    let format = format.lowercased().filter { $0 != " " }
    if format.hasPrefix("application/vnd.aai.asyncapi") { return true }
    return ["application/schema+json", "application/schema+yaml"].contains { name in
      format == name || format.hasPrefix("\(name);") && format.contains("version=draft-07")
    }
  }

  private static func isJSONSchema(_ format: String) -> Bool {
    ["application/schema+", "application/vnd.oai.openapi"].contains { format.lowercased().hasPrefix($0) }
  }

  struct Arguments {
    /// `nil` for any arguments.
    let schemas: [JSON]?
    /// Whether the payload is the list of them, rather than the only one.
    var isList = false
  }

  /// The arguments of a Socket.IO event: the elements of a list payload with a schema for each, or the payload itself.
  func arguments(_ reading: inout AsyncAPIReading) -> Arguments {
    guard let schema = schema(&reading), let target = reading.resolve(schema) else { return Arguments(schemas: nil) }
    guard target["type"]?.isString("array") == true else { return Arguments(schemas: [schema]) }
    let (items, rest) =
      target["prefixItems"].map { ($0, target["items"]) } ?? (target["items"], target["additionalItems"])
    guard let items, items.isArray else {
      guard target["items"] == nil, let rest = target.key("additionalItems") else {
        return Arguments(schemas: [schema])
      }
      reading.ignore("an event of any number of arguments is not validated", at: rest)
      return Arguments(schemas: nil, isList: true)
    }
    if let rest, rest.bool != false {
      reading.ignore("an event of any number of arguments is not validated", at: rest)
      return Arguments(schemas: nil, isList: true)
    }
    return Arguments(schemas: items.array, isList: true)
  }

  /// The only argument of a message of a WebSocket or a stream.
  func text(_ reading: inout AsyncAPIReading) -> Arguments {
    if let type = field("contentType") ?? reading.root["defaultContentType"], let name = type.string {
      switch MediaRange(name)?.syntax {
      case .json?, .text?, .eventStream?, .jsonSequence?, nil: break
      case .form?, .multipart?, .xml?, .binary?:
        reading.ignore("messages of `\(name)` are not validated", at: type)
        return Arguments(schemas: nil)
      }
    }
    return Arguments(schemas: schema(&reading).map { [$0] })
  }

  /// The members of its payload that have one value, a string, by name.
  func constants(_ reading: AsyncAPIReading) -> [(name: String, value: String)] {
    guard let payload = node["payload"], case .success(let target) = reading.resolver.resolve(payload) else {
      return []
    }
    let schema = target["schemaFormat"] == nil ? target : target["schema"] ?? target
    var visited: Set<NodeID> = []
    return Self.constants(of: schema, reading.resolver, &visited)
  }

  /// - Parameter visited: The schemas that were read, each once: they may refer to each other in circles.
  private static func constants(
    of schema: JSON, _ resolver: ReferenceResolver, _ visited: inout Set<NodeID>
  ) -> [(name: String, value: String)] {
    guard visited.count < visitLimit, case .success(let schema) = resolver.resolve(schema),
      visited.insert(schema.id).inserted
    else { return [] }
    let own = (schema["properties"]?.distinctMembers ?? []).compactMap { member -> (String, String)? in
      guard case .success(let value) = resolver.resolve(member.value) else { return nil }
      if let constant = value["const"]?.string { return (member.name, constant) }
      guard let values = value["enum"], values.count == 1 else { return nil }
      return values[0]?.string.map { (member.name, $0) }
    }
    return own + (schema["allOf"]?.elements.flatMap { constants(of: $0, resolver, &visited) } ?? [])
  }

  private static let visitLimit = 100
}

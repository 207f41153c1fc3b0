/// Reads the channels of an AsyncAPI document of version 2 or 3 for a comparison.
///
/// Other parts of the product report invalid parts; here they are left out.
struct AsyncAPIChannels {
  private let root: JSON
  private let resolver: ReferenceResolver
  private let servers: AsyncAPIServers
  private let isClient: Bool
  private var channels: [EventChannel] = []
  /// The positions of channels by the nodes that references may lead to.
  private var positions: [NodeID: Int] = [:]
  /// The messages of each channel with the nodes that references may lead to.
  private var declared: [[(ids: [NodeID], message: EventMessage)]] = []

  init(_ root: JSON, _ resolver: ReferenceResolver, _ servers: AsyncAPIServers) {
    (self.root, self.resolver, self.servers) = (root, resolver, servers)
    isClient = root["x-understudy-role"]?.isString("client") == true
  }

  mutating func read() -> [EventChannel] {
    let isFormer = root["asyncapi"]?.text.hasPrefix("2.") == true
    for member in members(root["channels"]) {
      guard let node = resolved(member.value), node.isObject else { continue }
      if isFormer {
        former(member.name, node)
      } else {
        channel(member, node)
      }
    }
    if !isFormer {
      for member in members(root["operations"]) {
        if let node = resolved(member.value) { operation(node) }
      }
      for position in channels.indices where channels[position].messages.isEmpty { undirected(position) }
    }
    return channels
  }

  private func resolved(_ value: JSON) -> JSON? { try? resolver.resolve(value).get() }

  private func members(_ value: JSON?) -> [JSON.Member] {
    value.flatMap(resolved)?.distinctMembers.filter { !$0.key.isExtensionKey } ?? []
  }

  /// The nodes that a reference to a value may lead to.
  private func ids(_ value: JSON) -> [NodeID] { [value.id] + (resolved(value).map { [$0.id] } ?? []) }

  /// Whether a server speaks Socket.IO, where messages have names.
  private var hasNames: Bool {
    members(root["servers"]).contains { member in
      let server = resolved(member.value)
      let words = [server?["protocol"]?.string, server?["pathname"]?.string].compactMap { $0?.lowercased() }
      return words.contains { $0.contains("socket.io") || $0.contains("socketio") }
    }
  }

  // MARK: - Version 3

  private mutating func channel(_ member: JSON.Member, _ node: JSON) {
    for id in ids(member.value) where positions[id] == nil { positions[id] = channels.count }
    var channel = EventChannel(name: member.name, address: node["address"]?.string ?? member.name, node: node)
    channel.hasNames = hasNames
    channel.servers = servers.servers(of: node)
    channels.append(channel)
    declared.append(
      members(node["messages"]).compactMap { entry in
        message(entry.name, entry.value).map { (ids(entry.value), $0) }
      })
  }

  private mutating func operation(_ node: JSON) {
    guard let position = position(node["channel"]), let action = node["action"]?.string else { return }
    let isFromClient = (action == "receive") != isClient
    let reply = node["reply"].flatMap(resolved)
    for var message in messages(node, position) {
      message.security = servers.requirements(field("security", of: node))
      message.operationBindings = field("bindings", of: node)
      add(message, isFromClient, reply != nil, to: position)
    }
    guard let reply, let place = reply["channel"] == nil ? position : self.position(reply["channel"]) else { return }
    for message in messages(reply, place) { add(message, !isFromClient, false, to: place) }
  }

  private func position(_ channel: JSON?) -> Int? {
    guard let channel else { return nil }
    let next = channel.reference.flatMap { try? resolver.target(of: $0).get() }
    return (next.map(ids) ?? ids(channel)).lazy.compactMap { positions[$0] }.first
  }

  /// The messages of an operation or a reply: all of the channel where it lists none.
  private func messages(_ node: JSON, _ position: Int) -> [EventMessage] {
    guard let list = node["messages"]?.array else { return declared[position].map(\.message) }
    return list.compactMap { value in
      let next = value.reference.flatMap { try? resolver.target(of: $0).get() }
      let wanted = Set(next.map(ids) ?? ids(value))
      return declared[position].first { !wanted.isDisjoint(with: $0.ids) }?.message
        ?? message(Self.lastToken(of: value) ?? "message", value)
    }
  }

  private mutating func add(_ message: EventMessage, _ isFromClient: Bool, _ hasReply: Bool, to position: Int) {
    var message = message
    (message.isFromClient, message.hasReply) = (isFromClient, hasReply)
    channels[position].add(message)
  }

  /// Messages that no operation names may come from both sides.
  private mutating func undirected(_ position: Int) {
    for (_, message) in declared[position] {
      for isFromClient in [true, false] { add(message, isFromClient, false, to: position) }
    }
  }

  // MARK: - Version 2

  private mutating func former(_ name: String, _ node: JSON) {
    var channel = EventChannel(name: name, address: name, node: node)
    channel.hasNames = hasNames
    channel.servers = servers.servers(of: node)
    for (key, isFromClient) in [("publish", true), ("subscribe", false)] {
      guard let operation = node[key].flatMap(resolved), let value = operation["message"],
        let target = resolved(value)
      else { continue }
      let list = target["oneOf"]?.array ?? [value]
      for entry in list {
        guard var message = message(Self.lastToken(of: entry) ?? "message", entry) else { continue }
        message.isFromClient = isFromClient != isClient
        message.security = servers.requirements(field("security", of: operation))
        message.operationBindings = field("bindings", of: operation)
        channel.add(message)
      }
    }
    channels.append(channel)
  }

  // MARK: - Messages

  private static func lastToken(of value: JSON) -> String? {
    value.reference?.text.split(separator: "/").last.map(String.init)
  }

  private func message(_ key: String, _ value: JSON) -> EventMessage? {
    guard let node = resolved(value), node.isObject else { return nil }
    var message = EventMessage(name: field("name", of: node)?.string ?? key, isFromClient: false, node: node)
    message.headers = field("headers", of: node)
    message.bindings = field("bindings", of: node)
    message.contentType = (field("contentType", of: node) ?? root["defaultContentType"])?.string?.lowercased()
    guard let payload = node["payload"] else { return message }
    let target = resolved(payload)
    // A Multi Format Schema Object has both members.
    let isWrapped = target?["schemaFormat"] != nil && target?["schema"] != nil
    if let format = (isWrapped ? target?["schemaFormat"] : node["schemaFormat"])?.string, !Self.isJSONSchema(format) {
      message.foreign = isWrapped ? target?["schema"] : payload
    } else {
      message.schemas = [isWrapped ? target?["schema"] ?? payload : payload]
    }
    return message
  }

  /// A field of a message or an operation, or of its last trait with this field.
  private func field(_ name: String, of node: JSON) -> JSON? {
    if let own = node[name] { return resolved(own) }
    let traits = node["traits"]?.elements.compactMap { resolved($0) } ?? []
    return traits.reversed().lazy.compactMap { $0[name] }.first.flatMap(resolved)
  }

  private static func isJSONSchema(_ format: String) -> Bool {
    ["application/schema+", "application/vnd.aai.asyncapi", "application/vnd.oai.openapi"].contains {
      format.lowercased().hasPrefix($0)
    }
  }
}

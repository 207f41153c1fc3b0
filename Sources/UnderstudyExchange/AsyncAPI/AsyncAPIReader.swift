package import UnderstudySockets

/// Reads the sockets and streams of an AsyncAPI 3 document.
///
/// The described application is the server: a message that it receives is an event of a client (AsyncAPI 3.0.0, Operation
/// Object, `action`). `x-understudy-role: client` at the root is for a document that describes the client.
package struct AsyncAPIReader {
  /// A message in one direction, in an operation or its reply.
  struct Use {
    let message: AsyncAPIMessage
    let isFromClient: Bool
  }

  /// A channel that is served, with its messages in the order of the operations.
  struct Channel {
    let name: String
    let node: JSON
    let messages: [AsyncAPIMessage]
    /// `nil` where it is not known.
    let address: String?
    let supplement: SocketReader.Supplement?
    /// The positions of the messages by the nodes that references may lead to.
    let positions: [NodeID: Int]
    var uses: [Use] = []
    var replies: [AsyncAPIReply] = []

    /// The event that the channel is, on Socket.IO: an address without a slash, of one message. Otherwise it names a room.
    var event: String? {
      guard let address, !address.hasPrefix("/"), Set(uses.map(\.message.id)).count == 1 else { return nil }
      return address
    }

    init(
      _ name: String, _ node: JSON, _ messages: [AsyncAPIMessage], _ supplement: SocketReader.Supplement?
    ) {
      (self.name, self.node, self.messages, self.supplement) = (name, node, messages, supplement)
      address = node["address"]?.string
      let nodes = messages.enumerated().flatMap { [($0.element.id, $0.offset), ($0.element.node.id, $0.offset)] }
      positions = Dictionary(nodes, uniquingKeysWith: { first, _ in first })
    }
  }

  var reading: AsyncAPIReading
  let api: API
  /// The names of the files in `_events`.
  let files: Set<String>
  let sample: (JSON) -> JSON?
  private(set) var servers: [AsyncAPIServer] = []
  var channels: [Channel] = []
  /// The index in `channels` of each channel node; `nil` if the channel is not served.
  private var positions: [NodeID: Int?] = [:]
  /// The HTTP methods of the operations of channels, by the nodes of the channels.
  private(set) var methods: [NodeID: String] = [:]
  private var groups: [AsyncAPIGroup] = []
  private var reader = SocketReader()
  private var isClient = false

  private static let keys = [
    "asyncapi", "id", "info", "servers", "defaultContentType", "channels", "operations", "components",
    "x-understudy-role",
  ]
  private static let channelKeys = ["address", "messages", "servers", "parameters", "bindings", SocketReader.key]
  private static let operationKeys = [
    "action", "channel", "security", "bindings", "traits", "messages", "reply",
  ]

  /// - Parameter files: The names of the files in `_events`, without extensions.
  package init(_ root: JSON, of api: API, files: Set<String>, sample: @escaping (JSON) -> JSON?) {
    reading = AsyncAPIReading(root, resolver: api.resolver)
    (self.api, self.files, self.sample) = (api, files, sample)
  }

  package var diagnostics: [Diagnostic] { reading.diagnostics + reader.problems }

  /// Adds the sockets and streams to those of the contract; two with the same location share their events and rules.
  package mutating func add(to descriptions: inout [SocketDescription]) {
    guard isKnownVersion() else { return }
    let root = reading.root
    reading.checkKeys(of: root, Self.keys)
    readRole()
    servers = reading.map(root, "servers").compactMap { AsyncAPIServer($0.name, $0.value, &reading) }
    readMethods()
    for member in reading.map(root, "channels") { readChannel(member) }
    for member in reading.map(root, "operations") { readOperation(member) }
    reportUnusedMessages()
    for group in groups { add(group, to: &descriptions) }
  }

  private mutating func isKnownVersion() -> Bool {
    let root = reading.root
    guard root.isObject, let version = root["asyncapi"] else {
      reading.reject(
        "this is not an AsyncAPI document: expected `asyncapi: 3.0.0`", at: root,
        help: root.isObject ? Suggestion.phrase(for: "asyncapi", among: root.members.prefix(100).map(\.name)) : nil)
      return false
    }
    guard version.isString || version.kind == .number, version.text.split(separator: ".").first == "3" else {
      let text = version.isString || version.kind == .number ? version.text : version.kindName
      reading.reject(
        "the version `\(text)` is not read: expected `asyncapi: 3.0.0`, or a later 3.x", at: version,
        help: text.hasPrefix("2.")
          ? "`asyncapi convert FILE --target-version 3.0.0`, of the AsyncAPI CLI, makes a document of version 3" : nil)
      return false
    }
    return true
  }

  private mutating func readRole() {
    guard let role = reading.root["x-understudy-role"] else { return }
    isClient = role.isString("client")
    guard !isClient, !role.isString("server") else { return }
    reading.reject("expected `server` or `client` for `x-understudy-role`, found \(role.kindName)", at: role)
  }

  /// Reads the methods of operations, which decide where their channels are (HTTP bindings 0.3.0, Operation Binding Object).
  private mutating func readMethods() {
    for member in reading.map(reading.root, "operations") {
      guard case .success(let node) = reading.resolver.resolve(member.value), let channel = node["channel"],
        case .success(let target) = reading.resolver.resolve(channel), let method = method(of: node)
      else { continue }
      methods[target.id] = methods[target.id] ?? method
    }
  }

  /// The method of the `http` binding of an object, in capitals.
  func method(of node: JSON) -> String? {
    guard let bindings = node["bindings"], case .success(let target) = reading.resolver.resolve(bindings),
      let http = target["http"], case .success(let binding) = reading.resolver.resolve(http)
    else { return nil }
    return binding["method"]?.string?.uppercased()
  }

  // MARK: - Channels

  private mutating func readChannel(_ member: JSON.Member) {
    guard let node = reading.object(member.value, "a channel") else { return }
    let supplement = node[SocketReader.key].flatMap { reader.supplement($0) }
    let places = places(ofChannel: member, node, supplement)
    let position: Int? = places.isEmpty ? nil : channels.count
    // Two channels may refer to one component.
    positions[member.value.id] = .some(position)
    if positions[node.id] == nil { positions[node.id] = .some(position) }
    guard !places.isEmpty else { return }
    reading.checkKeys(of: node, Self.channelKeys)
    reading.checkBindings(
      of: node, "a channel", using: ["ws": [], "socketio": [], "socket.io": [], "http": ["method"]])
    for parameter in reading.map(node, "parameters") {
      guard let parameter = reading.object(parameter.value, "a parameter") else { continue }
      for name in ["enum", "location"] {
        guard let key = parameter.key(name) else { continue }
        reading.ignore("`\(name)` of a parameter is not checked", at: key, severity: .info)
      }
    }
    let messages = reading.map(node, "messages").compactMap { AsyncAPIMessage($0.name, $0.value, &reading) }
    for message in messages { message.reportFields(&reading) }
    for place in places { add(channel: channels.count, at: place) }
    channels.append(Channel(member.name, node, messages, supplement))
  }

  private mutating func add(channel: Int, at place: AsyncAPIPlace) {
    if let known = groups.firstIndex(where: { $0.place == place }) {
      if !groups[known].channels.contains(channel) { groups[known].channels.append(channel) }
    } else {
      groups.append(AsyncAPIGroup(place: place, channels: [channel]))
    }
  }

  // MARK: - Operations

  private mutating func readOperation(_ member: JSON.Member) {
    guard let node = reading.object(member.value, "an operation") else { return }
    guard let position = channel(of: node, "the operation `\(member.name)`") else { return }
    reading.checkKeys(of: node, Self.operationKeys)
    reportFields(of: node)
    guard let action = reading.string(node, "action"), ["send", "receive"].contains(action) else {
      reading.reject(
        "the operation `\(member.name)` requires `action: send` or `action: receive`", at: node["action"] ?? node)
      return
    }
    let isFromClient = (action == "receive") != isClient
    let messages = messages(of: node, in: position)
    channels[position].uses += messages.map { Use(message: $0, isFromClient: isFromClient) }
    guard let value = node["reply"], let reply = reading.object(value, "a reply") else { return }
    readReply(reply, to: messages, isFromClient, in: position)
  }

  private mutating func reportFields(of operation: JSON) {
    let traits = (reading.list(operation, "traits") ?? []).compactMap { reading.object($0, "a trait") }
    for part in [operation] + traits {
      reading.checkBindings(of: part, "an operation", using: ["http": ["method"]])
      guard let security = part.key("security") else { continue }
      reading.ignore(
        "`security` of an operation is not checked", at: security, severity: .info,
        help: "a rule `on: connect` refuses clients")
    }
  }

  /// The position of the channel that an object refers to; `nil` if it is not served, or is reported.
  private mutating func channel(of node: JSON, _ noun: String) -> Int? {
    guard let value = node["channel"] else {
      reading.reject("\(noun) requires `channel`", at: node, help: "as in `channel: {$ref: \"#/channels/NAME\"}`")
      return nil
    }
    guard let target = reading.object(value, "`channel`") else { return nil }
    let next = value.reference.flatMap { try? reading.resolver.target(of: $0).get().id }
    if let position = next.flatMap({ positions[$0] }) ?? positions[target.id] { return position }
    reading.reject("\(noun) refers to a channel that is not among `channels`", at: value)
    return nil
  }

  /// The messages of an operation or a reply: all of the channel where it lists none.
  private mutating func messages(of node: JSON, in position: Int) -> [AsyncAPIMessage] {
    let channel = channels[position]
    guard let list = reading.list(node, "messages") else { return channel.messages }
    return list.compactMap { value -> AsyncAPIMessage? in
      guard let target = reading.object(value, "a message") else { return nil }
      let next = value.reference.flatMap { try? reading.resolver.target(of: $0).get().id }
      if let known = next.flatMap({ channel.positions[$0] }) ?? channel.positions[target.id] {
        return channel.messages[known]
      }
      let key = value.reference.map { String($0.text.split(separator: "/").last ?? "") } ?? "message"
      guard let message = AsyncAPIMessage(key, value, &reading) else { return nil }
      message.reportFields(&reading)
      return message
    }
  }

  private mutating func readReply(
    _ reply: JSON, to requests: [AsyncAPIMessage], _ isFromClient: Bool, in position: Int
  ) {
    reading.checkKeys(of: reply, ["address", "channel", "messages"])
    if let address = reply.key("address") {
      reading.ignore("`address` of a reply is not used", at: address, severity: .info)
    }
    guard let place = reply["channel"] == nil ? position : channel(of: reply, "a reply") else { return }
    let messages = messages(of: reply, in: place)
    channels[position].replies.append(
      AsyncAPIReply(requests: requests, isToClient: isFromClient, channel: place, messages: messages, node: reply))
    // A channel declares its messages, whichever channel asks for them.
    if place != position { channels[place].uses += messages.map { Use(message: $0, isFromClient: !isFromClient) } }
  }

  private mutating func reportUnusedMessages() {
    // The messages of a stream come from the server.
    let streams = Set(groups.filter { !$0.place.kind.isTwoWay }.flatMap(\.channels))
    for (position, channel) in channels.enumerated() {
      let replies = channel.replies.filter { $0.channel == position }
      let used = Set((channel.uses.map(\.message) + replies.flatMap(\.messages)).map(\.id))
      for message in channel.messages where !used.contains(message.id) {
        if streams.contains(position) {
          channels[position].uses.append(Use(message: message, isFromClient: false))
          continue
        }
        reading.ignore(
          "no operation says who sends the message `\(message.key)`: it may come from both sides", at: message.node,
          help: "add an operation with `action: send` for a message of the server")
        channels[position].uses += [true, false].map { Use(message: message, isFromClient: $0) }
      }
    }
  }

  // MARK: - Descriptions

  /// Adds a socket, or merges it into the socket of the contract with the same location.
  private mutating func add(_ group: AsyncAPIGroup, to descriptions: inout [SocketDescription]) {
    let place = group.place
    let known = descriptions.firstIndex { other in
      place.kind.isTwoWay ? other.answers(place.path) : other.operation == place.operation
    }
    guard let known else { return descriptions.append(describe(group, joining: nil)) }
    guard descriptions[known].kind == place.kind else {
      return reading.ignore(
        "the contract has a socket of the transport `\(descriptions[known].kind.rawValue)` at the same place",
        at: channels[group.channels[0]].node, help: "remove one of them")
    }
    let description = describe(group, joining: descriptions[known])
    descriptions[known].events += description.events
    descriptions[known].rules += description.rules
    descriptions[known].namespaces = (descriptions[known].namespaces + description.namespaces).unique()
    descriptions[known].eventKey = description.eventKey
  }

  /// - Parameter socket: The socket of the contract with the same location, which decides its own settings.
  private mutating func describe(_ group: AsyncAPIGroup, joining socket: SocketDescription?) -> SocketDescription {
    var result = SocketDescription()
    readSettings(of: group, joining: socket, into: &result)
    result.kind = group.place.kind
    result.path = group.place.path
    result.operation = group.place.operation
    switch result.kind {
    case .socketio: describeSocketIO(group, &result)
    case .websocket, .engineio: describeMessages(group, &result)
    case .sse, .ndjson: describeStream(group, &result)
    }
    return result
  }

  /// What each channel has in `x-understudy-events` for itself. The rest belongs to the socket.
  private static let ownKeys: Set = ["rules", "transport", "operation", "summary"]

  /// Reads the rules of all channels, and the settings of the first one that has some.
  private mutating func readSettings(
    of group: AsyncAPIGroup, joining socket: SocketDescription?, into result: inout SocketDescription
  ) {
    result.eventKey = socket?.eventKey
    var decider = socket == nil ? nil : "the contract"
    for channel in group.channels.map({ channels[$0] }) {
      guard let settings = channel.supplement?.settings else { continue }
      let rules = result.rules + settings.rules
      var keys = channel.node[SocketReader.key]?.members.filter { !Self.ownKeys.contains($0.name) } ?? []
      // A socket of the contract may leave it to the document which member names an event.
      if socket != nil, result.eventKey == nil || result.eventKey == settings.eventKey {
        result.eventKey = settings.eventKey
        keys.removeAll { $0.name == "eventKey" }
      }
      if let decider, let key = keys.first?.key {
        reading.ignore("the settings of this socket are those of \(decider)", at: key, help: "move them there")
      } else if decider == nil, !keys.isEmpty {
        result = settings
        decider = "the channel `\(channel.name)`"
      }
      result.rules = rules
    }
  }
}

import UnderstudySockets

/// The reply to a message (AsyncAPI 3.0.0, Operation Reply Object).
struct AsyncAPIReply {
  let requests: [AsyncAPIMessage]
  let isToClient: Bool
  let channel: Int
  let messages: [AsyncAPIMessage]
  let node: JSON
}

extension AsyncAPIReader {
  // MARK: - Socket.IO

  /// Channels are namespaces, or single events of the main one. A reply in the channel of its request is the acknowledgement.
  mutating func describeSocketIO(_ group: AsyncAPIGroup, _ result: inout SocketDescription) {
    var namespaces: [String] = []
    for position in group.channels {
      let channel = channels[position]
      let address = channel.address ?? "/"
      let isNamespace = address.hasPrefix("/")
      namespaces.append(isNamespace ? address : "/")
      if address.contains("{") {
        reading.ignore(
          "the namespace `\(address)` is not served: it has parameters", at: channel.node["address"] ?? channel.node)
        continue
      }
      if !isNamespace, channel.event == nil {
        reading.ignore(
          "the address `\(address)` is not used: its events are those of the namespace `/`",
          at: channel.node["address"] ?? channel.node, severity: .info, help: "a namespace begins with a slash")
      }
      for use in channel.uses {
        result.events.append(
          SocketDescription.Event(
            name: channel.event ?? use.message.name, isFromClient: use.isFromClient,
            arguments: use.message.arguments(&reading).schemas, node: use.message.node))
      }
      for reply in replies(of: position, in: group) {
        let isAcknowledgement = reply.channel == position
        guard reply.isToClient else {
          if isAcknowledgement {
            reading.ignore("the acknowledgements of clients are not validated", at: reply.node, severity: .info)
          }
          continue
        }
        let message = chosen(of: reply)
        let value = message.map { payload(of: $0, $0.arguments(&reading)) } ?? .arguments(.array([]))
        let event = channels[reply.channel].event ?? message?.name
        for request in reply.requests {
          var rule = SocketRule(.event(channel.event ?? request.name), at: reply.node)
          if isAcknowledgement {
            rule.actions = [.acknowledge(value)]
          } else if let event {
            rule.actions = [.emit(event, value, to: .own)]
          }
          if !rule.actions.isEmpty { result.rules.append(rule) }
        }
      }
    }
    result.namespaces = namespaces.filter { !$0.contains("{") }.unique()
    result.events = result.events.uniqueDeclarations()
  }

  /// The replies to the messages of a channel that the same socket carries; others are reported.
  private mutating func replies(of position: Int, in group: AsyncAPIGroup) -> [AsyncAPIReply] {
    channels[position].replies.filter { reply in
      if group.channels.contains(reply.channel) { return true }
      reading.ignore(
        "the reply is not sent: the channel `\(channels[reply.channel].name)` is another socket", at: reply.node)
      return false
    }
  }

  // MARK: - WebSockets

  /// A member with a constant in every message names the event. If no such member exists, the messages of clients are called `message`.
  mutating func describeMessages(_ group: AsyncAPIGroup, _ result: inout SocketDescription) {
    let channels = group.channels.map { self.channels[$0] }
    let replies = group.channels.flatMap { self.replies(of: $0, in: group) }
    let uses =
      channels.flatMap(\.uses)
      + replies.flatMap { reply in reply.messages.map { Use(message: $0, isFromClient: !reply.isToClient) } }
    let constants = Dictionary(
      uses.map { ($0.message.node.id, $0.message.constants(reading)) }, uniquingKeysWith: { first, _ in first })
    if result.eventKey == nil, result.kind == .websocket {
      result.eventKey = Self.eventKey(of: Array(constants.values))
    }
    let key = result.eventKey
    func name(_ message: AsyncAPIMessage, isFromClient: Bool) -> String {
      guard let key else { return isFromClient ? "message" : message.name }
      return constants[message.node.id]?.first { $0.name == key }?.value ?? message.name
    }
    if key == nil, result.kind == .websocket, let channel = channels.first, uses.contains(where: \.isFromClient) {
      reading.ignore(
        "no member names the event of each message: those of clients are all called `message`", at: channel.node,
        severity: .info, help: "`\(SocketReader.key): {eventKey: type}` in the channel names a member")
    }
    for use in uses {
      result.events.append(
        SocketDescription.Event(
          name: name(use.message, isFromClient: use.isFromClient), isFromClient: use.isFromClient,
          arguments: use.message.text(&reading).schemas, node: use.message.node))
    }
    for reply in replies {
      guard reply.isToClient, let message = chosen(of: reply) else { continue }
      let event = name(message, isFromClient: false)
      let value = payload(of: message, message.text(&reading), file: event)
      for request in reply.requests {
        var rule = SocketRule(.event(name(request, isFromClient: true)), at: reply.node)
        rule.actions = [.emit(event, value, to: .own)]
        result.rules.append(rule)
      }
    }
    result.events = result.events.uniqueDeclarations()
  }

  private static let usualKeys: Set = ["type", "event", "kind", "action", "op", "method", "command", "name"]

  /// The member that is a constant in all messages and so distinguishes them; `constants` are the constants of each.
  private static func eventKey(of constants: [[(name: String, value: String)]]) -> String? {
    guard let first = constants.first else { return nil }
    let shared = first.map(\.name).filter { name in constants.allSatisfy { $0.contains { $0.name == name } } }
    let counted = shared.sorted().map { name in
      (name: name, count: Set(constants.map { $0.first { $0.name == name }?.value }).count)
    }
    // Some messages may have the same name.
    let most = counted.map(\.count).max() ?? 0
    let best = counted.filter { $0.count == most }.map(\.name)
    return best.first { usualKeys.contains($0) } ?? (most > 1 ? best.first : nil)
  }

  // MARK: - Streams

  /// Sends each message once where the document has no rules.
  mutating func describeStream(_ group: AsyncAPIGroup, _ result: inout SocketDescription) {
    let channels = group.channels.map { self.channels[$0] }
    var actions: [SocketRule.Action] = []
    for use in channels.flatMap(\.uses) {
      guard !use.isFromClient else {
        reading.ignore(
          "the message `\(use.message.key)` of a client is not used: the contract describes requests",
          at: use.message.node, severity: .info)
        continue
      }
      let arguments = use.message.text(&reading)
      result.events.append(
        SocketDescription.Event(
          name: use.message.name, isFromClient: false, arguments: arguments.schemas, node: use.message.node))
      let value = payload(of: use.message, arguments, file: use.message.name)
      actions.append(.emit(use.message.name, value, to: .own))
    }
    for reply in channels.flatMap(\.replies) {
      reading.ignore("the reply of a stream is not used", at: reply.node, severity: .info)
    }
    result.events = result.events.uniqueDeclarations()
    guard !result.rules.contains(where: { $0.trigger == .connect }), let channel = channels.first else { return }
    var rule = SocketRule(.connect, at: channel.node)
    rule.actions = actions + [.close(.normal, "", to: .own)]
    result.rules.append(rule)
  }

  // MARK: - Values

  /// The message of a reply that is sent: the first one.
  private mutating func chosen(of reply: AsyncAPIReply) -> AsyncAPIMessage? {
    if reply.isToClient, reply.messages.count > 1 {
      reading.ignore(
        "of \(reply.messages.count) messages of a reply `\(reply.messages[0].key)` is sent", at: reply.node,
        severity: .info, help: "rules in `\(SocketReader.key)` of the channel choose another")
    }
    return reply.messages.first
  }

  /// The file of a message in `_events`, else its first example, else a sample.
  private func payload(
    of message: AsyncAPIMessage, _ arguments: AsyncAPIMessage.Arguments, file: String? = nil
  ) -> SocketPayload {
    if let file, files.contains(file) { return .fixture(file) }
    if let example = message.example {
      return .arguments(arguments.isList && example.isArray ? example : .array([example]))
    }
    return .arguments(.array((arguments.schemas ?? []).map { sample($0) ?? .null }))
  }
}

/// A declaration of an event: operations may share a message.
private struct EventDeclaration: Hashable {
  let name: String
  let isFromClient: Bool
  let node: NodeID

  init(_ event: SocketDescription.Event) {
    (name, isFromClient, node) = (event.name, event.isFromClient, event.node.id)
  }
}

extension [SocketDescription.Event] {
  fileprivate func uniqueDeclarations() -> [SocketDescription.Event] {
    var known: Set<EventDeclaration> = []
    return filter { known.insert(EventDeclaration($0)).inserted }
  }
}

/// The channels of a contract, and the messages that each side sends.
///
/// They are declared by `x-understudy-events`, by the AsyncAPI document beside the contract, or by an AsyncAPI document alone.
/// The described application is the server.
struct EventContract {
  private(set) var channels: [EventChannel] = []
  /// The credentials that the documents define.
  private(set) var schemes: [SecurityScheme] = []

  init(_ api: API) {
    if api.root["asyncapi"] != nil { read(api.root, api) }
    if let document = api.eventDocument { read(document, api) }
    if let sockets = api.root[Self.key] {
      channels += (sockets.isArray ? Array(sockets.elements) : [sockets]).compactMap { Self.socket($0) }
    }
  }

  private mutating func read(_ root: JSON, _ api: API) {
    let servers = AsyncAPIServers(root, api.resolver)
    schemes += servers.schemes
    var reader = AsyncAPIChannels(root, api.resolver, servers)
    channels += reader.read()
  }

  private static let key = "x-understudy-events"

  /// A socket or a stream of the contract itself.
  private static func socket(_ node: JSON) -> EventChannel? {
    guard node.isObject else { return nil }
    let address = node["operation"]?.string ?? node["path"]?.string ?? "/socket.io/"
    var channel = EventChannel(name: address, address: address, node: node)
    channel.hasNames = true
    for member in node["events"]?.distinctMembers ?? [] {
      var message = EventMessage(name: member.name, isFromClient: false, node: member.value)
      message.schemas = member.value["arguments"]?.array ?? member.value["payload"].map { [$0] }
      message.isList = member.value["arguments"] != nil
      let sender = member.value["from"]?.string
      for isFromClient in [true, false] where sender != (isFromClient ? "server" : "client") {
        message.isFromClient = isFromClient
        channel.messages.append(message)
      }
    }
    return channel
  }
}

/// A channel, a socket or a stream.
struct EventChannel {
  /// The key in the document.
  var name: String
  var address: String
  var node: JSON
  /// Whether the names of messages are on the wire.
  var hasNames = false
  var messages: [EventMessage] = []
  var servers: [EventServer] = []

  /// The alternatives of credentials on any of the servers; none for anonymous clients.
  var security: [SecurityRequirement] {
    servers.contains { $0.security.isEmpty } ? [] : servers.flatMap(\.security)
  }

  /// The channel as the subject of findings.
  var operation: Operation { Operation(channel: name, address: address, node: node) }

  mutating func add(_ message: EventMessage) {
    let known = messages.firstIndex {
      $0.isFromClient == message.isFromClient && $0.name.utf8Equals(message.name) && $0.node.id == message.node.id
    }
    guard let known else { return messages.append(message) }
    messages[known].hasReply = messages[known].hasReply || message.hasReply
  }
}

/// A message in one direction.
struct EventMessage {
  var name: String
  var isFromClient: Bool
  var node: JSON
  /// The schemas of its arguments; `nil` for any.
  var schemas: [JSON]?
  /// Whether the message is a list of arguments rather than one payload.
  var isList = false
  var headers: JSON?
  var contentType: String?
  /// A payload whose format is not compared, as written.
  var foreign: JSON?
  /// Whether the other side replies.
  var hasReply = false
  /// The credentials of its operation beside the server's; `nil` for none.
  var security: [SecurityRequirement]?
  var bindings: JSON?
  var operationBindings: JSON?
}

import UnderstudySockets

/// What the protocol of a server says about its channels.
enum AsyncAPITransport: Hashable {
  case webSocket, socketIO, serverSentEvents
  /// A stream, if the operation of the contract has one.
  case http

  /// The names of protocols, for messages.
  static let names = "ws, wss, socketio, sse, http, https"

  /// Reads the name of a protocol. Only those of WebSockets and HTTP are defined (AsyncAPI 3.0.0, Server Object).
  init?(protocol name: String) {
    switch Self.plain(name) {
    case "ws", "wss", "websocket": self = .webSocket
    case "socketio", "socketios": self = .socketIO
    case "sse", "serversentevents", "eventsource": self = .serverSentEvents
    case "http", "https": self = .http
    default: return nil
    }
  }

  /// In lower case and without punctuation: `Socket.IO`, `socket-io`.
  static func plain(_ name: String) -> String { String(name.lowercased().filter { $0.isLetter || $0.isNumber }) }
}

/// A server of an AsyncAPI document (AsyncAPI 3.0.0, Server Object).
struct AsyncAPIServer {
  let name: String
  let node: JSON
  /// `nil` for a protocol that is not served.
  let transport: AsyncAPITransport?
  /// Empty without one.
  let pathname: String

  private static let keys = [
    "host", "protocol", "protocolVersion", "pathname", "variables", "security", "bindings",
  ]

  init?(_ name: String, _ value: JSON, _ reading: inout AsyncAPIReading) {
    guard let node = reading.object(value, "a server") else { return nil }
    (self.name, self.node) = (name, node)
    reading.checkKeys(of: node, Self.keys)
    let protocolName = reading.string(node, "protocol")
    if node["protocol"] == nil {
      reading.reject("the server `\(name)` requires `protocol`", at: node, help: "known: \(AsyncAPITransport.names)")
    }
    let known = protocolName.flatMap { AsyncAPITransport(protocol: $0) }
    if let protocolName, let place = node["protocol"], known == nil {
      reading.ignore(
        "the protocol `\(protocolName)` is not served", at: place, help: "known: \(AsyncAPITransport.names)")
    }
    var pathname = reading.string(node, "pathname") ?? ""
    for variable in reading.map(node, "variables") {
      guard let value = reading.object(variable.value, "a variable")?["default"]?.string else { continue }
      pathname = pathname.replacing("{\(variable.name)}", with: value)
    }
    if !pathname.isEmpty, !pathname.hasPrefix("/") { pathname = "/" + pathname }
    self.pathname = pathname == "/" ? "" : pathname
    // Generators of documents name the protocol below Socket.IO.
    let isSocketIO = pathname.split(separator: "/").contains("socket.io")
    transport = isSocketIO && known != nil ? .socketIO : known
    guard transport != nil else { return }
    if let security = node.key("security") {
      reading.ignore(
        "`security` of a server is not checked", at: security, severity: .info,
        help: "a rule `on: connect` refuses clients")
    }
    reading.checkBindings(of: node, "a server")
  }
}

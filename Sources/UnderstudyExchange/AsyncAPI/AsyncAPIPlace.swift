import UnderstudySockets

/// Where a socket or a stream is: channels at one place are one socket.
struct AsyncAPIPlace: Hashable {
  let kind: SocketDescription.Kind
  /// That of a socket.
  var path = ""
  var operation: String?
}

/// The channels of one socket or stream, by their positions.
struct AsyncAPIGroup {
  let place: AsyncAPIPlace
  var channels: [Int]
}

extension AsyncAPIReader {
  /// Where a channel is served; empty for one that is not, which is reported.
  mutating func places(
    ofChannel member: JSON.Member, _ node: JSON, _ supplement: SocketReader.Supplement?
  ) -> [AsyncAPIPlace] {
    if let address = node["address"], !address.isString, !address.isNull {
      reading.reject("`address` must be a string, found \(address.kindName)", at: address)
      return []
    }
    let channel = "the channel `\(member.name)` is not served"
    let servers = servers(of: node)
    let bindings = Set(reading.map(node, "bindings").map { AsyncAPITransport.plain($0.name) })
    if let kind = supplement?.transport {
      let pathname = servers.first?.pathname ?? ""
      return place(of: kind, member, node, pathname, supplement).map { [$0] } ?? []
    }
    var transports = servers.compactMap { server in
      server.transport.map { (transport: Self.transport($0, bindings), pathname: server.pathname) }
    }
    if servers.isEmpty, let transport = Self.transport(of: bindings) { transports = [(transport, "")] }
    guard !transports.isEmpty else {
      let known =
        "known: \(AsyncAPITransport.names); or add `\(SocketReader.key): {transport: websocket}` to the channel"
      let names = servers.compactMap { $0.node["protocol"]?.string }.unique().map { "`\($0)`" }.joined(separator: ", ")
      reading.ignore(
        servers.isEmpty ? "\(channel): no server says its protocol" : "\(channel): the protocol is \(names)",
        at: member.key, help: known)
      return []
    }
    var places: [AsyncAPIPlace] = []
    for (transport, pathname) in transports {
      let place: AsyncAPIPlace?
      switch transport {
      case .webSocket: place = self.place(of: .websocket, member, node, pathname, supplement)
      case .socketIO: place = self.place(of: .socketio, member, node, pathname, supplement)
      case .serverSentEvents: place = self.place(of: .sse, member, node, pathname, supplement)
      case .http: place = stream(nil, member, node, pathname, supplement)
      }
      if let place, !places.contains(place) { places.append(place) }
    }
    return places
  }

  /// A binding is closer than the protocol of a server.
  private static func transport(_ server: AsyncAPITransport, _ bindings: Set<String>) -> AsyncAPITransport {
    if server == .socketIO || bindings.contains("socketio") { return .socketIO }
    return server == .http && bindings.contains("ws") ? .webSocket : server
  }

  private static func transport(of bindings: Set<String>) -> AsyncAPITransport? {
    bindings.contains("socketio") ? .socketIO : bindings.contains("ws") ? .webSocket : nil
  }

  /// The servers of a channel: all where it lists none.
  private mutating func servers(of node: JSON) -> [AsyncAPIServer] {
    guard let list = reading.list(node, "servers"), !list.isEmpty else { return servers }
    return list.compactMap { value -> AsyncAPIServer? in
      guard let target = reading.object(value, "a server") else { return nil }
      if let known = servers.first(where: { $0.node.id == target.id }) { return known }
      reading.reject("a server of a channel that is not among `servers`", at: value)
      return nil
    }
  }

  private mutating func place(
    of kind: SocketDescription.Kind, _ member: JSON.Member, _ node: JSON, _ pathname: String,
    _ supplement: SocketReader.Supplement?
  ) -> AsyncAPIPlace? {
    switch kind {
    case .socketio: return AsyncAPIPlace(kind: kind, path: pathname.isEmpty ? "/socket.io/" : pathname)
    case .engineio: return AsyncAPIPlace(kind: kind, path: pathname.isEmpty ? "/engine.io/" : pathname)
    case .sse, .ndjson: return stream(kind, member, node, pathname, supplement)
    case .websocket: break
    }
    let path = Self.path(pathname, node["address"]?.string)
    if path.isEmpty {
      reading.ignore(
        "the channel `\(member.name)` is not served: it has no address", at: member.key,
        help: "add the path of the WebSocket as `address`")
      return nil
    }
    if let address = node["address"], address.string?.contains("?") == true {
      reading.ignore("the query of an address is not checked", at: address, severity: .info)
    }
    return AsyncAPIPlace(kind: kind, path: path)
  }

  /// The path of an address below that of its server, without a query.
  private static func path(_ pathname: String, _ address: String?) -> String {
    let address = address.map { String($0.prefix { $0 != "?" }) } ?? ""
    let base = pathname.hasSuffix("/") ? String(pathname.dropLast()) : pathname
    if address.isEmpty { return base }
    return address.hasPrefix("/") ? base + address : "\(base)/\(address)"
  }

  /// - Parameter kind: That of the protocol; `nil` for any. The operation of the contract must have it, unless a supplement says it.
  private mutating func stream(
    _ kind: SocketDescription.Kind?, _ member: JSON.Member, _ node: JSON, _ pathname: String,
    _ supplement: SocketReader.Supplement?
  ) -> AsyncAPIPlace? {
    let channel = "the channel `\(member.name)` is not served"
    let method = methods[node.id] ?? method(of: node) ?? "GET"
    let paths = [Self.path(pathname, node["address"]?.string), Self.path("", node["address"]?.string)]
    let operation = supplement?.operation.map { api.operation($0) } ?? operation(method, paths)
    guard let operation else {
      let name = supplement?.operation.map { "`\($0)`" } ?? "`\(method) \(paths[0])`"
      reading.ignore(
        "\(channel): the contract has no operation \(name)", at: member.key,
        help: "a stream is the response of an operation of the contract; a WebSocket needs a `ws` binding")
      return nil
    }
    guard let kind = supplement?.transport ?? Self.kind(of: operation, as: kind) else {
      reading.ignore(
        "\(channel): no success of the operation `\(operation.id)` is a stream", at: member.key,
        help: "add `text/event-stream` to it, or a `ws` binding to the channel")
      return nil
    }
    return AsyncAPIPlace(kind: kind, operation: operation.id)
  }

  private func operation(_ method: String, _ paths: [String]) -> Operation? {
    let shapes = paths.map { PathTemplate($0).shape }
    return api.operations.first { operation in
      guard operation.method == method else { return false }
      let bases = [""] + operation.servers.map { URIReference($0.url).path }
      return bases.contains { shapes.contains(PathTemplate(Self.path($0 == "/" ? "" : $0, operation.path)).shape) }
    }
  }

  /// - Parameter kind: `nil` for any.
  private static func kind(
    of operation: Operation, as kind: SocketDescription.Kind?
  ) -> SocketDescription.Kind? {
    let successes = operation.responses.filter { "\($0.status)".hasPrefix("2") }
    let kinds = successes.flatMap(\.content).compactMap { content -> SocketDescription.Kind? in
      switch MediaRange(content.range)?.syntax {
      case .eventStream?: .sse
      case .jsonSequence?: .ndjson
      default: nil
      }
    }
    return kinds.first { kind == nil || $0 == kind }
  }
}

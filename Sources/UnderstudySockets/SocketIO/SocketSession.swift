package import UnderstudyJSON
package import UnderstudySchema

/// The namespaces of a server-side Socket.IO connection without a socket: events are calls, `nextAction()` the actions.
package struct SocketSession: Sendable {
  package enum Action: Sendable, Equatable {
    /// Send these messages together: attachments belong to the packet before them.
    case send([WebSocketMessage])
    /// A client wants to join a namespace: call `accept` or `refuse`.
    case connecting(String, auth: JSON?)
    case event(String, name: String, SocketArguments, id: Int?)
    case acknowledged(String, id: Int, SocketArguments)
    case disconnected(String)
    case close(reason: String)
  }

  private let version: EngineVersion
  private let engineID: String
  private var decoder: SocketDecoder
  private var namespaces: [String: Membership] = [:]
  private var nextID: [String: Int] = [:]
  private var actions: [Action] = []
  private var isClosed = false
  /// When a client without a namespace is refused; `nil` after it has joined one.
  package private(set) var deadline: Duration?

  private enum Membership: Sendable { case requested, joined }

  package static let namespaceLimit = 100

  /// Begins after the Engine.IO handshake, whose id version 4 uses too; a namespace is due in `connectTimeout`.
  package init(_ version: EngineVersion, engineID: String, connectTimeout: Duration = .seconds(45), at now: Duration) {
    (self.version, self.engineID) = (version, engineID)
    decoder = SocketDecoder(version)
    guard version == .three else {
      deadline = now + connectTimeout
      return
    }
    // In version 4 each client is in the main namespace.
    namespaces["/"] = .requested
    actions.append(.connecting("/", auth: nil))
  }

  /// The next action; `nil` until the next event.
  package mutating func nextAction() -> Action? { actions.isEmpty ? nil : actions.removeFirst() }

  package var joined: [String] { namespaces.filter { $0.value == .joined }.keys.sorted() }

  package mutating func advance(to now: Duration) {
    guard let deadline, now >= deadline else { return }
    close("the client joined no namespace in time")
  }

  package mutating func receive(_ message: WebSocketMessage) {
    guard !isClosed else { return }
    do throws(SocketDecoder.Failure) {
      if let packet = try decoder.receive(message) { receive(packet) }
    } catch {
      close(error.reason)
    }
  }

  private mutating func receive(_ packet: SocketPacket) {
    if packet.kind == .connect { return connect(packet) }
    // A packet for a namespace that has not been joined.
    guard namespaces[packet.namespace] == .joined else {
      // The client may leave a namespace twice.
      if packet.kind == .disconnect { return }
      return close("a packet for the namespace `\(packet.namespace)`, which the client has not joined")
    }
    switch packet.kind {
    case .event, .binaryEvent:
      // A number is a name as well (socket.io-protocol, 5).
      let name = packet.event ?? packet.payload?.array?.first.map { JSONWriter.text($0) } ?? ""
      actions.append(.event(packet.namespace, name: name, packet.arguments, id: packet.id))
    case .ack, .binaryAck:
      actions.append(.acknowledged(packet.namespace, id: packet.id ?? 0, packet.arguments))
    case .disconnect:
      namespaces[packet.namespace] = nil
      actions.append(.disconnected(packet.namespace))
    case .connect: break
    case .connectError: close("a client sent CONNECT_ERROR")
    }
  }

  private mutating func connect(_ packet: SocketPacket) {
    let name = String(packet.namespace.prefix { $0 != "?" })
    guard namespaces[name] == nil else {
      // Clients of version 4 may ask for the namespace that they have.
      if version == .three { return }
      return close("the client joined the namespace `\(name)` twice")
    }
    guard namespaces.count < Self.namespaceLimit else { return close("too many namespaces") }
    namespaces[name] = .requested
    actions.append(.connecting(name, auth: packet.payload))
  }

  package mutating func closed() {
    guard !isClosed else { return }
    isClosed = true
    deadline = nil
    // The answer to a request to join may still be on its way.
    for namespace in namespaces.keys.sorted() { actions.append(.disconnected(namespace)) }
    namespaces = [:]
  }

  private mutating func close(_ reason: String) {
    closed()
    actions.append(.close(reason: reason))
  }

  /// - Parameter id: Its identifier there; version 4 derives it from that of Engine.IO.
  package mutating func accept(_ namespace: String, id: String) {
    guard namespaces[namespace] == .requested else { return }
    deadline = nil
    let id = version == .four ? id : namespace == "/" ? engineID : "\(namespace)#\(engineID)"
    namespaces[namespace] = .joined
    let payload: JSON? = version == .four ? .object([("sid", .string(id))]) : nil
    send(SocketPacket(.connect, namespace: namespace, payload))
  }

  /// Refuses a namespace. The connection stays open.
  package mutating func refuse(_ namespace: String, message: String, data: JSONValue? = nil) {
    guard namespaces[namespace] == .requested else { return }
    namespaces[namespace] = nil
    let payload: JSON =
      version == .three
      ? .string(message) : .object(present: [("message", .string(message)), ("data", data.map { JSON($0) })])
    send(SocketPacket(.connectError, namespace: namespace, payload))
  }

  /// Sends an event to a namespace that the client has joined, with an array; returns the acknowledgement's number.
  @discardableResult
  package mutating func emit(
    _ event: String, _ arguments: JSONValue, attachments: [[UInt8]] = [], to namespace: String,
    asksForAck: Bool = false
  ) -> Int? {
    // Clients drop events of a namespace that they have not joined.
    guard namespaces[namespace] == .joined else { return nil }
    var id: Int?
    if asksForAck {
      id = nextID[namespace, default: 0]
      nextID[namespace, default: 0] += 1
    }
    send(SocketPacket(arguments, attachments: attachments, event: event, namespace: namespace, id: id))
    return id
  }

  /// Sends an acknowledgement to a namespace that the client has joined; `arguments` is an array.
  package mutating func acknowledge(
    _ id: Int, _ arguments: JSONValue, attachments: [[UInt8]] = [], to namespace: String
  ) {
    guard namespaces[namespace] == .joined else { return }
    send(SocketPacket(arguments, attachments: attachments, event: nil, namespace: namespace, id: id))
  }

  /// Ends a namespace; the client does not connect again by itself.
  package mutating func disconnect(_ namespace: String) {
    guard namespaces[namespace] == .joined else { return }
    namespaces[namespace] = nil
    send(SocketPacket(.disconnect, namespace: namespace))
    actions.append(.disconnected(namespace))
  }

  private mutating func send(_ packet: SocketPacket) { actions.append(.send(packet.encoded)) }
}

import Synchronization
package import UnderstudySockets

/// A WebSocket of a client that is relayed to the upstream: the handshake, and what the contract declares about it.
package struct SocketRelay: Sendable {
  package let request: HTTPRequest
  /// That of the contract, else one that fits the request.
  package let description: SocketDescription
  private let handler: ProxyHandler
  private let validator: EventValidator?

  init(
    _ handler: ProxyHandler, _ addresses: URLRewriter, _ description: SocketDescription?, _ validator: EventValidator?
  ) {
    self.handler = handler
    self.validator = validator
    request = addresses.outbound(upgrade: handler.request)
    self.description = description ?? Self.description(for: handler.request)
  }

  /// Clients of Engine.IO name the version of its protocol in the query.
  private static func description(for request: HTTPRequest) -> SocketDescription {
    var description = SocketDescription()
    let query = Query(of: request.path ?? "/")
    if query.first(named: "EIO") == nil { description.kind = .websocket }
    description.path = URIReference(request.path ?? "/").path
    return description
  }

  /// A number for a socket, unique in the process.
  package static func newID() -> Int { lastID.add(1, ordering: .relaxed).newValue }

  private static let lastID = Atomic(0)

  package func findings(about response: HTTPResponse) -> [Diagnostic] {
    let key = request.headerFields.first(named: "sec-websocket-key") ?? ""
    let (expected, found) = (WebSocketHandshake.accept(key), response.headerFields.lines(named: "sec-websocket-accept"))
    guard found != [expected] else { return [] }
    let shown = found.map { "`\(VisibleText.shortened($0, to: 80))`" }.joined(separator: ", ")
    let finding = Diagnostic(
      .socketHandshake, "`Sec-WebSocket-Accept`: expected `\(expected)`, found \(shown.isEmpty ? "none" : shown)",
      help: "send the hash of the key that the client has sent")
    return [finding].compactMap(handler.mock.options.rules.validationOptions().weighed)
  }

  /// The handshake of the upstream, as the client gets it.
  package func accepted(_ response: HTTPResponse) -> HTTPResponse { handler.accepted(response) }

  /// The reply to a client whose handshake the upstream refuses.
  package func reply(_ response: HTTPResponse, body: [UInt8]) -> Reply { handler.refused(response, body) }

  package func reply(_ failure: UpstreamFailure) -> Reply { handler.unreachable(failure) }

  package var messages: RelayedSocket {
    RelayedSocket(
      description, validator, Query(of: request.path ?? "/").first(named: "EIO") == "3" ? .three : .four,
      handler.mock.options.rules.validationOptions(),
      limit: isRecorded ? SocketMessage.recordingLimit : SocketMessage.limit)
  }

  /// Whether everything that passes is held for a recording.
  package var isRecorded: Bool { handler.mock.options.copiesAnswers }
}

/// Decodes what passes between a client and a server by a WebSocket, and validates its events.
package struct RelayedSocket {
  private let description: SocketDescription
  private let validator: EventValidator?
  private let version: EngineVersion
  private let options: ValidationOptions
  /// The longest list of arguments that is held whole, in bytes.
  private let limit: Int
  private var client: Side
  private var server: Side

  private struct Side {
    var frames: RelayedFrames
    var packets: SocketDecoder
  }

  init(
    _ description: SocketDescription, _ validator: EventValidator?, _ version: EngineVersion,
    _ options: ValidationOptions, limit: Int
  ) {
    (self.description, self.validator, self.version, self.options) = (description, validator, version, options)
    self.limit = limit
    func side(_ isFromClient: Bool) -> Side {
      Side(
        frames: RelayedFrames(isFromClient: isFromClient, limit: description.engine.maxPayload),
        packets: SocketDecoder(version))
    }
    (client, server) = (side(true), side(false))
  }

  /// The messages that end in these bytes, with what they break.
  package mutating func receive(_ bytes: some Sequence<UInt8>, isFromClient: Bool) -> [SocketMessage] {
    let items = isFromClient ? client.frames.receive(bytes) : server.frames.receive(bytes)
    return items.compactMap { item in
      switch item {
      case .close(let code, let reason):
        let values = [JSON.integer(Int(code.rawValue))] + (reason.isEmpty ? [] : [.string(reason)])
        return SocketMessage(.close, isFromClient: isFromClient, in: "/", JSONWriter.bytes(.array(values)))
      case .message(let message): return decoded(message, isFromClient)
      }
    }
  }

  /// The first frame of each side that breaks the protocol.
  package var findings: [Diagnostic] {
    [(client.frames.violation, Owner.client), (server.frames.violation, .provider)].compactMap { violation, owner in
      violation.flatMap { options.weighed(Diagnostic(.socketFrame, $0.reason).owned(by: owner)) }
    }
  }

  /// Why a part of what passed could not be decoded; `nil` where all of it was.
  package var problem: String? { client.frames.problem ?? server.frames.problem ?? packetProblem }
  private var packetProblem: String?

  private mutating func decoded(_ message: WebSocketMessage, _ isFromClient: Bool) -> SocketMessage? {
    guard description.kind == .socketio || description.kind == .engineio else {
      return checked(message, isFromClient, key: description.eventKey)
    }
    do {
      let packet = try EnginePacket(decoding: message, version)
      guard packet.kind == .message else { return nil }
      guard description.kind == .socketio else { return checked(packet.content, isFromClient, key: nil) }
      let whole =
        isFromClient ? try client.packets.receive(packet.content) : try server.packets.receive(packet.content)
      return whole.map { packet in
        checked(SocketMessage(packet, isFromClient: isFromClient, limit: limit), packet.arguments)
      }
    } catch {
      packetProblem = (error as? SocketDecoder.Failure)?.reason ?? (error as? EngineDecodingError)?.reason
      return nil
    }
  }

  private func checked(_ message: WebSocketMessage, _ isFromClient: Bool, key: String?) -> SocketMessage {
    let (name, arguments) = message.event(key: key)
    let shown = SocketMessage(
      .event, isFromClient: isFromClient, in: "/", event: name, JSONWriter.bytes(.array(arguments.values)),
      attachments: arguments.attachments, limit: limit)
    return checked(shown, arguments)
  }

  private func checked(_ message: SocketMessage, _ arguments: SocketArguments) -> SocketMessage {
    guard message.kind == .event, let name = message.event, let validator, message.isWhole else { return message }
    var message = message
    var result = validator.validate(
      name, arguments.values, isFromClient: message.isFromClient, hasAttachments: !message.attachments.isEmpty,
      within: WorkBudget(EventValidator.workLimit))
    options.weigh(&result)
    message.findings = message.isFromClient ? result.findings : result.findings.map { $0.owned(by: .provider) }
    return message
  }
}

extension SocketMessage {
  init(_ packet: SocketPacket, isFromClient: Bool, limit: Int) {
    let kind: Kind =
      switch packet.kind {
      case .connect: .connect
      case .disconnect: .disconnect
      case .connectError: .refusal
      case .event, .binaryEvent: .event
      case .ack, .binaryAck: .acknowledgement
      }
    let isList = kind == .event || kind == .acknowledgement
    let values = isList ? packet.arguments.values : packet.payload.map { [$0] } ?? []
    self.init(
      kind, isFromClient: isFromClient, in: packet.namespace, event: kind == .event ? packet.event ?? "" : nil,
      JSONWriter.bytes(.array(values)), attachments: packet.attachments, limit: limit)
    acknowledgement = packet.id
  }
}

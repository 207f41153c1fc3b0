/// A session of Engine.IO on the side of the server, without a socket: events are calls, and `nextAction()` returns the
/// actions. Times are those of one clock, from any beginning.
///
/// Requests and WebSockets have numbers, which the owner gives. What comes late for a transport that was replaced is
/// therefore recognized.
package struct EngineSession: Sendable {
  package typealias ID = Int

  package enum Action: Sendable, Hashable {
    case respond(ID, EngineResponse)
    case write(ID, WebSocketMessage)
    case closeWebSocket(ID, WebSocketCloseCode)
    case message(WebSocketMessage)
    case upgraded
    case closed(EngineEnd)
  }

  package let id: String
  package let version: EngineVersion
  private let settings: EngineSettings
  /// Whether the client of version 3 reads binary payloads, as its handshake said.
  private let acceptsBinary: Bool
  private let losesHeartbeat: @Sendable () -> Bool
  private var carrier: Carrier
  private var probe: Probe?
  private var heartbeat: EngineHeartbeat
  private var queue: [EnginePacket] = []
  private var actions: [Action] = []
  package private(set) var end: EngineEnd?

  private enum Carrier: Sendable {
    case polling(waiting: Poll?)
    case websocket(ID)
  }

  private struct Poll: Sendable {
    let id: ID
    /// Whether it came after the probe.
    var isLate = false
  }

  private struct Probe: Sendable {
    let id: ID
    let deadline: Duration
    /// The next time at which a waiting poll is ended; `nil` before the probe has arrived.
    var nextCheck: Duration?
  }

  /// Opens a session by a request or on a WebSocket with the number `first`; `acceptsBinary` says that a client of
  /// version 3 reads binary payloads, and `losesHeartbeat` is asked for each heartbeat packet of the client.
  package init(
    id: String, _ version: EngineVersion, _ transport: EngineTransport, first: ID, _ settings: EngineSettings,
    acceptsBinary: Bool = false, losesHeartbeat: @escaping @Sendable () -> Bool = { false }, at now: Duration
  ) {
    (self.id, self.version, self.settings, self.acceptsBinary) = (id, version, settings, acceptsBinary)
    self.losesHeartbeat = losesHeartbeat
    heartbeat = EngineHeartbeat(version, settings, at: now)
    let upgrades = transport == .polling && settings.offersUpgrade ? "[\"websocket\"]" : "[]"
    let open = EnginePacket(
      .open,
      .text(
        "{\"sid\":\"\(id)\",\"upgrades\":\(upgrades),\"pingInterval\":\(Self.milliseconds(settings.pingInterval)),"
          + "\"pingTimeout\":\(Self.milliseconds(settings.pingTimeout)),\"maxPayload\":\(settings.maxPayload)}"))
    switch transport {
    case .polling:
      carrier = .polling(waiting: nil)
      actions = [.respond(first, EngineResponse([open], version, acceptsBinary: acceptsBinary))]
    case .websocket:
      carrier = .websocket(first)
      actions = [.write(first, open.encoded(version))]
    }
  }

  private static func milliseconds(_ duration: Duration) -> Int {
    Int(duration.components.seconds) * 1000 + Int(duration.components.attoseconds / 1_000_000_000_000_000)
  }

  /// The next action; `nil` until the next event.
  package mutating func nextAction() -> Action? { actions.isEmpty ? nil : actions.removeFirst() }

  package var transport: EngineTransport { if case .websocket = carrier { .websocket } else { .polling } }

  // MARK: - Time

  /// When `advance(to:)` has to be called.
  package var deadline: Duration? {
    guard end == nil else { return nil }
    var deadline = heartbeat.deadline
    if let probe {
      deadline = min(deadline, probe.deadline)
      if let check = probe.nextCheck, case .polling(.some) = carrier { deadline = min(deadline, check) }
    }
    return deadline
  }

  /// Does what is due. Every other event does so first, so a late timer changes nothing.
  package mutating func advance(to now: Duration) {
    guard end == nil else { return }
    switch heartbeat.advance(to: now) {
    case .ping?: enqueue(EnginePacket(.ping))
    case .timeout?: return finish(.pingTimeout)
    case nil: break
    }
    guard let probe else { return }
    if now >= probe.deadline {
      endProbe()
    } else if let check = probe.nextCheck, now >= check {
      self.probe?.nextCheck = now + settings.upgradeCheck
      endPoll()
    }
  }

  // MARK: - Polling

  package mutating func poll(_ id: ID, at now: Duration) {
    advance(to: now)
    guard end == nil, case .polling(let waiting) = carrier else { return refuse(id) }
    if let waiting {
      respond(to: waiting, [EnginePacket(.close)])
      carrier = .polling(waiting: nil)
      actions.append(.respond(id, EngineRefusal.badRequest.response))
      return finish(.overlappingPolls)
    }
    carrier = .polling(waiting: Poll(id: id, isLate: probe?.nextCheck != nil))
    flush()
  }

  /// - Parameter isBinary: Whether the media type is `application/octet-stream`.
  package mutating func post(_ id: ID, _ body: [UInt8], isBinary: Bool, at now: Duration) {
    advance(to: now)
    guard end == nil, case .polling = carrier else { return refuse(id) }
    guard body.count <= settings.maxPayload else { return actions.append(.respond(id, .tooLarge)) }
    let packets: [EnginePacket]
    do throws(EngineDecodingError) {
      packets = try EnginePayload.decode(body, version, isBinary: isBinary)
    } catch {
      actions.append(.respond(id, EngineRefusal.badRequest.response))
      return finish(.malformed(error.reason))
    }
    for packet in packets where end == nil { receive(packet, at: now) }
    if case .malformed? = end {
      actions.append(.respond(id, EngineRefusal.badRequest.response))
    } else {
      actions.append(.respond(id, .ok))
    }
  }

  /// A client left a request that waits, or the owner has to end it.
  package mutating func abandon(_ id: ID) {
    guard end == nil, case .polling(let waiting?) = carrier, waiting.id == id else { return }
    carrier = .polling(waiting: nil)
    finish(.abandonedPoll)
  }

  private mutating func refuse(_ id: ID) {
    actions.append(.respond(id, (end == nil ? EngineRefusal.badRequest : .unknownSession).response))
  }

  // MARK: - WebSocket

  package mutating func openWebSocket(_ id: ID, at now: Duration) {
    advance(to: now)
    guard end == nil, probe == nil, case .polling = carrier, settings.offersUpgrade else {
      return actions.append(.closeWebSocket(id, .policy))
    }
    probe = Probe(id: id, deadline: now + settings.upgradeTimeout, nextCheck: nil)
  }

  package mutating func receive(_ message: WebSocketMessage, on id: ID, at now: Duration) {
    advance(to: now)
    guard end == nil, id == probe?.id || id == webSocket else { return }
    let packet: EnginePacket
    do throws(EngineDecodingError) {
      packet = try EnginePacket(decoding: message, version)
    } catch {
      return id == probe?.id ? endProbe() : finish(.malformed(error.reason))
    }
    if id == probe?.id { receiveProbe(packet, at: now) } else { receive(packet, at: now) }
  }

  package mutating func webSocketClosed(_ id: ID) {
    if id == probe?.id {
      probe = nil
    } else if id == webSocket {
      finish(.transportClosed)
    }
  }

  private var webSocket: ID? { if case .websocket(let id) = carrier { id } else { nil } }

  private mutating func receiveProbe(_ packet: EnginePacket, at now: Duration) {
    guard let probe else { return }
    switch (packet.kind, packet.text) {
    case (.ping, "probe"):
      actions.append(.write(probe.id, EnginePacket(.pong, .text("probe")).encoded(version)))
      // The client of Swift upgrades when its poll has ended.
      self.probe?.nextCheck = now + settings.upgradeCheck
      endPoll()
    case (.upgrade, _) where probe.nextCheck != nil: upgrade(to: probe.id)
    default: endProbe()
    }
  }

  private mutating func upgrade(to id: ID) {
    if case .polling(let waiting?) = carrier {
      // A request that came after the probe may as well have come after the upgrade.
      if waiting.isLate { refuse(waiting.id) } else { respond(to: waiting, [EnginePacket(.noop)]) }
    }
    probe = nil
    carrier = .websocket(id)
    actions.append(.upgraded)
    flush()
  }

  private mutating func endProbe() {
    guard let probe else { return }
    self.probe = nil
    actions.append(.closeWebSocket(probe.id, .protocolError))
  }

  // MARK: - Packets

  private mutating func receive(_ packet: EnginePacket, at now: Duration) {
    switch packet.kind {
    case .message: actions.append(.message(packet.content))
    case .ping where version == .three:
      if losesHeartbeat() { return }
      heartbeat.answered(at: now)
      enqueue(EnginePacket(.pong, packet.content))
    case .pong where version == .four: if !losesHeartbeat() { heartbeat.answered(at: now) }
    case .close:
      endPoll()
      finish(.clientClosed)
    // The reference implementation ignores them.
    case .noop: break
    case .ping, .pong: finish(.malformed("a heartbeat in the wrong direction"))
    case .open, .upgrade: finish(.malformed("a packet `\(packet.kind)` of a client"))
    }
  }

  /// Sends messages, together where the transport allows.
  package mutating func send(_ messages: [WebSocketMessage]) {
    guard end == nil else { return }
    queue += messages.map(EnginePacket.message)
    if queue.count > settings.queueLimit { return finish(.queueOverflow) }
    flush()
  }

  /// Ends the session: a client that polls gets a packet `close`, another one a close frame.
  package mutating func close(_ code: WebSocketCloseCode = .normal) { finish(.serverClosed, code: code) }

  private mutating func enqueue(_ packet: EnginePacket) {
    queue.append(packet)
    flush()
  }

  private mutating func flush() {
    guard !queue.isEmpty else { return }
    switch carrier {
    case .websocket(let id):
      for packet in queue { actions.append(.write(id, packet.encoded(version))) }
      queue = []
    case .polling(let waiting?):
      respond(to: waiting, Array(queue.prefix(settings.packetsPerPoll)))
      queue.removeFirst(min(queue.count, settings.packetsPerPoll))
      carrier = .polling(waiting: nil)
    case .polling(nil): break
    }
  }

  /// Answers a waiting poll with `noop`.
  private mutating func endPoll() {
    guard case .polling(let waiting?) = carrier else { return }
    respond(to: waiting, [EnginePacket(.noop)])
    carrier = .polling(waiting: nil)
  }

  private mutating func respond(to poll: Poll, _ packets: [EnginePacket]) {
    actions.append(.respond(poll.id, EngineResponse(packets, version, acceptsBinary: acceptsBinary)))
  }

  private mutating func finish(_ reason: EngineEnd, code: WebSocketCloseCode? = nil) {
    guard end == nil else { return }
    end = reason
    if let probe { actions.append(.closeWebSocket(probe.id, .goingAway)) }
    probe = nil
    switch carrier {
    case .polling(let waiting?): respond(to: waiting, [EnginePacket(.close)])
    case .polling(nil): break
    // The packet `close` would make the client of Swift connect again while this WebSocket is open.
    case .websocket(let id): actions.append(.closeWebSocket(id, code ?? reason.closeCode))
    }
    carrier = .polling(waiting: nil)
    queue = []
    actions.append(.closed(reason))
  }
}

package enum EngineEnd: Sendable, Hashable {
  case clientClosed, serverClosed, transportClosed, pingTimeout, overlappingPolls, abandonedPoll, queueOverflow
  case malformed(String)

  var closeCode: WebSocketCloseCode {
    switch self {
    case .malformed: .protocolError
    case .queueOverflow: .policy
    default: .normal
    }
  }
}

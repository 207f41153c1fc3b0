import Testing
import UnderstudySockets

struct EngineSessionTests {
  private static let settings: EngineSettings = {
    var settings = EngineSettings()
    settings.pingInterval = .milliseconds(300)
    settings.pingTimeout = .milliseconds(200)
    return settings
  }()

  private func session(
    _ version: EngineVersion = .four, _ transport: EngineTransport = .polling, _ settings: EngineSettings = settings
  ) -> EngineSession {
    var session = EngineSession(id: "s", version, transport, first: 0, settings, at: .zero)
    _ = session.allActions()
    return session
  }

  private func body(_ action: EngineSession.Action?) -> String? {
    guard case .respond(_, let response)? = action, response.status == 200 else { return nil }
    return String(decoding: response.body, as: UTF8.self)
  }

  private func status(_ action: EngineSession.Action?) -> Int? {
    if case .respond(_, let response)? = action { response.status } else { nil }
  }

  @Test func `the handshake shows the settings, and an upgrade only where one is possible`() {
    var polling = EngineSession(id: "s", .four, .polling, first: 7, Self.settings, at: .zero)
    let rest = #""pingInterval":300,"pingTimeout":200,"maxPayload":1000000}"#
    #expect(body(polling.nextAction()) == #"0{"sid":"s","upgrades":["websocket"],"# + rest)
    var socket = EngineSession(id: "s", .four, .websocket, first: 7, Self.settings, at: .zero)
    #expect(socket.nextAction() == .write(7, .text(#"0{"sid":"s","upgrades":[],"# + rest)))
    var old = EngineSession(id: "s", .three, .polling, first: 7, Self.settings, at: .zero)
    let open = #"0{"sid":"s","upgrades":["websocket"],"# + rest
    #expect(body(old.nextAction()) == "\(open.utf16.count):\(open)")
  }

  @Test func `whether a client of version 3 reads binary payloads is said by its handshake`() {
    for acceptsBinary in [true, false] {
      var session = EngineSession(
        id: "s", .three, .polling, first: 0, Self.settings, acceptsBinary: acceptsBinary, at: .zero)
      _ = session.allActions()
      session.send([.binary([1, 2])])
      session.poll(1, at: .zero)
      guard case .respond(1, let response)? = session.nextAction() else { return #expect(Bool(false)) }
      #expect(response.mediaType.hasPrefix(acceptsBinary ? "application/octet-stream" : "text/plain"))
    }
  }

  @Test(arguments: [false, true])
  func `a session whose pongs are lost ends, also by polling`(isLost: Bool) {
    var session = EngineSession(
      id: "s", .four, .polling, first: 0, Self.settings, losesHeartbeat: { isLost }, at: .zero)
    session.advance(to: .milliseconds(300))
    session.post(1, Array("3".utf8), isBinary: false, at: .milliseconds(310))
    session.advance(to: .milliseconds(520))
    #expect(session.end == (isLost ? .pingTimeout : nil))
  }

  @Test func `a poll waits for packets, and gets those that waited for it`() {
    var session = session()
    session.poll(1, at: .zero)
    #expect(session.allActions() == [])
    session.send([.text("a")])
    #expect(body(session.nextAction()) == "4a")
    session.send([.text("b"), .binary([1])])
    #expect(session.allActions() == [])
    session.poll(2, at: .zero)
    #expect(body(session.nextAction()) == "4b\u{1E}bAQ==")
  }

  @Test func `a response to a poll has at most sixteen packets`() {
    var session = session()
    session.send((0..<20).map { .text("\($0)") })
    session.poll(1, at: .zero)
    #expect(body(session.nextAction())?.split(separator: "\u{1E}").count == 16)
    session.poll(2, at: .zero)
    #expect(body(session.nextAction())?.split(separator: "\u{1E}").count == 4)
  }

  @Test func `a post is answered with ok after its messages`() {
    var session = session()
    session.post(1, Array("4a\u{1E}4b".utf8), isBinary: false, at: .zero)
    let actions = session.allActions()
    #expect(actions.prefix(2) == [.message(.text("a")), .message(.text("b"))])
    #expect(body(actions.last) == "ok")
  }

  @Test func `a post that cannot be read ends the session`() {
    var session = session()
    session.post(1, Array("abc".utf8), isBinary: false, at: .zero)
    #expect(status(session.nextAction()) == 400)
    session.poll(2, at: .zero)
    #expect(status(session.allActions().last) == 400)
    #expect(session.end == .malformed("a packet has no type from 0 to 6"))
  }

  @Test func `a post over the limit gets 413, and the session goes on`() {
    var settings = Self.settings
    settings.maxPayload = 10
    var session = session(.four, .polling, settings)
    session.post(1, Array(repeating: 0x34, count: 11), isBinary: false, at: .zero)
    #expect(status(session.nextAction()) == 413)
    #expect(session.end == nil)
  }

  @Test func `two polls at once end the session`() {
    var session = session()
    session.poll(1, at: .zero)
    session.poll(2, at: .zero)
    #expect(body(session.nextAction()) == "1")
    #expect(status(session.nextAction()) == 400)
    #expect(session.nextAction() == .closed(.overlappingPolls))
  }

  @Test func `a client that leaves its poll ends the session`() {
    var session = session()
    session.poll(1, at: .zero)
    session.abandon(9)
    #expect(session.end == nil)
    session.abandon(1)
    #expect(session.allActions() == [.closed(.abandonedPoll)])
  }

  @Test func `a client that closes gets noop on its waiting poll`() {
    var session = session()
    session.poll(1, at: .zero)
    session.post(2, Array("1".utf8), isBinary: false, at: .zero)
    let actions = session.allActions()
    #expect(body(actions.first) == "6")
    #expect(actions.contains(.closed(.clientClosed)))
  }

  // MARK: - Heartbeat

  @Test func `in version 4 the server pings, and ends a session without an answer`() {
    var session = session()
    session.poll(1, at: .zero)
    #expect(session.deadline == .milliseconds(300))
    session.advance(to: .milliseconds(299))
    #expect(session.allActions() == [])
    session.advance(to: .milliseconds(310))
    #expect(body(session.nextAction()) == "2")
    // The timeout counts from when the ping was due.
    #expect(session.deadline == .milliseconds(500))
    session.post(2, Array("3".utf8), isBinary: false, at: .milliseconds(400))
    #expect(session.deadline == .milliseconds(700))
    session.advance(to: .milliseconds(700))
    session.advance(to: .milliseconds(900))
    #expect(session.end == .pingTimeout)
  }

  @Test func `a session whose timer is late has ended for the next request`() {
    var session = session()
    session.poll(1, at: .milliseconds(500))
    #expect(status(session.allActions().last) == 400)
    #expect(session.end == .pingTimeout)
  }

  @Test func `in version 3 the client pings, and each ping extends the session`() {
    var session = session(.three, .websocket)
    #expect(session.deadline == .milliseconds(500))
    session.receive(.text("2"), on: 0, at: .milliseconds(400))
    #expect(session.allActions() == [.write(0, .text("3"))])
    #expect(session.deadline == .milliseconds(900))
    session.advance(to: .milliseconds(900))
    #expect(session.allActions() == [.closeWebSocket(0, .normal), .closed(.pingTimeout)])
  }

  @Test func `a heartbeat in the wrong direction ends the session`() {
    var four = session(.four, .websocket)
    four.receive(.text("2"), on: 0, at: .zero)
    #expect(four.end == .malformed("a heartbeat in the wrong direction"))
    var three = session(.three, .websocket)
    three.receive(.text("3"), on: 0, at: .zero)
    #expect(three.end == .malformed("a heartbeat in the wrong direction"))
  }

  // MARK: - Upgrade

  @Test func `a session moves to a WebSocket, and its packets with it`() {
    var session = session()
    session.poll(1, at: .zero)
    session.openWebSocket(2, at: .zero)
    #expect(session.allActions() == [])
    session.receive(.text("2probe"), on: 2, at: .zero)
    let actions = session.allActions()
    #expect(actions.first == .write(2, .text("3probe")))
    #expect(body(actions.last) == "6")
    session.send([.text("a")])
    #expect(session.allActions() == [])
    session.receive(.text("5"), on: 2, at: .zero)
    #expect(session.allActions() == [.upgraded, .write(2, .text("4a"))])
    #expect(session.transport == .websocket)
    session.poll(3, at: .zero)
    #expect(status(session.nextAction()) == 400)
    session.openWebSocket(4, at: .zero)
    #expect(session.allActions() == [.closeWebSocket(4, .policy)])
    #expect(session.end == nil)
  }

  @Test func `a poll during an upgrade ends with noop after a moment`() {
    var session = session()
    session.openWebSocket(1, at: .zero)
    session.receive(.text("2probe"), on: 1, at: .zero)
    _ = session.allActions()
    session.poll(2, at: .milliseconds(50))
    #expect(session.allActions() == [])
    #expect(session.deadline == .milliseconds(100))
    session.advance(to: .milliseconds(100))
    #expect(body(session.nextAction()) == "6")
  }

  @Test func `a poll that crosses the end of an upgrade is refused`() {
    var session = session()
    session.openWebSocket(1, at: .zero)
    session.receive(.text("2probe"), on: 1, at: .zero)
    session.poll(2, at: .zero)
    _ = session.allActions()
    session.receive(.text("5"), on: 1, at: .zero)
    #expect(status(session.nextAction()) == 400)
    #expect(session.transport == .websocket)
  }

  @Test(arguments: ["4hello", "5", "2", "abc", "6"])
  func `anything but a probe closes the new WebSocket, and polling goes on`(text: String) {
    var session = session()
    session.openWebSocket(1, at: .zero)
    session.receive(.text(text), on: 1, at: .zero)
    #expect(session.allActions() == [.closeWebSocket(1, .protocolError)])
    session.poll(2, at: .zero)
    session.send([.text("a")])
    #expect(body(session.nextAction()) == "4a")
  }

  @Test func `an upgrade that takes too long is given up`() {
    var settings = EngineSettings()
    settings.upgradeTimeout = .seconds(1)
    var session = session(.four, .polling, settings)
    session.openWebSocket(1, at: .zero)
    #expect(session.deadline == .seconds(1))
    session.advance(to: .seconds(1))
    #expect(session.allActions() == [.closeWebSocket(1, .protocolError)])
    #expect(session.end == nil)
  }

  @Test func `a lost WebSocket ends its session, and a lost probe does not`() {
    var session = session()
    session.openWebSocket(1, at: .zero)
    session.webSocketClosed(1)
    #expect(session.end == nil)
    session.openWebSocket(2, at: .zero)
    session.receive(.text("2probe"), on: 2, at: .zero)
    session.receive(.text("5"), on: 2, at: .zero)
    session.webSocketClosed(1)
    #expect(session.end == nil)
    session.webSocketClosed(2)
    #expect(session.end == .transportClosed)
  }

  // MARK: - The end

  @Test func `the server closes a WebSocket with a frame, and a poll with a packet`() {
    var socket = session(.four, .websocket)
    socket.close(.goingAway)
    #expect(socket.allActions() == [.closeWebSocket(0, .goingAway), .closed(.serverClosed)])
    var polling = session()
    polling.poll(1, at: .zero)
    polling.close()
    #expect(body(polling.nextAction()) == "1")
  }

  @Test func `a client that never polls cannot fill the memory`() {
    var settings = EngineSettings()
    settings.queueLimit = 3
    var session = session(.four, .polling, settings)
    for _ in 0..<4 { session.send([.text("a")]) }
    #expect(session.end == .queueOverflow)
  }
}

extension EngineSession {
  mutating func allActions() -> [Action] {
    var actions: [Action] = []
    while let action = nextAction() { actions.append(action) }
    return actions
  }
}

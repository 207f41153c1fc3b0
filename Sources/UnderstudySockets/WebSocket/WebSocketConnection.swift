/// The rules of a WebSocket after its handshake, without a socket: events are calls, `nextAction()` the actions.
package struct WebSocketConnection: Sendable {
  package enum Action: Sendable, Hashable {
    case write([UInt8])
    case message(WebSocketMessage)
    /// A ping that got its pong, or a pong.
    case control(WebSocketFrame)
    /// The conversation is over; no message follows.
    case ended(WebSocketEnd)
    /// Call `closeTimedOut()` after this time.
    case startCloseTimer(Duration)
    /// Close the connection: the server does so first (RFC 6455, 7.1.1).
    case closeTransport
  }

  private enum Phase: Sendable { case open, closing, closed }

  private let limits: WebSocketLimits
  private var decoder: WebSocketDecoder
  private var phase = Phase.open
  private var message: (opcode: WebSocketFrame.Opcode, payload: [UInt8], fragments: Int)?
  private var utf8 = UTF8Stream()
  private var actions: [Action] = []

  package init(_ limits: WebSocketLimits = WebSocketLimits()) {
    self.limits = limits
    decoder = WebSocketDecoder(limit: limits.messageBytes)
  }

  /// The next action; `nil` until the next event.
  package mutating func nextAction() -> Action? { actions.isEmpty ? nil : actions.removeFirst() }

  package var isOpen: Bool { phase == .open }

  package mutating func receive(_ bytes: some Sequence<UInt8>) {
    // After a failure no more data is processed (7.1.7).
    guard phase != .closed else { return }
    decoder.append(bytes)
    do throws(WebSocketDecoder.Failure) {
      while phase != .closed, let frame = try decoder.next() { try receive(frame) }
    } catch {
      fail(error)
    }
  }

  private mutating func receive(_ frame: WebSocketFrame) throws(WebSocketDecoder.Failure) {
    switch frame.opcode {
    case .close: try receiveClose(frame.payload)
    // After its own close frame the server only waits for that of the client.
    case _ where phase == .closing: return
    case .ping:
      actions.append(.write(WebSocketFrame(.pong, frame.payload).bytes()))
      actions.append(.control(frame))
    case .pong: actions.append(.control(frame))
    case .text, .binary:
      guard message == nil else { throw .nested }
      message = (frame.opcode, [], 0)
      utf8 = UTF8Stream()
      try append(frame)
    case .continuation:
      guard message != nil else { throw .unbegun }
      try append(frame)
    }
  }

  private mutating func append(_ frame: WebSocketFrame) throws(WebSocketDecoder.Failure) {
    guard let (opcode, begun, count) = message.take() else { return }
    var (payload, fragments) = (begun, count)
    guard payload.count + frame.payload.count <= limits.messageBytes else {
      throw .init(.tooBig, "a message is longer than \(limits.messageBytes) bytes")
    }
    fragments += 1
    guard fragments <= limits.fragments else {
      throw .init(.policy, "a message has more than \(limits.fragments) fragments")
    }
    if opcode == .text, !utf8.accepts(frame.payload) || frame.isFinal && !utf8.isComplete { throw .noText }
    if fragments == 1 { payload = frame.payload } else { payload += frame.payload }
    guard frame.isFinal else {
      message = (opcode, payload, fragments)
      return
    }
    actions.append(.message(opcode == .text ? .text(String(decoding: payload, as: UTF8.self)) : .binary(payload)))
  }

  private mutating func receiveClose(_ payload: [UInt8]) throws(WebSocketDecoder.Failure) {
    guard payload.count != 1 else { throw .halfCode }
    var end = WebSocketEnd(.absent, isFromClient: true)
    if payload.count >= 2 {
      end.code = WebSocketCloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
      guard end.code.mayBeSent else { throw .reserved(end.code) }
      var reason = UTF8Stream()
      let text = Array(payload[2...])
      guard reason.accepts(text), reason.isComplete else {
        throw .init(.invalidPayload, "the reason of a close frame is not UTF-8 (RFC 6455, 5.5.1)")
      }
      end.reason = String(decoding: text, as: UTF8.self)
    }
    if phase == .open {
      // The answer repeats the code (5.5.1).
      actions.append(.write(WebSocketFrame(.close, Array(payload.prefix(2))).bytes()))
      actions.append(.ended(end))
    }
    phase = .closed
    actions.append(.closeTransport)
  }

  private mutating func fail(_ failure: WebSocketDecoder.Failure) {
    let wasOpen = phase == .open
    phase = .closed
    if wasOpen {
      actions.append(.write(Self.close(failure.code, failure.reason)))
      actions.append(.ended(WebSocketEnd(failure.code, failure.reason, isFromClient: false)))
    }
    actions.append(.closeTransport)
  }

  /// The client closed the connection, or was lost.
  package mutating func closed() {
    if phase == .open { actions.append(.ended(WebSocketEnd(.abnormal, isFromClient: true))) }
    phase = .closed
    actions.append(.closeTransport)
  }

  package mutating func send(_ message: WebSocketMessage) {
    if phase == .open { actions.append(.write(message.frame.bytes())) }
  }

  package mutating func send(_ frame: WebSocketFrame) {
    if phase == .open { actions.append(.write(frame.bytes())) }
  }

  /// Sends a close frame, and waits a moment for that of the client.
  package mutating func close(_ code: WebSocketCloseCode, _ reason: String = "") {
    guard phase == .open else { return }
    phase = .closing
    actions.append(.write(Self.close(code, reason)))
    actions.append(.ended(WebSocketEnd(code, reason, isFromClient: false)))
    actions.append(.startCloseTimer(limits.closeTimeout))
  }

  /// Closes the connection without a close frame.
  package mutating func drop() {
    if phase == .open { actions.append(.ended(WebSocketEnd(.abnormal, isFromClient: false))) }
    phase = .closed
    actions.append(.closeTransport)
  }

  package mutating func closeTimedOut() {
    guard phase == .closing else { return }
    phase = .closed
    actions.append(.closeTransport)
  }

  private static func close(_ code: WebSocketCloseCode, _ reason: String) -> [UInt8] {
    guard code.mayBeSent else { return WebSocketFrame(.close).bytes() }
    var text = reason
    while text.utf8.count > WebSocketFrame.controlLimit - 2 { text.removeLast() }
    return WebSocketFrame(.close, [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + Array(text.utf8)).bytes()
  }
}

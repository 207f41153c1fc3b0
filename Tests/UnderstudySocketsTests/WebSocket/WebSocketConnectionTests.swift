import Testing
import UnderstudySockets

struct WebSocketConnectionTests {
  private static let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]

  private func frame(_ opcode: WebSocketFrame.Opcode, isFinal: Bool = true, _ payload: [UInt8] = []) -> [UInt8] {
    WebSocketFrame(opcode, isFinal: isFinal, payload).bytes(mask: Self.mask)
  }

  private func text(_ text: String, isFinal: Bool = true) -> [UInt8] {
    frame(.text, isFinal: isFinal, Array(text.utf8))
  }

  private func actions(
    of bytes: [UInt8]..., limits: WebSocketLimits = WebSocketLimits()
  ) -> [WebSocketConnection.Action] {
    var connection = WebSocketConnection(limits)
    for part in bytes { connection.receive(part) }
    return connection.allActions()
  }

  /// The code with which the server fails the connection.
  private func failure(_ bytes: [UInt8]..., limits: WebSocketLimits = WebSocketLimits()) -> WebSocketCloseCode? {
    var connection = WebSocketConnection(limits)
    for part in bytes { connection.receive(part) }
    let actions = connection.allActions()
    guard actions.last == .closeTransport else { return nil }
    for case .ended(let end) in actions where !end.isFromClient { return end.code }
    return nil
  }

  @Test func `a text arrives in any pieces`() {
    let bytes = text("안녕 😀")
    for length in 1...bytes.count {
      var connection = WebSocketConnection()
      var rest = bytes[...]
      while !rest.isEmpty {
        connection.receive(rest.prefix(length))
        rest = rest.dropFirst(length)
      }
      #expect(connection.allActions() == [.message(.text("안녕 😀"))])
    }
  }

  @Test(arguments: [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
  func `a binary message of any length arrives, and is sent without a mask`(count: Int) throws {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    #expect(actions(of: frame(.binary, payload)) == [.message(.binary(payload))])
    var connection = WebSocketConnection()
    connection.send(.binary(payload))
    guard case .write(let bytes)? = connection.nextAction() else { return #expect(Bool(false)) }
    var client = WebSocketDecoder(limit: 1_000_000, expectsMask: false)
    client.append(bytes)
    #expect(try client.next() == WebSocketFrame(.binary, payload))
    #expect(try client.next() == nil)
  }

  @Test func `fragments become a message, with a ping between them`() {
    let euro = Array("€".utf8)
    #expect(
      actions(
        of: frame(.text, isFinal: false, [euro[0]]), frame(.ping, [7]),
        frame(.continuation, isFinal: false, [euro[1]]), frame(.continuation, [euro[2]]))
        == [
          .write(WebSocketFrame(.pong, [7]).bytes()), .control(WebSocketFrame(.ping, [7])), .message(.text("€")),
        ])
  }

  @Test func `a close frame is answered with its code`() {
    #expect(
      actions(of: frame(.close, [0x03, 0xE9] + Array("bye".utf8)))
        == [
          .write(WebSocketFrame(.close, [0x03, 0xE9]).bytes()),
          .ended(WebSocketEnd(.goingAway, "bye", isFromClient: true)), .closeTransport,
        ])
    #expect(
      actions(of: frame(.close))
        == [.write(WebSocketFrame(.close).bytes()), .ended(WebSocketEnd(.absent, isFromClient: true)), .closeTransport])
  }

  @Test func `nothing is read after a close frame`() {
    #expect(actions(of: frame(.close) + text("late")).count == 3)
  }

  @Test func `a frame without a mask fails the connection`() {
    #expect(failure(WebSocketFrame(.text, Array("a".utf8)).bytes()) == .protocolError)
  }

  @Test(arguments: [0x40, 0x20, 0x10] as [UInt8]) func `reserved bits fail the connection`(bit: UInt8) {
    var bytes = text("a")
    bytes[0] |= bit
    #expect(failure(bytes) == .protocolError)
  }

  @Test(arguments: [3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF] as [UInt8])
  func `reserved opcodes fail the connection`(opcode: UInt8) {
    #expect(failure([0x80 | opcode, 0x80, 0, 0, 0, 0]) == .protocolError)
  }

  @Test func `a control frame of 126 bytes or in fragments fails the connection`() {
    #expect(failure(frame(.ping, Array(repeating: 0, count: 126))) == .protocolError)
    #expect(failure(frame(.ping, isFinal: false)) == .protocolError)
    #expect(failure(frame(.close, isFinal: false)) == .protocolError)
  }

  @Test func `a frame over the limit is refused by its head`() {
    #expect(failure([0x82, 0xFF, 0, 0, 0, 0, 0x40, 0, 0, 0]) == .tooBig)
    #expect(failure([0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]) == .protocolError)
  }

  @Test func `fragments together may not exceed the limit of a message`() {
    var limits = WebSocketLimits()
    limits.messageBytes = 10
    limits.fragments = 3
    let half = Array(repeating: UInt8(0), count: 6)
    #expect(failure(frame(.binary, isFinal: false, half), frame(.continuation, half), limits: limits) == .tooBig)
    let empty = frame(.continuation, isFinal: false)
    #expect(failure(frame(.binary, isFinal: false), empty, empty, empty, limits: limits) == .policy)
  }

  @Test func `a length that is not written in the fewest bytes fails the connection`() {
    #expect(failure([0x82, 0xFE, 0, 5]) == .protocolError)
    #expect(failure([0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) == .protocolError)
  }

  @Test func `a continuation without a message, and a message within another, fail the connection`() {
    #expect(failure(frame(.continuation)) == .protocolError)
    #expect(failure(text("a", isFinal: false), text("b")) == .protocolError)
  }

  @Test(
    arguments: [
      [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0x80],
      [0xF0, 0x80, 0x80, 0x80],
    ] as [[UInt8]])
  func `a text that is not UTF-8 fails the connection`(bytes: [UInt8]) {
    #expect(failure(frame(.text, bytes)) == .invalidPayload)
    // Binary messages have no encoding.
    #expect(actions(of: frame(.binary, bytes)) == [.message(.binary(bytes))])
  }

  @Test func `invalid UTF-8 is noticed in the fragment that has it`() {
    #expect(failure(frame(.text, isFinal: false, [0x61, 0xFF])) == .invalidPayload)
  }

  @Test(arguments: [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000] as [UInt16])
  func `a reserved close code fails the connection`(code: UInt16) {
    #expect(failure(frame(.close, [UInt8(code >> 8), UInt8(code & 0xFF)])) == .protocolError)
  }

  @Test func `a malformed close frame fails the connection`() {
    #expect(failure(frame(.close, [3])) == .protocolError)
    #expect(failure(frame(.close, [3, 0xE8, 0xFF])) == .invalidPayload)
  }

  @Test func `the server closes with a frame, waits for that of the client, and then closes the transport`() {
    var connection = WebSocketConnection()
    connection.close(.goingAway, "shutdown")
    #expect(
      connection.allActions() == [
        .write(WebSocketFrame(.close, [0x03, 0xE9] + Array("shutdown".utf8)).bytes()),
        .ended(WebSocketEnd(.goingAway, "shutdown", isFromClient: false)),
        .startCloseTimer(WebSocketLimits().closeTimeout),
      ])
    connection.receive(text("crossing"))
    connection.send(.text("too late"))
    #expect(connection.allActions() == [])
    connection.receive(frame(.close, [0x03, 0xE9]))
    #expect(connection.allActions() == [.closeTransport])
  }

  @Test func `a client that does not answer a close frame is closed after a time`() {
    var connection = WebSocketConnection()
    connection.close(.normal)
    _ = connection.allActions()
    connection.closeTimedOut()
    #expect(connection.allActions() == [.closeTransport])
  }

  @Test func `a long reason is cut to the limit of a control frame`() throws {
    var connection = WebSocketConnection()
    connection.close(.policy, String(repeating: "한", count: 100))
    guard case .write(let bytes)? = connection.nextAction() else { return #expect(Bool(false)) }
    var client = WebSocketDecoder(limit: 1000, expectsMask: false)
    client.append(bytes)
    let frame = try #require(try client.next())
    #expect(frame.payload.count == 2 + 41 * 3)
  }

  @Test func `dropping a connection sends no frame, and a lost client ended abnormally`() {
    var dropped = WebSocketConnection()
    dropped.drop()
    #expect(dropped.allActions() == [.ended(WebSocketEnd(.abnormal, isFromClient: false)), .closeTransport])
    var lost = WebSocketConnection()
    lost.closed()
    #expect(lost.allActions() == [.ended(WebSocketEnd(.abnormal, isFromClient: true)), .closeTransport])
  }
}

extension WebSocketConnection {
  mutating func allActions() -> [Action] {
    var actions: [Action] = []
    while let action = nextAction() { actions.append(action) }
    return actions
  }
}

/// Reads the messages of one side of a WebSocket that this program only relays.
package struct RelayedFrames: Sendable {
  package enum Item: Sendable, Hashable {
    case message(WebSocketMessage)
    case close(WebSocketCloseCode, String)
  }

  private let limit: Int
  private var decoder: WebSocketDecoder
  private var isClosed = false
  private var message: (isText: Bool, payload: [UInt8])?
  /// Why nothing is read any more; `nil` while frames can be read.
  package private(set) var problem: String?
  /// The first breach of RFC 6455; `nil` if there is none.
  package private(set) var violation: WebSocketDecoder.Failure?

  /// - Parameter limit: The longest message, in bytes.
  package init(isFromClient: Bool, limit: Int) {
    self.limit = limit
    decoder = WebSocketDecoder(limit: limit, expectsMask: isFromClient)
  }

  /// The messages that end in these bytes. After a frame that cannot be read there are none.
  package mutating func receive(_ bytes: some Sequence<UInt8>) -> [Item] {
    guard problem == nil else { return [] }
    decoder.append(bytes)
    var items: [Item] = []
    do throws(WebSocketDecoder.Failure) {
      while let frame = try decoder.next() {
        if let item = try receive(frame) { items.append(item) }
      }
    } catch {
      problem = error.reason
      // The limit is one of this program.
      if error.code != .tooBig { note(error) }
      // What waits for the rest of its frame is of no use.
      decoder = WebSocketDecoder(limit: limit)
      message = nil
    }
    return items
  }

  private mutating func note(_ failure: WebSocketDecoder.Failure) { violation = violation ?? failure }

  private mutating func receive(_ frame: WebSocketFrame) throws(WebSocketDecoder.Failure) -> Item? {
    if isClosed, !frame.opcode.isControl { note(.afterClose) }
    switch frame.opcode {
    case .ping, .pong: return nil
    case .close:
      isClosed = true
      guard frame.payload.count >= 2 else {
        if frame.payload.count == 1 { note(.halfCode) }
        return .close(.absent, "")
      }
      let code = WebSocketCloseCode(rawValue: UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1]))
      if !code.mayBeSent { note(.reserved(code)) }
      return .close(code, text(frame.payload[2...]))
    case .text, .binary:
      if message != nil { note(.nested) }
      message = (frame.opcode == .text, frame.payload)
    case .continuation:
      guard message != nil else { throw .unbegun }
      message?.payload += frame.payload
    }
    guard let whole = message, whole.payload.count <= limit else {
      throw .init(.tooBig, "a message is longer than \(limit) bytes")
    }
    guard frame.isFinal else { return nil }
    message = nil
    return .message(whole.isText ? .text(text(whole.payload[...])) : .binary(whole.payload))
  }

  private mutating func text(_ bytes: ArraySlice<UInt8>) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    note(.noText)
    return String(decoding: bytes, as: UTF8.self)
  }
}

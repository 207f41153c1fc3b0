/// Reads the messages of one side of a WebSocket that this program only relays.
package struct RelayedFrames: Sendable {
  package enum Item: Sendable, Hashable {
    case message(WebSocketMessage)
    case close(WebSocketCloseCode, String)
  }

  private let limit: Int
  private var decoder: WebSocketDecoder
  private var message: (isText: Bool, payload: [UInt8])?
  /// Why nothing is read any more; `nil` while frames can be read.
  package private(set) var problem: String?

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
      // What waits for the rest of its frame is of no use.
      decoder = WebSocketDecoder(limit: limit)
      message = nil
    }
    return items
  }

  private mutating func receive(_ frame: WebSocketFrame) throws(WebSocketDecoder.Failure) -> Item? {
    switch frame.opcode {
    case .ping, .pong: return nil
    case .close:
      guard frame.payload.count >= 2 else { return .close(.absent, "") }
      let code = UInt16(frame.payload[0]) << 8 | UInt16(frame.payload[1])
      return .close(WebSocketCloseCode(rawValue: code), String(decoding: frame.payload[2...], as: UTF8.self))
    case .text, .binary: message = (frame.opcode == .text, frame.payload)
    case .continuation:
      guard message != nil else { throw .init(.protocolError, "no message is continued (RFC 6455, 5.4)") }
      message?.payload += frame.payload
    }
    guard let whole = message, whole.payload.count <= limit else {
      throw .init(.tooBig, "a message is longer than \(limit) bytes")
    }
    guard frame.isFinal else { return nil }
    message = nil
    return .message(whole.isText ? .text(String(decoding: whole.payload, as: UTF8.self)) : .binary(whole.payload))
  }
}

import UnderstudySockets
import UnderstudyTestSupport

/// A client of a WebSocket that sends what it is told.
final class RawSocket {
  private let client: RawClient
  private var frames = RelayedFrames(isFromClient: false, limit: 1 << 20)
  private var waiting: [RelayedFrames.Item] = []
  /// The head of the response to the handshake.
  let response: RawClient.Response

  init(port: Int, _ target: String) throws {
    client = try RawClient(port: port)
    let fields = """
      Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Extensions: permessage-deflate\r

      """
    try client.get(target, fields)
    response = try client.response()
  }

  func send(_ text: String) throws {
    try client.send(WebSocketFrame(.text, Array(text.utf8)).bytes(mask: [0x12, 0x34, 0x56, 0x78]))
  }

  func close() throws { try client.send(WebSocketFrame(.close, [0x03, 0xE8]).bytes(mask: [1, 2, 3, 4])) }

  /// The next message, or the end: `close 4001 bye`, `end` without a close frame.
  func next() throws -> String {
    while waiting.isEmpty {
      guard let bytes = try client.piece() else { return "end" }
      waiting = frames.receive(bytes)
    }
    switch waiting.removeFirst() {
    case .message(.text(let text)): return text
    case .message(.binary(let bytes)): return "\(bytes.count) bytes"
    case .close(let code, let reason): return "close \(code.rawValue) \(reason)"
    }
  }
}

package enum WebSocketMessage: Sendable, Hashable {
  case text(String)
  case binary([UInt8])

  /// The number of bytes on the wire.
  package var count: Int {
    switch self {
    case .text(let text): text.utf8.count
    case .binary(let bytes): bytes.count
    }
  }

  package var frame: WebSocketFrame {
    switch self {
    case .text(let text): WebSocketFrame(.text, Array(text.utf8))
    case .binary(let bytes): WebSocketFrame(.binary, bytes)
    }
  }
}

package struct WebSocketEnd: Sendable, Hashable {
  /// The code of the close frame: 1005 for a frame without a code, 1006 without a frame.
  package var code: WebSocketCloseCode
  package var reason: String
  package var isFromClient: Bool

  package init(_ code: WebSocketCloseCode, _ reason: String = "", isFromClient: Bool) {
    (self.code, self.reason, self.isFromClient) = (code, reason, isFromClient)
  }
}

package struct WebSocketLimits: Sendable, Hashable {
  /// The longest message, in bytes; a longer message closes the connection with 1009.
  package var messageBytes = 1_000_000
  /// The most fragments of a message: empty ones cost no bytes of it.
  package var fragments = 4096
  package var closeTimeout: Duration = .seconds(2)

  package init() {}
}

package struct EnginePacket: Sendable, Hashable {
  package enum Kind: UInt8, Sendable, CaseIterable {
    case open, close, ping, pong, message, upgrade, noop
  }

  package var kind: Kind
  package var content: WebSocketMessage

  package init(_ kind: Kind, _ content: WebSocketMessage = .text("")) { (self.kind, self.content) = (kind, content) }

  package static func message(_ content: WebSocketMessage) -> EnginePacket { EnginePacket(.message, content) }

  /// The content of a text packet; `nil` for a binary packet.
  package var text: String? { if case .text(let text) = content { text } else { nil } }
}

package struct EngineDecodingError: Error, Sendable, Hashable {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

extension EnginePacket {
  package func encoded(_ version: EngineVersion) -> WebSocketMessage {
    switch content {
    case .text(let text): .text(Self.digit(kind) + text)
    // Version 3 has the type as a byte.
    case .binary(let bytes): .binary(version == .three ? [kind.rawValue] + bytes : bytes)
    }
  }

  package init(decoding message: WebSocketMessage, _ version: EngineVersion) throws(EngineDecodingError) {
    switch message {
    case .text(let text): self = try EnginePacket(text: text[...])
    case .binary(let bytes) where version == .four: self = .message(.binary(bytes))
    case .binary(let bytes):
      guard let first = bytes.first, let kind = Kind(rawValue: first) else {
        throw EngineDecodingError("a binary packet has no type from 0 to 6")
      }
      self = EnginePacket(kind, .binary(Array(bytes.dropFirst())))
    }
  }

  init(text: Substring) throws(EngineDecodingError) {
    guard let first = text.utf8.first else { throw EngineDecodingError("a packet is empty") }
    guard let kind = Kind(rawValue: first &- UInt8(ascii: "0")) else {
      throw EngineDecodingError("a packet has no type from 0 to 6")
    }
    self.init(kind, .text(String(Substring(text.utf8.dropFirst()))))
  }

  static func digit(_ kind: Kind) -> String { String(kind.rawValue) }
}

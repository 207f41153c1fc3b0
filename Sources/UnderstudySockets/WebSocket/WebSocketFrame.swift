/// A frame of a WebSocket (RFC 6455, 5.2).
package struct WebSocketFrame: Sendable, Hashable {
  package enum Opcode: UInt8, Sendable, CaseIterable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    package var isControl: Bool { rawValue >= 0x8 }
  }

  package var opcode: Opcode
  package var isFinal: Bool
  /// The payload without its mask.
  package var payload: [UInt8]

  package init(_ opcode: Opcode, isFinal: Bool = true, _ payload: [UInt8] = []) {
    (self.opcode, self.isFinal, self.payload) = (opcode, isFinal, payload)
  }

  /// The longest payload of a control frame, in bytes (5.5).
  package static let controlLimit = 125

  /// The bytes on the wire, with the mask of a client; a server sends frames without one (5.1).
  package func bytes(mask: [UInt8]? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 14)
    bytes.append((isFinal ? 0x80 : 0) | opcode.rawValue)
    let maskBit: UInt8 = mask == nil ? 0 : 0x80
    switch payload.count {
    case ...125: bytes.append(maskBit | UInt8(payload.count))
    case ...0xFFFF:
      bytes += [maskBit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default:
      bytes.append(maskBit | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
      }
    }
    guard let mask else { return bytes + payload }
    bytes += mask
    for (offset, byte) in payload.enumerated() { bytes.append(byte ^ mask[offset & 3]) }
    return bytes
  }
}

/// A code of a close frame (RFC 6455, 7.4).
package struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable, Codable {
  package var rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let normal = Self(rawValue: 1000)
  package static let goingAway = Self(rawValue: 1001)
  package static let protocolError = Self(rawValue: 1002)
  package static let unsupported = Self(rawValue: 1003)
  /// A close frame without a code; never on the wire.
  package static let absent = Self(rawValue: 1005)
  /// The connection ended without a close frame; never on the wire.
  package static let abnormal = Self(rawValue: 1006)
  package static let invalidPayload = Self(rawValue: 1007)
  package static let policy = Self(rawValue: 1008)
  package static let tooBig = Self(rawValue: 1009)
  package static let internalError = Self(rawValue: 1011)

  /// Whether a close frame may carry it: 1004 to 1006 and 1015 are reserved (7.4.1), 1012 to 1014 are registered with
  /// IANA, 3000 to 4999 are for libraries and applications (7.4.2).
  package var mayBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

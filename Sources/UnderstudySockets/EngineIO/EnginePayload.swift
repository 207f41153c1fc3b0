import UnderstudySchema

/// Packets as the body of a POST or of the response to a poll.
package enum EnginePayload {
  package struct Body: Sendable, Hashable {
    package var bytes: [UInt8]
    package var isBinary: Bool

    package var mediaType: String { isBinary ? "application/octet-stream" : "text/plain; charset=UTF-8" }
  }

  /// The record separator between two packets of version 4, which JSON does not contain.
  static let separator: UInt8 = 0x1E

  /// - Parameter acceptsBinary: Whether the client of version 3 did not ask for base64 (`b64=1`).
  package static func encode(_ packets: [EnginePacket], _ version: EngineVersion, acceptsBinary: Bool = false) -> Body {
    if version == .four {
      return Body(bytes: Array(packets.map { text($0, version) }.joined(separator: "\u{1E}").utf8), isBinary: false)
    }
    if acceptsBinary, packets.contains(where: { $0.text == nil }) {
      return Body(bytes: packets.flatMap(binary), isBinary: true)
    }
    let texts = packets.map { packet in
      let text = text(packet, version)
      // Lengths are those of JavaScript, in UTF-16.
      return "\(text.utf16.count):\(text)"
    }
    return Body(bytes: Array(texts.joined().utf8), isBinary: false)
  }

  /// - Parameter isBinary: Whether the media type is `application/octet-stream`.
  package static func decode(
    _ bytes: [UInt8], _ version: EngineVersion, isBinary: Bool
  ) throws(EngineDecodingError) -> [EnginePacket] {
    if isBinary {
      guard version == .three else { throw EngineDecodingError("version 4 has no binary payloads") }
      return try decodeBinary(bytes)
    }
    var utf8 = UTF8Stream()
    guard utf8.accepts(bytes), utf8.isComplete else { throw EngineDecodingError("a payload is not UTF-8") }
    return version == .four ? try decode4(bytes) : try decode3(String(decoding: bytes, as: UTF8.self))
  }

  private static func text(_ packet: EnginePacket, _ version: EngineVersion) -> String {
    switch packet.content {
    case .text(let text): EnginePacket.digit(packet.kind) + text
    case .binary(let bytes): "b" + (version == .three ? EnginePacket.digit(packet.kind) : "") + Base64.encode(bytes)
    }
  }

  private static func decode4(_ bytes: [UInt8]) throws(EngineDecodingError) -> [EnginePacket] {
    var packets: [EnginePacket] = []
    for part in bytes.split(separator: separator, omittingEmptySubsequences: false) {
      if part.first == UInt8(ascii: "b") {
        packets.append(.message(.binary(try base64(Array(part.dropFirst())))))
      } else {
        packets.append(try EnginePacket(text: Substring(String(decoding: part, as: UTF8.self))))
      }
    }
    return packets
  }

  private static func base64(_ text: [UInt8]) throws(EngineDecodingError) -> [UInt8] {
    guard let bytes = Base64.decode(text) else { throw EngineDecodingError("a binary packet is not base64") }
    return bytes
  }

  /// `<length>:<packet>` for each, the length in UTF-16.
  private static func decode3(_ text: String) throws(EngineDecodingError) -> [EnginePacket] {
    var packets: [EnginePacket] = []
    let units = Array(text.utf16)
    var rest = units[...]
    repeat {
      let digits = rest.prefix { 0x30...0x39 ~= $0 }
      guard !digits.isEmpty, digits.count <= lengthDigits, rest.dropFirst(digits.count).first == 0x3A else {
        throw EngineDecodingError("a payload of version 3 has no `length:` before a packet")
      }
      let length = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
      rest = rest.dropFirst(digits.count + 1)
      guard length > 0, length <= rest.count else {
        throw EngineDecodingError("a payload of version 3 has \(rest.count) of \(length) characters of a packet")
      }
      packets.append(try packet3(String(decoding: rest.prefix(length), as: UTF16.self)))
      rest = rest.dropFirst(length)
    } while !rest.isEmpty
    return packets
  }

  private static func packet3(_ text: String) throws(EngineDecodingError) -> EnginePacket {
    guard text.utf8.first == UInt8(ascii: "b") else { return try EnginePacket(text: text[...]) }
    let kind = try EnginePacket(text: Substring(text.utf8.dropFirst())).kind
    return EnginePacket(kind, .binary(try base64(Array(text.utf8.dropFirst(2)))))
  }

  /// Lengths with more digits exceed all limits, and would overflow.
  private static let lengthDigits = 9

  /// `0` for text or `1` for binary, the digits of the length in bytes as bytes, 255, the packet.
  private static func binary(_ packet: EnginePacket) -> [UInt8] {
    let (flag, content): (UInt8, [UInt8]) =
      switch packet.encoded(.three) {
      case .text(let text): (0, Array(text.utf8))
      case .binary(let bytes): (1, bytes)
      }
    return [flag] + String(content.count).utf8.map { $0 - UInt8(ascii: "0") } + [255] + content
  }

  private static func decodeBinary(_ bytes: [UInt8]) throws(EngineDecodingError) -> [EnginePacket] {
    var packets: [EnginePacket] = []
    var rest = bytes[...]
    while let flag = rest.popFirst() {
      let digits = rest.prefix { $0 <= 9 }
      guard flag <= 1, !digits.isEmpty, digits.count <= lengthDigits, rest.dropFirst(digits.count).first == 255 else {
        throw EngineDecodingError("a binary payload has no length before a packet")
      }
      let length = digits.reduce(0) { $0 * 10 + Int($1) }
      rest = rest.dropFirst(digits.count + 1)
      guard length > 0, length <= rest.count else {
        throw EngineDecodingError("a binary payload has \(rest.count) of \(length) bytes of a packet")
      }
      let content = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      if flag == 1 {
        packets.append(try EnginePacket(decoding: .binary(content), .three))
      } else {
        var utf8 = UTF8Stream()
        guard utf8.accepts(content), utf8.isComplete else { throw EngineDecodingError("a packet is not UTF-8") }
        packets.append(try packet3(String(decoding: content, as: UTF8.self)))
      }
    }
    guard !packets.isEmpty else { throw EngineDecodingError("a payload is empty") }
    return packets
  }
}

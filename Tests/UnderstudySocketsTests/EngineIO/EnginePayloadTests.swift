import Testing
import UnderstudySockets

struct EnginePayloadTests {
  private let hello = EnginePacket.message(.text("hello"))
  private let bytes = EnginePacket.message(.binary([1, 2, 3, 4]))

  private func text(_ packets: [EnginePacket], _ version: EngineVersion) -> String {
    String(decoding: EnginePayload.encode(packets, version).bytes, as: UTF8.self)
  }

  private func decode(_ text: String, _ version: EngineVersion) throws -> [EnginePacket] {
    try EnginePayload.decode(Array(text.utf8), version, isBinary: false)
  }

  @Test func `packets of version 4 are separated by a record separator`() throws {
    #expect(text([hello, bytes, EnginePacket(.noop)], .four) == "4hello\u{1E}bAQIDBA==\u{1E}6")
    #expect(try decode("4hello\u{1E}bAQIDBA==\u{1E}6", .four) == [hello, bytes, EnginePacket(.noop)])
  }

  @Test func `packets of version 3 have their length in UTF-16 before them`() throws {
    #expect(text([hello, bytes], .three) == "6:4hello10:b4AQIDBA==")
    #expect(text([.message(.text("안녕 😀"))], .three) == "6:4안녕 😀")
    #expect(try decode("6:4hello10:b4AQIDBA==6:4안녕 😀", .three) == [hello, bytes, .message(.text("안녕 😀"))])
  }

  @Test func `a binary payload of version 3 has the bytes that the protocol shows`() throws {
    let body = EnginePayload.encode([hello, bytes], .three, acceptsBinary: true)
    #expect(body.bytes == [0, 6, 255, 52, 104, 101, 108, 108, 111, 1, 5, 255, 4, 1, 2, 3, 4])
    #expect(body.mediaType == "application/octet-stream")
    #expect(try EnginePayload.decode(body.bytes, .three, isBinary: true) == [hello, bytes])
    #expect(EnginePayload.encode([hello], .three, acceptsBinary: true).mediaType == "text/plain; charset=UTF-8")
  }

  @Test(arguments: ["", "abc", "9", "4a\u{1E}", "\u{1E}4a", "b!", "bA"])
  func `a malformed payload of version 4 is refused`(text: String) {
    #expect(throws: EngineDecodingError.self) { try decode(text, .four) }
  }

  @Test(arguments: ["", "abc", "0:", ":4a", "9:4a", "2:4a3", "1:9", "2:b", "4:b4!!", "99999999999999999999:4"])
  func `a malformed payload of version 3 is refused`(text: String) {
    #expect(throws: EngineDecodingError.self) { try decode(text, .three) }
  }

  @Test(arguments: [[], [0], [0, 255], [2, 1, 255, 52], [0, 9, 255, 52], [1, 1, 255, 9], [0, 2, 255, 52, 0xFF]])
  func `a malformed binary payload of version 3 is refused`(bytes: [UInt8]) {
    #expect(throws: EngineDecodingError.self) { try EnginePayload.decode(bytes, .three, isBinary: true) }
  }

  @Test func `a payload that is not UTF-8, or is binary in version 4, is refused`() {
    #expect(throws: EngineDecodingError.self) { try EnginePayload.decode([0x34, 0xFF], .four, isBinary: false) }
    #expect(throws: EngineDecodingError.self) { try EnginePayload.decode([0x34], .four, isBinary: true) }
  }

  @Test func `on a WebSocket binary messages have a type only in version 3`() throws {
    #expect(bytes.encoded(.four) == .binary([1, 2, 3, 4]))
    #expect(bytes.encoded(.three) == .binary([4, 1, 2, 3, 4]))
    #expect(try EnginePacket(decoding: .binary([4, 1, 2, 3, 4]), .three) == bytes)
    #expect(try EnginePacket(decoding: .binary([1, 2, 3, 4]), .four) == bytes)
    #expect(throws: EngineDecodingError.self) { try EnginePacket(decoding: .binary([]), .three) }
    #expect(throws: EngineDecodingError.self) { try EnginePacket(decoding: .text("abc"), .four) }
  }
}

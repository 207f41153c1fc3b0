import Testing
import UnderstudySockets

struct RelayedFramesTests {
  private static let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]

  @Test(arguments: [true, false])
  func `messages are read in any pieces, without pings and masks`(_ isFromClient: Bool) {
    let frames = [
      WebSocketFrame(.text, Array("one".utf8)), WebSocketFrame(.ping, [1]),
      WebSocketFrame(.binary, isFinal: false, [1]), WebSocketFrame(.pong), WebSocketFrame(.continuation, [2, 3]),
      WebSocketFrame(.close, [0x03, 0xE8] + Array("bye".utf8)),
    ]
    let bytes = frames.flatMap { $0.bytes(mask: isFromClient ? Self.mask : nil) }
    for length in 1...bytes.count {
      var side = RelayedFrames(isFromClient: isFromClient, limit: 100)
      var items: [RelayedFrames.Item] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        items += side.receive(bytes[start..<min(start + length, bytes.count)])
      }
      #expect(items == [.message(.text("one")), .message(.binary([1, 2, 3])), .close(.normal, "bye")])
      #expect(side.problem == nil)
    }
  }

  @Test(arguments: [
    // Compressed, reserved, too long, continued without a beginning, without a mask.
    [0xC1, 0x80, 0, 0, 0, 0], [0x83, 0x80, 0, 0, 0, 0], [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0], [0x80, 0x80, 0, 0, 0, 0],
    [0x81, 0x01, 0x41],
  ])
  func `after a frame that cannot be read nothing is read, and nothing is held`(_ bytes: [UInt8]) {
    var side = RelayedFrames(isFromClient: true, limit: 100)
    #expect(side.receive(bytes).isEmpty)
    #expect(side.problem != nil)
    #expect(side.receive(WebSocketFrame(.text, [0x41]).bytes(mask: Self.mask)).isEmpty)
  }

  @Test func `fragments of a message are limited together`() {
    var side = RelayedFrames(isFromClient: false, limit: 5)
    #expect(side.receive(WebSocketFrame(.text, isFinal: false, [1, 2, 3]).bytes()).isEmpty)
    #expect(side.receive(WebSocketFrame(.continuation, [1, 2, 3]).bytes()).isEmpty)
    #expect(side.problem == "a message is longer than 5 bytes")
    // The limit is one of this program.
    #expect(side.violation == nil)
  }

  @Test(
    arguments: [
      ([0xC1, 0x01, 0x41], "reserved bits"), ([0x83, 0x00], "opcode"), ([0x80, 0x00], "no message is continued"),
      ([0x81, 0x81, 0, 0, 0, 0, 0x41], "a frame of a server has a mask"),
      ([0x01, 0x01, 0x41, 0x81, 0x01, 0x42], "begins within another"), ([0x81, 0x01, 0xFF], "not UTF-8"),
      ([0x88, 0x01, 0x03], "half a code"), ([0x88, 0x02, 0x03, 0xED], "1005 is reserved"),
      ([0x88, 0x03, 0x03, 0xE8, 0xFF], "not UTF-8"),
      ([0x82, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], "the most significant bit of a length is set"),
      ([0x82, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "the most significant bit of a length is set"),
      ([0x88, 0x02, 0x03, 0xE8, 0x81, 0x01, 0x41], "data follow a close frame"),
    ] as [([UInt8], String)])
  func `a frame of a server that breaks RFC 6455 is named`(_ bytes: [UInt8], _ reason: String) {
    var side = RelayedFrames(isFromClient: false, limit: 100)
    _ = side.receive(WebSocketFrame(.text, Array("안".utf8)).bytes())
    #expect(side.violation == nil)
    _ = side.receive(bytes)
    #expect(side.violation?.reason.contains(reason) == true, "\(side.violation?.reason ?? "none")")
  }

  @Test(arguments: [("1", 4000), ("2", 2000), ("0.5", 8000), ("max", 0), ("1000", 4)])
  func `a speed divides pauses`(_ text: String, _ milliseconds: Int) {
    #expect(PlaybackSpeed(text)?.scaled(.seconds(4)) == .milliseconds(milliseconds))
  }

  @Test(arguments: ["", "0", "-1", "fast", "nan", "inf", "1e9", "0.0001"])
  func `a speed that is none is refused`(_ text: String) { #expect(PlaybackSpeed(text) == nil) }
}

import Testing
import UnderstudyMock

struct MessageCutterTests {
  private func cut(_ type: String, _ pieces: [String]) throws -> [String] {
    var cutter = try #require(MessageCutter(MediaRange(type)))
    var found: [String] = []
    for piece in pieces {
      cutter.cut(Array(piece.utf8)) { bytes, _ in found.append(String(decoding: bytes, as: UTF8.self)) }
    }
    return found
  }

  @Test(arguments: [
    ("text/event-stream", "data: a\n\nevent: x\ndata: b\n\n: still here\n\ndata: c", ["data: a", "event: x\ndata: b"]),
    ("text/event-stream; charset=utf-8", "data: a\r\n\r\ndata: b\r\rdata: c\n\r\n", ["data: a", "data: b", "data: c"]),
    ("text/event-stream", "\n\n\ndata\n\n", ["data"]),
    ("text/event-stream", "\u{FEFF}data: a\n\ndatabase: b\n\nid: 1\n\ndata:c\n\n", ["\u{FEFF}data: a", "data:c"]),
    ("application/x-ndjson", "{\"a\": 1}\r\n\n  \n[2]\n3", ["{\"a\": 1}", "[2]"]),
    ("application/jsonl", "1\n2\n", ["1", "2"]),
    ("application/json-seq", "\u{1E}{\"a\":\n1}\n\u{1E}2\n\u{1E}3", ["{\"a\":\n1}", "2"]),
    ("application/geo+json-seq", "\u{1E}1\u{1E}2\u{1E}", ["1", "2"]),
  ]) func `messages do not depend on the pieces in which they arrive`(
    type: String, text: String, expected: [String]
  ) throws {
    #expect(try cut(type, [text]) == expected)
    #expect(try cut(type, text.unicodeScalars.map { String($0) }) == expected)
    for place in text.indices {
      let pieces = [String(text[..<place]), String(text[place...])]
      #expect(try cut(type, pieces) == expected, "\(pieces)")
    }
  }

  @Test(arguments: ["application/json", "text/plain", "application/octet-stream"])
  func `other media types have no messages`(_ type: String) { #expect(MessageCutter(MediaRange(type)) == nil) }

  @Test func `of a long message the beginning is held, and its length`() throws {
    var cutter = try #require(MessageCutter(MediaRange("application/jsonl")))
    var found: [(held: Int, size: Int)] = []
    let line = [UInt8](repeating: UInt8(ascii: "7"), count: 100_000)
    cutter.cut(line + [10] + line) { found.append(($0.count, $1)) }
    cutter.cut([10]) { found.append(($0.count, $1)) }
    #expect(found.map(\.held) == [MessageCutter.messageLimit, MessageCutter.messageLimit])
    #expect(found.map(\.size) == [100_000, 100_000])
  }
}

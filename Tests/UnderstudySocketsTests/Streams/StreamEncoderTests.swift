import Testing
import UnderstudyJSON
import UnderstudySockets

struct StreamEncoderTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `server-sent events have a type, an identifier and the text of a string`() {
    let encoder = StreamEncoder(isSSE: true)
    #expect(encoder.mediaType == "text/event-stream")
    #expect(text(encoder.event("chat", "a\nb", id: "7")) == "event: chat\nid: 7\ndata: a\ndata: b\n\n")
    #expect(text(encoder.event(nil, ["a": 1])) == "data: {\"a\":1}\n\n")
    #expect(text(encoder.event("chat", text: "{\"a\":")) == "event: chat\ndata: {\"a\":\n\n")
    #expect(text(encoder.heartbeat) == ":\n\n")
  }

  @Test func `a line of JSON has neither a type nor an identifier`() {
    let encoder = StreamEncoder(isSSE: false)
    #expect(encoder.mediaType == "application/x-ndjson")
    #expect(text(encoder.event("chat", "a\nb", id: "7")) == "\"a\\nb\"\n")
    #expect(text(encoder.event(nil, text: "{\"a\":")) == "{\"a\":\n")
    #expect(text(encoder.heartbeat) == "\n")
  }
}

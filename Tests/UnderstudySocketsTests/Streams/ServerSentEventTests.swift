import Testing
import UnderstudySockets

struct ServerSentEventTests {
  private func text(_ event: ServerSentEvent) -> String { String(decoding: event.bytes, as: UTF8.self) }

  private func items(_ text: String, by count: Int = .max) -> [ServerSentEventParser.Item] {
    var parser = ServerSentEventParser()
    var items: [ServerSentEventParser.Item] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      items += parser.receive(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    return items
  }

  @Test func `an event has its fields in lines, and each line of its data`() {
    #expect(text(ServerSentEvent(data: "a")) == "data: a\n\n")
    #expect(
      text(ServerSentEvent(event: "chat", data: "a\nb\r\nc\rd", id: "7", retry: 500))
        == "retry: 500\nevent: chat\nid: 7\ndata: a\ndata: b\ndata: c\ndata: d\n\n")
    #expect(text(ServerSentEvent(data: "")) == "data: \n\n")
  }

  @Test func `a field cannot begin another one`() {
    #expect(text(ServerSentEvent(event: "a\ndata: x", data: "y", id: "1\rretry: 1")) == "event: a\nid: 1\ndata: y\n\n")
  }

  @Test func `a comment keeps a connection open`() {
    #expect(String(decoding: ServerSentEvent.comment("ping"), as: UTF8.self) == ": ping\n\n")
    #expect(items(String(decoding: ServerSentEvent.comment("ping"), as: UTF8.self)) == [.comment("ping")])
  }

  @Test(arguments: [1, 2, 3, .max]) func `what is written is read in any pieces`(count: Int) {
    let event = ServerSentEvent(event: "chat", data: "안녕\n\n😀", id: "7")
    #expect(items(text(event), by: count) == [.event(event)])
  }

  /// The examples of WHATWG HTML, 9.2.6.
  @Test func `the examples of the standard are read as it says`() {
    #expect(items("data: YHOO\ndata: +2\ndata: 10\n\n") == [.event(ServerSentEvent(data: "YHOO\n+2\n10"))])
    #expect(
      items(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n")
        == [
          .comment("test stream"), .event(ServerSentEvent(data: "first event", id: "1")),
          .event(ServerSentEvent(data: "second event", id: "")),
          .event(ServerSentEvent(data: " third event", id: "")),
        ])
    #expect(
      items("data\n\ndata\ndata\n\ndata:")
        == [.event(ServerSentEvent(data: "")), .event(ServerSentEvent(data: "\n"))])
    #expect(
      items("data:test\n\ndata: test\n\n")
        == [.event(ServerSentEvent(data: "test")), .event(ServerSentEvent(data: "test"))])
  }

  @Test func `an identifier lasts, one with NUL is ignored, and retry is digits`() {
    #expect(
      items("id: 1\n\ndata: a\n\nid: 2\u{0}\ndata: b\n\nretry: 10\nretry: 1x\n\n")
        == [.event(ServerSentEvent(data: "a", id: "1")), .event(ServerSentEvent(data: "b", id: "1")), .retry(10)])
  }

  @Test func `a byte order mark and all line ends are accepted`() {
    #expect(items("\u{FEFF}data: a\r\rdata: b\r\n\r\n", by: 1).count == 2)
  }

  @Test func `a line over the limit is cut`() {
    var parser = ServerSentEventParser()
    _ = parser.receive(Array("data: ".utf8) + Array(repeating: 0x61, count: ServerSentEventParser.limit + 10))
    _ = parser.receive(Array("\n\n".utf8))
    #expect(parser.isCut)
  }
}

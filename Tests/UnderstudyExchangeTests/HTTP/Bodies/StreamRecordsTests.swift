import Testing
import UnderstudyMock

struct StreamRecordsTests {
  private func records(_ text: String, _ type: String) -> [String]? {
    StreamRecords(Array(text.utf8), MediaRange(type))?.records.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [
    ("data: a\n\ndata: b\ndata: c\n\n", ["data: a\n\n", "data: b\ndata: c\n\n"]),
    ("data: a\r\n\r\n: ping\r\n\r\n", ["data: a\r\n\r\n", ": ping\r\n\r\n"]),
    ("data: a\r\rdata: b", ["data: a\r\r", "data: b"]),
    ("\n\ndata: a\n\n", ["\n", "\n", "data: a\n\n"]), ("", []),
  ])
  func `an event ends with an empty line, whatever ends a line`(_ text: String, _ expected: [String]) {
    #expect(records(text, "text/event-stream") == expected)
  }

  @Test func `a text of a sequence ends with its line, or before the next separator`() {
    #expect(records("1\n{}\n[", "application/x-ndjson") == ["1\n", "{}\n", "["])
    #expect(records("\u{1E}1\n\u{1E}2\n", "application/json-seq") == ["\u{1E}1\n", "\u{1E}2\n"])
  }

  @Test func `other types have no records`() {
    #expect(records("a\n\n", "text/plain") == nil)
    #expect(StreamRecords([], nil) == nil)
  }
}

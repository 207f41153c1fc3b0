import JSONSchema
import Testing
import UnderstudyCommand

struct ExchangeTextTests {
  /// A stream of which the first message is no longer held.
  private static let stream = """
    {"id": 3, "time": "2026-01-02T09:41:07.000Z", "method": "GET", "target": "/feed", "status": 200,
     "microseconds": 2500000, "reply": "upstream", "operation": "readFeed", "contract": "feed.yaml",
     "messages": {"count": 3, "bytes": 70000, "last": [
       {"number": 2, "microseconds": 1500, "event": "price", "id": "7", "text": "{\\"now\\": 1}"},
       {"number": 3, "microseconds": 2400000, "text": "two\\nlines", "size": 66000}]}}
    """

  private func shown() throws -> ExchangeText { ExchangeText(try JSONParser.parse(Array(Self.stream.utf8)).root) }

  @Test func `messages of a stream stand below its answer`() throws {
    #expect(
      try shown().plain == """
        #3 GET /feed
        answered 200 in 2500 ms: upstream
        operation readFeed of feed.yaml

        > GET /feed

        messages
          #2 after 1.5 ms, event price, id 7: {"now": 1}
          #3 after 2400 ms: two\\u{A}lines (66000 bytes in all)

        """)
  }

  @Test func `messages of a stream are a section of the report`() throws {
    let report = try shown().markdown
    #expect(
      report.hasSuffix(
        """

        ## Messages

        - `#2 after 1.5 ms, event price, id 7: {"now": 1}`
        - `#3 after 2400 ms: two\\u{A}lines (66000 bytes in all)`

        """), "\(report)")
  }
}

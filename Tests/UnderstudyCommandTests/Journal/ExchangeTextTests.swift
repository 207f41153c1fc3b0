import Testing
import UnderstudyCommand
import UnderstudySchema

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

  /// A finding of a check, and one about a line of the contract.
  private static let breach = """
    {"id": 4, "time": "2026-01-02T09:41:07.000Z", "method": "GET", "target": "/user", "status": 401,
     "microseconds": 400, "reply": "fixture readUser/401", "operation": "readUser", "contract": "api",
     "findings": [
       {"rule": "check.retry-after-401", "severity": "error", "message": "the credential was sent again",
        "help": "refresh the token", "notes": [
          {"message": "request 1: GET /user -> 401"}, {"message": "request 2, 5ms later: GET /user -> 401"}]},
       {"rule": "req.header.schema", "severity": "warning", "message": "too short", "pointer": "/header/X-Id",
        "notes": [{"message": "the contract", "place": "api.yaml:7:3"}]}]}
    """

  @Test func `the requests that prove a finding stand below it`() throws {
    let shown = ExchangeText(try JSONParser.parse(Array(Self.breach.utf8)).root)
    #expect(
      shown.plain == """
        #4 GET /user
        answered 401 in 0.4 ms: fixture readUser/401
        operation readUser of api

        > GET /user

        findings
          error: the credential was sent again (refresh the token) [check.retry-after-401]
            request 1: GET /user -> 401
            request 2, 5ms later: GET /user -> 401
          warning: /header/X-Id: too short at api.yaml:7:3 [req.header.schema]

        """)
    #expect(
      shown.markdown.hasSuffix(
        """

        ## Findings

        - `error: the credential was sent again (refresh the token) [check.retry-after-401]`
          - `request 1: GET /user -> 401`
          - `request 2, 5ms later: GET /user -> 401`
        - `warning: /header/X-Id: too short at api.yaml:7:3 [req.header.schema]`

        """), "\(shown.markdown)")
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

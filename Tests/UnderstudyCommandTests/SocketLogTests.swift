import HTTPTypes
import Testing
import UnderstudyCommand
import UnderstudyMock
import UnderstudySockets
import UnderstudySystem
import UnderstudyTestSupport
import UnderstudyVerification

/// The lines of a log about sockets.
struct SocketLogTests {
  private static let request = HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/socket.io/?EIO=4")

  private static var exchange: ServedRequest {
    let reply = Reply(.made(HTTPResponse(status: .switchingProtocols), body: []), source: ReplySource(.socket(3)))
    return ServedRequest(
      startedAt: 0, microseconds: 1_500_000, request: SharedRequest(request), body: [], reply: reply, status: 101)
  }

  private func lines(_ message: SocketMessage, in lane: String? = nil) -> String {
    let written = Lock("")
    let lines = LineQueue { text in written.withLock { $0 += text } }
    let log = RequestLog(
      style: TerminalStyle(isColored: false), redactor: Redactor(style: .marker), showsOwner: false,
      showsUnvalidated: false)
    let socket = SocketIdentity(3, lane: lane, SocketDescription(), Self.exchange)
    log.write(message, of: socket, to: lines)
    lines.finish("")
    // Without the time.
    return String(written.withLock(\.self).dropFirst(9))
  }

  @Test func `a message is a line with its direction, its arguments without secrets, and its socket`() {
    let event = SocketMessage(
      .event, isFromClient: true, in: "/", event: "login", Array(#"[{"password":"hunter2-of-mine"},7]"#.utf8))
    #expect(lines(event) == "> login {\"password\":\"[redacted]\"},7 socket 3\n")
    let close = SocketMessage(.close, isFromClient: false, in: "/admin", Array("[1011]".utf8))
    #expect(lines(close, in: "a") == "< close /admin 1011 socket 3 in a\n")
    let held = SocketMessage(.held, isFromClient: false, in: "/", event: "chat", Array("[1]".utf8))
    #expect(lines(held) == "< chat (held until the next event) 1 socket 3\n")
  }

  @Test func `a key sent as the name of an event or namespace is hidden`() {
    let key = "ghp_" + String(repeating: "a1B2", count: 9)
    let event = SocketMessage(
      .event, isFromClient: true, in: "/\(key)", event: key, Array("[\"token=\(key)\"]".utf8))
    #expect(!lines(event).contains(key), "\(lines(event))")
    #expect(lines(event).hasPrefix("> [redacted] /[redacted] "), "\(lines(event))")
  }

  @Test func `what a client breaks stands below its message`() {
    var event = SocketMessage(.event, isFromClient: true, in: "/", event: "jion", Array("[]".utf8))
    event.findings = [Diagnostic(.eventUndeclared, "no event `jion` is declared `from: client`", help: "known: `join`")]
    #expect(
      lines(event) == """
        > jion socket 3
          warning: no event `jion` is declared `from: client` [event.undeclared]
            help: known: `join`

        """)
  }

  @Test func `a line of a message cannot break out of its line`() {
    let event = SocketMessage(
      .event, isFromClient: true, in: "/", event: "a\nGET / 200\u{1B}[2J", Array(#"["\u001b"]"#.utf8))
    #expect(lines(event).split(separator: "\n").count == 1)
    #expect(!lines(event).contains("\u{1B}"))
  }

  @Test func `a detail shows the messages of both directions`() throws {
    let detail = try JSONParser.parse(
      Array(
        #"""
        {"id": 1, "method": "GET", "target": "/socket.io/", "status": 101, "microseconds": 5, "reply": "socket 3",
        "messages": {"count": 3, "bytes": 10, "last": [
          {"number": 1, "microseconds": 100, "from": "client", "kind": "event", "event": "join", "text": "1",
           "findings": [{"rule": "event.schema"}]},
          {"number": 2, "microseconds": 2000000, "from": "server", "kind": "acknowledgement", "acknowledgement": 7,
           "namespace": "/admin", "text": "2"},
          {"number": 3, "microseconds": 2000000, "from": "server", "kind": "held", "event": "chat", "text": "1"}]}}
        """#.utf8)
    ).root
    let text = ExchangeText(detail).plain
    #expect(text.contains("  #1 after 0.1 ms > join 1 [event.schema]\n"), "\(text)")
    #expect(text.contains("  #2 after 2000 ms < acknowledgement 7 /admin 2\n"), "\(text)")
    #expect(text.contains("  #3 after 2000 ms < chat (held) 1\n"), "\(text)")
  }
}

import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudySockets
import UnderstudyTestSupport

/// Client checks over sockets: scripts of clients that break them, and of clients that keep them.
struct SocketCheckTests {
  private static let contract = """
    openapi: 3.1.0
    info: {title: a, version: "1"}
    paths:
      /user:
        get:
          operationId: readUser
          responses:
            "200":
              description: Me
              content: {application/json: {example: {uid: u1}, schema: {type: object}}}
      /chat:
        get:
          operationId: readChat
          responses: {"200": {description: All, content: {application/json: {example: [], schema: {type: array}}}}}
    x-understudy-events:
      rules:
        - {on: connect, do: [{emit: chat, argument: hi}]}
        - {on: {event: bye}, do: [{disconnect: true}]}
    """

  /// The findings about a client, with the frames that prove them.
  ///
  /// - Parameter script: Lines such as `0s 1 connect`, `1s 1 join u1`, `2s GET /user`, `3s 1 lost`; the last one is the time
  ///   of the verdict.
  private func verdict(_ check: String, _ script: String, isClosing: Bool = false) throws -> [String] {
    let mock = Mock(contracts: [try Contract(Self.contract, name: "chat")])
    let opening = try LaneOpeningReader.read(Array("{\"checks\": [\(check)]}".utf8), for: mock)
    var state = opening.state(of: mock)
    var now = 0
    for line in script.split(separator: "\n") {
      let parts = line.split(separator: " ").map(String.init)
      let start = 1_700_000_000_000_000
      now = start + Int((try #require(Double(parts[0].dropLast()))) * 1_000_000)
      if parts.count == 1 { break }
      let time = LaneTime { [now] in now }
      if parts[1] == "GET" {
        let request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: parts[2])
        _ = mock.reply(to: request, in: &state, at: Mock.Instant(microsecondsSince1970: now))
        continue
      }
      let id = try #require(Int(parts[1]))
      let event: SocketEvent =
        switch parts[2] {
        case "connect": .connecting(id, description: 0, namespace: "/", auth: nil, request: .object([]))
        case "lost": .disconnected(id, namespace: "/")
        default:
          .event(id, namespace: "/", name: parts[2], SocketArguments(parts.dropFirst(3).map { .string($0) }), id: nil)
        }
      mock.apply(event, to: &state, at: time)
    }
    let verdict = mock.verdict(of: state, at: now, isClosing: isClosing)
    #expect(verdict.isPassed == verdict.findings.isEmpty)
    var redactor = Redactor()
    let json = verdict.json(&redactor).value
    #expect(json["verdict"]?.text == (verdict.findings.isEmpty ? "passed" : "failed"))
    return verdict.findings.enumerated().map { index, finding in
      #expect(finding.diagnostic.severity == .error)
      #expect(json["findings"]?[index]?["rule"]?.text == finding.diagnostic.rule.id)
      #expect(json["findings"]?[index]?["severity"]?.text == "error")
      return ([finding.diagnostic.rule.id, finding.diagnostic.message] + finding.diagnostic.notes.map(\.message))
        .joined(separator: "; ")
    }
  }

  private static let join = #"{"join-after-connect": {"event": "join", "offer": "readUser/uid"}}"#

  @Test(arguments: [
    "0s 1 connect\n1s 1 join u1\n2s 1 other\n60s",
    "0s GET /user\n1s 1 connect\n1.5s 1 join u1\n60s",
    // It has until the limit.
    "0s 1 connect\n4s",
    "0s 1 connect\n1s 1 join u1\n2s 1 lost\n3s 2 connect\n3.1s 2 join u1\n60s",
  ]) func `a client that says who it is keeps the check`(script: String) throws {
    #expect(try verdict(Self.join, script) == [])
  }

  @Test(arguments: [
    (
      "0s 1 connect\n1s 1 other\n60s",
      "check.join-after-connect; the first event of the socket was not `join`; socket 1 connects; socket 1 > other"
    ),
    (
      "0s 1 connect\n1s 1 lost\n60s",
      "check.join-after-connect; the first event of the socket was not `join`; socket 1 connects; socket 1 is gone"
    ),
    (
      "0s 1 connect\n60s",
      "check.join-after-connect; no `join` came within 5s after the socket connected; socket 1 connects"
    ),
    (
      "0s 1 connect\n7s 1 join u1\n60s",
      "check.join-after-connect; `join` came 7s after the socket connected; socket 1 connects; socket 1 > join"
    ),
    (
      "0s GET /user\n1s 1 connect\n1s 1 join myUID\n60s",
      "check.join-after-connect; the id of `join` is not that of `readUser/uid`; request 1: GET /user -> 200; "
        + "socket 1 connects; socket 1 > join"
    ),
  ]) func `a client that does not say who it is, or lies, breaks the check`(script: String, finding: String) throws {
    #expect(try verdict(Self.join, script) == [finding])
  }

  @Test func `a client that connects again and again breaks the check, one that waits does not`() throws {
    let storm = (0...4).map { "\($0)s \($0) connect\n\($0).5s \($0) lost" }.joined(separator: "\n") + "\n60s"
    #expect(
      try verdict(#""reconnect-storm""#, storm) == [
        "check.reconnect-storm; the client connected 5 times within 4s, although each connection was lost or refused; "
          + "socket 0 is gone; socket 1 is gone; socket 2 is gone; socket 3 is gone; socket 4 connects"
      ])
    let patient = (0...6).map { "\($0 * 4)s \($0) connect\n\($0 * 4).5s \($0) lost" }.joined(separator: "\n") + "\n60s"
    #expect(try verdict(#""reconnect-storm""#, patient) == [])
  }

  @Test func `many sockets that are lost at once and connect again once are no storm`() throws {
    let first = (1...8).map { "0s \($0) connect" } + (1...8).map { "1s \($0) lost" }
    let second = (11...18).map { "2s \($0) connect" }
    #expect(try verdict(#""reconnect-storm""#, (first + second + ["60s"]).joined(separator: "\n")) == [])
  }

  @Test func `a socket that outlives its use breaks the check`() throws {
    let check = #"{"leave-on-close": {"operations": ["readUser"], "interval": "2s"}}"#
    #expect(try verdict(check, "0s 1 connect\n1s GET /user\n2s 1 lost\n60s") == [])
    #expect(try verdict(check, "0s GET /user\n1s 1 connect\n60s") == [])
    #expect(
      try verdict(check, "0s 1 connect\n1s GET /user\n9s 1 lost\n60s") == [
        "check.leave-on-close; the socket was open 8s after `readUser` had ended its use; socket 1 connects; "
          + "request 1: GET /user -> 200; socket 1 is gone"
      ])
    #expect(
      try verdict(check, "0s 1 connect\n1s GET /user\n8s") == [
        "check.leave-on-close; the socket was open 7s after `readUser` had ended its use; socket 1 connects; "
          + "request 1: GET /user -> 200"
      ])
  }

  @Test func `a client that does not read what it missed breaks the check`() throws {
    let check = #"{"catch-up-after-reconnect": {"operations": ["readChat"]}}"#
    let again = "0s 1 connect\n1s 1 lost\n4s 2 connect"
    #expect(try verdict(check, "\(again)\n5s GET /chat\n60s") == [])
    #expect(try verdict(check, "0s 1 connect\n60s") == [])
    // What came before the connection was whole is not enough.
    #expect(
      try verdict(check, "0s 1 connect\n1s 1 lost\n3s GET /chat\n4s 2 connect\n60s") == [
        "check.catch-up-after-reconnect; the client connected again after 3s, and did not call `readChat` within 5s; "
          + "socket 1 is gone; socket 2 connects"
      ])
    #expect(try verdict(check, "\(again)\n20s GET /chat\n60s").count == 1)
  }

  @Test(arguments: ["5s", "4.5s 2 lost\n5s"])
  func `a lane that closes soon after a reconnection judges whether the client read what it missed`(end: String) throws
  {
    let check = #"{"catch-up-after-reconnect": {"operations": ["readChat"]}}"#
    let again = "0s 1 connect\n1s 1 lost\n4s 2 connect"
    #expect(try verdict(check, "\(again)\n\(end)") == [])
    #expect(
      try verdict(check, "\(again)\n\(end)", isClosing: true) == [
        "check.catch-up-after-reconnect; the client connected again after 3s, and did not call `readChat` before the lane "
          + "closed; socket 1 is gone; socket 2 connects"
      ])
    #expect(try verdict(check, "\(again)\n4.2s GET /chat\n\(end)", isClosing: true) == [])
    #expect(try verdict(check, "0s 1 connect\n\(end.replacing("2 lost", with: "1 lost"))", isClosing: true) == [])
  }

  @Test func `a lane that closes judges the last connection of a client alone`() throws {
    let check = #"{"catch-up-after-reconnect": {"operations": ["readChat"]}}"#
    let script = "0s 1 connect\n1s 1 lost\n2s 2 connect\n2.5s 2 lost\n3s 3 connect\n3.5s GET /chat\n4s"
    #expect(try verdict(check, script, isClosing: true) == [])
  }

  @Test func `a run reports what a check of sockets has found`() throws {
    let mock = Mock(contracts: [try Contract(Self.contract, name: "chat")])
    let opening = try LaneOpeningReader.read(
      Array(#"{"checks": [{"catch-up-after-reconnect": {"operations": ["readChat"]}}]}"#.utf8), for: mock)
    var state = opening.state(of: mock)
    for (id, seconds) in [(1, 1), (2, 3)] {
      let time = LaneTime { seconds * 1_000_000 }
      mock.apply(
        .connecting(id, description: 0, namespace: "/", auth: nil, request: .object([])), to: &state, at: time)
      if id == 1 { mock.apply(.disconnected(id, namespace: "/"), to: &state, at: time) }
    }
    let found = mock.closingFindings(of: state, at: 4_000_000)
    #expect(found.map(\.finding.rule.id) == ["check.catch-up-after-reconnect"])
  }

  @Test func `a client that read what it missed keeps the check, however much it does later`() throws {
    let check = #"{"catch-up-after-reconnect": {"operations": ["readChat"]}}"#
    let later = (0..<900).map { "\(20 + $0)s GET /user" }.joined(separator: "\n")
    #expect(try verdict(check, "0s 1 connect\n1s 1 lost\n4s 2 connect\n5s GET /chat\n\(later)\n999s") == [])
  }

  @Test func `a socket that has sent much and outlives its use breaks the check`() throws {
    let check = #"{"leave-on-close": {"operations": ["readUser"], "interval": "2s"}}"#
    let events = (1...1_000).map { "\($0)s 1 say" }.joined(separator: "\n")
    #expect(try verdict(check, "0s 1 connect\n\(events)\n1001s GET /user\n1060s").count == 1)
  }

  @Test func `a client that misses an event of the connection breaks the check`() throws {
    let check = #"{"listener-before-connect": {"event": "chat", "answer": "seen", "operations": ["readChat"]}}"#
    #expect(try verdict(check, "0s 1 connect\n1s 1 seen\n60s") == [])
    #expect(try verdict(check, "0s 1 connect\n1s GET /chat\n60s") == [])
    #expect(
      try verdict(check, "0s 1 connect\n1s 1 join\n60s") == [
        "check.listener-before-connect; `chat` came before the client had sent anything, and nothing followed from it "
          + "within 5s; socket 1 connects; socket 1 < chat"
      ])
  }

  @Test func `a client whose socket the mock ends need not show that it listens`() throws {
    let check = #"{"listener-before-connect": {"event": "chat", "answer": "seen"}}"#
    #expect(try verdict(check, "0s 1 connect\n1s 1 bye\n60s") == [])
  }

  @Test func `a check that no client can keep is refused`() throws {
    let mock = Mock(contracts: [try Contract(Self.contract, name: "chat")])
    let checks = #"{"checks": [{"listener-before-connect": {"event": "chat"}}]}"#
    #expect {
      _ = try LaneOpeningReader.read(Array(checks.utf8), for: mock)
    } throws: { error in
      "\((error as? LaneProblem)?.message ?? "")"
        .contains("the check `listener-before-connect` needs `answer` or `operations`")
    }
  }

  @Test func `a check of sockets needs its settings`() throws {
    let mock = Mock(contracts: [try Contract(Self.contract, name: "chat")])
    #expect {
      _ = try LaneOpeningReader.read(Array(#"{"checks": ["join-after-connect"]}"#.utf8), for: mock)
    } throws: { error in
      "\((error as? LaneProblem)?.message ?? "")".contains("the check `join-after-connect` needs `event`")
    }
  }
}

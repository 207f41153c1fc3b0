import Foundation
import UnderstudyTestSupport
import UnderstudyTesting

/// A client of Socket.IO by the polling transport.
private struct PollingClient {
  private let session: String
  private let lane: Lane

  /// Joins the main namespace.
  ///
  /// - Parameter auth: The credentials as JSON.
  init(_ lane: Lane, auth: String = "") throws {
    let open = try UnderstudyTestingTests.send("GET", "/socket.io/?EIO=4&transport=polling", "", to: lane).body
    let id = try #require(open.split(separator: "\"").dropFirst(3).first)
    session = "/socket.io/?EIO=4&transport=polling&sid=\(id)"
    self.lane = lane
    try send("40\(auth)")
    #expect(try receive().hasPrefix("40{\"sid\":"))
  }

  func send(_ packets: String) throws {
    let reply = try UnderstudyTestingTests.send(
      "POST", session, "Content-Type: text/plain\r\n", body: packets, to: lane)
    #expect(reply.body == "ok")
  }

  /// Waits for the next packets, and answers the pings of a test that takes long.
  func receive() throws -> String {
    while true {
      let packets = try UnderstudyTestingTests.send("GET", session, "", to: lane).body.split(separator: "\u{1E}")
      if packets.contains("2") { try send("3") }
      let rest = packets.filter { $0 != "2" }.joined(separator: "\u{1E}")
      if !rest.isEmpty { return rest }
    }
  }
}

struct SocketEventTests {
  private static let slp: LaneTrait = .understudy("specs/slp.yaml", fixtures: "fixtures")

  @Test(slp) func `an event of a client is awaited, and a file of events reaches the sockets that remember a value`()
    async throws
  {
    let lane = try #require(Lane.current)
    let (mine, other) = (try PollingClient(lane), try PollingClient(lane))
    try mine.send(#"42["changesocketid","u1"]"#)
    try other.send(#"42["changesocketid","u2"]"#)
    try await lane.next(event: "changesocketid")
    let sent = try await lane.next(event: "changesocketid")
    #expect(sent.argument == "u2" && sent.arguments.count == 1 && sent.findings.isEmpty)
    #expect("\(sent)" == #"changesocketid "u2""#)
    try await lane.emit("chat", .fixture("chat.withoutId"), to: "u2")
    let received = try other.receive()
    #expect(received.hasPrefix(#"42["chat",{"to":"#) && !received.contains("_id"), "\(received)")
    try await lane.emit("chat", .values("to one"), to: ["uid": "u1"])
    #expect(try mine.receive() == #"42["chat","to one"]"#)
    try await lane.emit("news", .values(1, [2]))
    #expect(try mine.receive() == #"42["news",1,[2]]"#)
    #expect(try other.receive() == #"42["news",1,[2]]"#)
    try await lane.disconnect("u1")
    #expect(try mine.receive() == "41")
    try other.send("41")
    try await lane.next(event: "disconnect")
    #expect(
      try await lane.events().map(\.name) == [
        "connect", "connect", "changesocketid", "changesocketid", "disconnect", "disconnect",
      ])
  }

  @Test(slp) func `a message that is sent by REST reaches the socket of its recipient`() async throws {
    let lane = try #require(Lane.current)
    let client = try PollingClient(lane)
    try client.send(#"42["changesocketid","u2"]"#)
    try await lane.next(event: "changesocketid")
    #expect(try UnderstudyTestingTests.send("POST", "/v1/chat/u2", form, body: "chat=hi").status == 200)
    #expect(try client.receive().hasPrefix(#"42["chat",{"#))
  }

  @Test(slp) func `the sockets of a mock elsewhere are directed too, and their secrets stay hidden`() async throws {
    let own = try #require(Lane.current)
    let lane = try await Lane.open(hasOwnPort: true, on: RunningMock(baseURL: own.mock.baseURL))
    for (lane, isHidden) in [(own, false), (lane, true)] {
      let client = try PollingClient(lane, auth: #"{"token":"abc-123-secret"}"#)
      let token = try await lane.next(event: "connect").argument?["token"]
      #expect((token != "abc-123-secret") == isHidden, "\(token as Any)")
      try client.send(#"42["changesocketid","u3"]"#)
      #expect(try await lane.next(event: "changesocketid").argument == "u3")
      try await lane.emit("chat", .values("hi"), to: "u3")
      #expect(try client.receive() == #"42["chat","hi"]"#)
      #expect(try await lane.events().map(\.name) == ["connect", "changesocketid"])
    }
    try await lane.close()
  }

  @Test(slp) func `a wait for an event ends with its lane`() async throws {
    let own = try #require(Lane.current)
    let lane = try await Lane.open(on: RunningMock(baseURL: own.mock.baseURL))
    let waiting = Task { try await lane.next(event: "disconnect", within: .seconds(3_600)) }
    _ = try await lane.events()
    try await lane.close()
    let error = await #expect(throws: UnderstudyError.self) { try await waiting.value }
    #expect(error?.description.contains("has closed with its test") == true, "\(error as Any)")
  }

  @Test func `an event that breaks the contract fails the test`() async throws {
    let found = try await failures(of: Self.slp) {
      let lane = try #require(Lane.current)
      let client = try PollingClient(lane)
      try client.send(#"42["changesocketid",7]"#)
      try await lane.next(event: "changesocketid")
    }
    #expect(found.count == 1 && found.first?.contains("`changesocketid`: ") == true, "\(found)")
    #expect(found.first?.hasSuffix("[event.schema]") == true, "\(found)")
  }

  @Test func `an event that reaches no socket, and one that nobody declares, fail the test at their lines`()
    async throws
  {
    let line = #line + 4
    let found = try await failures(of: Self.slp) {
      let lane = try #require(Lane.current)
      _ = try PollingClient(lane)
      try? await lane.emit("chat", .fixture("chat"), to: "u2")
      try? await lane.emit("chat", .fixture("chat.withoutID"))
      try await lane.next(event: "changesocketID")
    }
    #expect(
      found == [
        "line \(line): `emit(\"chat\")` reached no socket: no socket remembers `u2`; the clients sent connect\n"
          + "  help: await the event that it answers, as by `next(event:)`",
        "line \(line + 1): no file of `_events` has the name `chat.withoutID`\n  help: did you mean `chat.withoutId`?",
        "line \(line + 2): no event `changesocketID` is declared `from: client`\n  help: did you mean `changesocketid`?",
      ])
  }

  @Test func `an event that nobody sends fails the test with those that came`() async throws {
    let line = #line + 4
    let found = try await failures(of: Self.slp) {
      let lane = try #require(Lane.current)
      _ = try PollingClient(lane)
      try await lane.next(event: "changesocketid", within: .milliseconds(20))
    }
    let failure = "line \(line): no event `changesocketid` arrived within 20ms; the clients sent connect"
    // On a busy machine its connection has ended meanwhile.
    #expect(found.count == 1 && found[0].hasPrefix(failure), "\(found)")
  }

  @Test func `a contract without sockets has no events`() async throws {
    let line = #line + 2
    let found = try await failures(of: .understudy("specs/petstore.yaml")) {
      _ = try await Lane.current?.events()
    }
    #expect(
      found == [
        "line \(line): no contract and no scenario declares sockets\n  help: add `x-understudy-events` to a contract"
      ])
  }
}

@Suite(
  .serialized, .understudy("Tests/SocketSuites/chat.yaml"), .enabled(if: Command.hasCurl, "skipped: no curl"))
struct StreamReplyTests {
  let lane: Lane

  init() throws { lane = try #require(Lane.current) }

  private func curl(_ target: String, _ arguments: String...) async throws -> Command.Result {
    try await Command.curl(["-N", lane.baseURL.absoluteString + target] + arguments)
  }

  @Test func `a reply of events takes the place of the declared stream`() async throws {
    try await lane.reply(
      to: "readStream", .events("Hel", .pause(.milliseconds(1)), .comment, .event("word", ["n": 1]), .text("{")))
    let reply = try await curl("/v1/stream", "-i")
    #expect(reply.output.contains("Content-Type: text/event-stream\r\n"), "\(reply.output)")
    #expect(reply.output.hasSuffix("data: Hel\n\n:\n\nevent: word\ndata: {\"n\":1}\n\ndata: {\n\n"), "\(reply.output)")
    #expect(reply.code == 0)
  }

  @Test func `lines of JSON have no types, and may be cut`() async throws {
    try await lane.reply(to: "readLines", .events(.data(["n": 1]), .cut(["n": 23456])))
    let reply = try await curl("/v1/lines")
    #expect(reply.output == "{\"n\":1}\n{\"n\":2", "\(reply)")
    // curl: a chunked response without its end.
    #expect(reply.code == 18, "\(reply)")
  }

  @Test func `a stream that stalls stays open, and an error has its status`() async throws {
    try await lane.reply(to: "readStream", .events("one", .stall), .events(.event("error", "late"), status: 503))
    let stalled = try await curl("/v1/stream", "-m", "10")
    // curl: the limit of time.
    #expect(stalled.output == "data: one\n\n" && stalled.code == 28, "\(stalled)")
    #expect(try await curl("/v1/stream", "-w", "%{http_code}").output == "event: error\ndata: late\n\n503")
  }

  @Test func `a response that a test writes is not a stream`() async throws {
    try await lane.reply(to: "readStream", .text("plain"))
    #expect(try await curl("/v1/stream").output == "plain")
  }
}

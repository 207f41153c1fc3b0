import Foundation
import Testing
import UnderstudyTestSupport

/// Sockets between a client and a server, relayed by `record` and `serve --upstream`.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "skipped: no curl"))
struct RecordSocketTests {
  private static let contract = "Tests/SocketSuites/chat.yaml"

  /// Without the ids that differ in each session.
  private func stable(_ frame: String) -> String { frame.replacing(/"(sid|_id)":"[^"]*"/, with: "id") }

  private func curl(_ arguments: String...) throws -> String {
    try Command.run("/usr/bin/curl", ["-q", "--noproxy", "*", "-s"] + arguments).output
  }

  private func join(_ port: Int, _ uid: String) throws -> (RawSocket, [String]) {
    let socket = try RawSocket(port: port, "/socket.io/?EIO=4&transport=websocket")
    #expect(socket.response.status == 101)
    #expect(socket.response["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    #expect(socket.response["sec-websocket-extensions"] == nil)
    var frames = [try socket.next()]
    try socket.send("40")
    frames.append(try socket.next())
    try socket.send(#"42["changesocketid","\#(uid)"]"#)
    // The server has read the event before once it answers this one.
    try socket.send(#"421["message","here"]"#)
    return (socket, frames + [try socket.next(), try socket.next()])
  }

  /// A chat by two sockets, and one of the plain WebSocket; returns what they got.
  private func session(_ port: Int, sends: Bool) throws -> [String] {
    let (own, first) = try join(port, "u1")
    let (other, second) = try join(port, "u2")
    if sends {
      let sent = try curl(
        "http://127.0.0.1:\(port)/v1/chat/u2", "-o", "/dev/null", "-w", "%{http_code}", "-H", "idtoken: u1", "-H",
        "Content-Type: application/json", "-d", #"{"chat": "안녕 😀"}"#)
      #expect(sent == "200")
    }
    var frames = first + second + [try other.next()]
    try own.send(#"421["message",{"n": 1}]"#)
    frames += [try own.next(), try own.next()]
    try own.send(#"42["leave"]"#)
    frames.append(try own.next())
    let plain = try RawSocket(port: port, "/ws")
    frames.append(try plain.next())
    try plain.send(#"{"type":"ping","n":7}"#)
    frames.append(try plain.next())
    try plain.send(#"{"type":"bye"}"#)
    frames.append(try plain.next())
    return frames.map(stable)
  }

  private static let expected = [
    #"0{id,"upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#, "40{id}",
    #"431["here"]"#, #"42["message-back","here"]"#,
    #"0{id,"upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#, "40{id}",
    #"431["here"]"#, #"42["message-back","here"]"#,
    #"42["chat",{id,"chat":"안녕 😀","to":"u2","from":"u1","createdAt":"2026-01-01T00:00:00.000Z"}]"#,
    #"431[{"n":1}]"#, #"42["message-back",{"n":1}]"#, "41", #"{"type":"hello"}"#, #"{"type":"pong","n":7}"#,
    "close 4001 bye",
  ]

  /// - Parameter path: That of the plain WebSocket in the contract.
  private func recorded(
    path: String = "/ws", _ body: (_ folder: String, _ printed: String) throws -> Void, _ session: (Int) throws -> Void
  ) throws {
    let server = try ServedMock([Self.contract])
    defer { server.stop() }
    let own = try Project.text(Self.contract).replacing("path: /ws", with: "path: \(path)")
    try withProject(["chat.yaml": own]) { folder in
      let proxy = try ServedMock(["chat.yaml", "--upstream", server.url], command: "record", in: folder)
      try session(proxy.port)
      let (code, printed) = proxy.end()
      #expect(code == 0, "\(printed)")
      try body(folder, printed)
    }
  }

  @Test func `a scenario replays what sockets got, after the same events of their clients`() throws {
    try recorded { folder, printed in
      #expect(printed.contains("replayed by the scenario: 3 sockets with"), "\(printed)")
      let scenario = try String(contentsOfFile: folder + "/fixtures/chat/_scenarios/recorded.yaml", encoding: .utf8)
      #expect(scenario.contains("sockets:\n"), "\(scenario)")
      let mock = try ServedMock(["chat.yaml", "--scenario", "recorded", "--speed", "max"], in: folder)
      defer { mock.stop() }
      let replayed = try session(mock.port, sends: false)
      #expect(replayed == Self.expected, "\(scenario)\(mock.printed)")
      let verified = try Command.run("verify", "chat.yaml", in: folder)
      #expect(verified.code == 0, "\(verified.output)\(verified.error)")
    } _: { port in
      let live = try session(port, sends: true)
      #expect(live == Self.expected)
    }
  }

  @Test func `the polling transport is recorded like a WebSocket`() throws {
    let url = "/socket.io/?EIO=4&transport=polling"
    func session(_ port: Int) throws -> [String] {
      let open = try curl("http://127.0.0.1:\(port)\(url)")
      let id = try #require(open.split(separator: "\"").dropFirst(3).first)
      let own = "http://127.0.0.1:\(port)\(url)&sid=\(id)"
      #expect(try curl(own, "-d", "40") == "ok")
      let joined = try curl(own)
      #expect(try curl(own, "-d", #"421["message","hi"]"#) == "ok")
      var got = try curl(own)
      // The second packet may come with the next poll.
      if !got.contains("\u{1E}") { got += try "\u{1E}" + curl(own) }
      return [open, joined, got].map(stable)
    }
    var live: [String] = []
    try recorded { folder, _ in
      let mock = try ServedMock(["chat.yaml", "--scenario", "recorded"], in: folder)
      defer { mock.stop() }
      let replayed = try session(mock.port)
      #expect(replayed == live)
    } _: { port in
      live = try session(port)
      #expect(live.last == "431[\"hi\"]\u{1E}42[\"message-back\",\"hi\"]")
    }
  }

  @Test(arguments: [
    ("/ws", "1 exchange: a handshake of a socket that got 403 (GET /ws, exchange "),
    ("/other", "1 exchange: a socket that the contract does not declare in `x-understudy-events` (GET /ws, exchange "),
  ])
  func `a socket that the server refuses or that nothing declares is named`(path: String, line: String) throws {
    try recorded(path: path) { _, printed in
      #expect(printed.contains(line), "\(printed)")
    } _: { port in
      if path == "/ws" {
        let refused = try RawSocket(port: port, "/ws?token=wrong")
        #expect(refused.response.status == 403)
      }
      _ = try session(port, sends: true)
    }
  }

  @Test func `a proxy shows the messages of both sides, with what they break`() throws {
    let server = try ServedMock([Self.contract])
    defer { server.stop() }
    let stricter = try Project.text(Self.contract).replacing("_id: {type: string}", with: "_id: {type: integer}")
    try withProject(["chat.yaml": stricter]) { folder in
      let proxy = try ServedMock(["chat.yaml", "--upstream", server.url], in: folder)
      defer { proxy.stop() }
      let (socket, _) = try join(proxy.port, "u2")
      _ = try curl(
        "\(proxy.url)/v1/chat/u2", "-H", "idtoken: u1", "-H", "Content-Type: application/json", "-d", #"{"chat": "hi"}"#
      )
      #expect(try socket.next().hasPrefix(#"42["chat","#))
      try socket.send(#"42["jion"]"#)
      #expect(proxy.waits(for: "event.undeclared"))
      let messages = try curl("\(proxy.url)/__admin/sockets/messages")
      #expect(messages.contains("event.schema"), "\(messages)")
      try socket.close()
      #expect(try socket.next() == "close 1000 ")
      #expect(proxy.waits(for: " 101 "), "\(proxy.printed)")
      #expect(proxy.printed.contains("> jion"), "\(proxy.printed)")
    }
  }

  @Test func `an upstream that cannot be reached is a 502`() throws {
    try withProject(["chat.yaml": Project.text(Self.contract)]) { folder in
      let proxy = try ServedMock(["chat.yaml", "--upstream", "http://127.0.0.1:1"], in: folder)
      defer { proxy.stop() }
      let socket = try RawSocket(port: proxy.port, "/ws")
      #expect(socket.response.status == 502)
      #expect(socket.response.body.contains("connection refused"), "\(socket.response.body)")
    }
  }
}

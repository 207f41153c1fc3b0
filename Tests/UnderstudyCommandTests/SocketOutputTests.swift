import Foundation
import Testing
import UnderstudyTestSupport

/// Secrets of sockets and streams in the log and the files of `serve`.
struct SocketOutputTests {
  private static let code = "Zq9-door-code"
  private static let token = "hunter2-Zq9"
  private static let key = "ghp_" + String(repeating: "a1B2", count: 9)

  private static let contract = """
    openapi: 3.1.0
    info: {title: Rooms, version: "1"}
    paths:
      /feed:
        get:
          operationId: feed
          responses: {"200": {description: ok, content: {text/event-stream: {schema: {type: string}}}}}
    x-understudy-events:
      - transport: sse
        operation: feed
        events: {code: {from: server, arguments: [{properties: {code: {type: string, format: password}}}]}}
        rules: [{on: connect, do: [{emit: code, argument: {code: \(code)}}, {close: 1000}]}]
      - events:
          say: {from: client, arguments: [{type: string}]}
          login: {from: client, arguments: [{type: string}]}
          enter: {from: client, arguments: [{properties: {code: {type: string, format: password}}}]}
          said: {from: server, arguments: [{type: string}]}
        rules:
          - {on: {event: enter}, do: [{emit: said, argument: "{{event.0.code}}"}]}
          - {on: {event: login}, remember: {token: "{{event.0}}"}}

    """

  @Test func `no output shows a secret that a socket or a stream repeats`() throws {
    try withProject(["api.yaml": Self.contract]) { folder in
      let mock = try ServedMock(["api.yaml", "-v", "--har", "t.har", "--journal", "j.sqlite"], in: folder)
      do {
        let client = try SocketIOClient(port: mock.port)
        try client.emit("enter", #"{"code": "\#(Self.code)"}"#)
        #expect(try client.event() == #"["said","\#(Self.code)"]"#)
        try client.emit("say", "\"\(Self.code)\"")
        try client.emit(Self.code, "1")
        try client.emit("login", "\"\(Self.token)\"")
        #expect(try client.join("/\(Self.key)").contains(Self.key))
        let stream = try RawClient(port: mock.port)
        try stream.get("/feed")
        #expect(try stream.text(through: "\n\n").contains(Self.code))
      }
      #expect(mock.waits(for: "GET /socket.io/") && mock.waits(for: "GET /feed 200"))
      let log = mock.end().printed
      var outputs = [("log", log)]
      for arguments in [["--format", "har"], ["--show", "1"], ["--show", "2"]] {
        let shown = try Command.run(Command.path, ["journal", "j.sqlite"] + arguments, in: folder)
        outputs.append(("journal \(arguments)", shown.output))
      }
      for file in ["t.har", "j.sqlite"] {
        let bytes = try #require(FileManager.default.contents(atPath: "\(folder)/\(file)"), "\(file)")
        outputs.append((file, String(decoding: bytes, as: UTF8.self)))
      }
      for (output, text) in outputs {
        for secret in [Self.code, Self.token, Self.key] { #expect(!text.contains(secret), "\(output): \(text)") }
      }
      #expect(log.contains(" > login \"[redacted") && log.contains(" < said \"[redacted"), "\(log)")
    }
  }

  @Test func `an open socket has a line in the log of a running mock`() throws {
    try withProject(["api.yaml": Self.contract]) { folder in
      let mock = try ServedMock(["api.yaml"], in: folder)
      defer { mock.stop() }
      func opened() throws -> [Substring] {
        try Command.run("ctl", "log", "--url", "http://127.0.0.1:\(mock.port)").output.split(separator: "\n")
          .filter { $0.hasPrefix("open  ") }
      }
      #expect(try opened() == [])
      let client = try SocketIOClient(port: mock.port)
      let lines = try opened()
      #expect(lines.count == 1)
      #expect(lines.first?.contains(" GET /socket.io/") == true && lines.first?.contains("  socket ") == true)
      withExtendedLifetime(client) {}
    }
  }

  @Test func `the log has what a check of sockets finds`() throws {
    try withProject(["api.yaml": Self.contract]) { folder in
      let mock = try ServedMock(["api.yaml"], in: folder)
      defer { mock.stop() }
      let checks = Scenario.Exchange(
        method: "PATCH", target: "/__admin/lanes/default", headers: [("Content-Type", "application/json")],
        body: #"{"checks": [{"join-after-connect": {"event": "login"}}]}"#)
      #expect(try Curl.send(checks, to: "http://127.0.0.1:\(mock.port)").status == 200)
      let client = try SocketIOClient(port: mock.port)
      try client.emit("say", "\"hi\"")
      #expect(mock.waits(for: "[check.join-after-connect]"), "\(mock.printed)")
      #expect(mock.printed.contains(" sockets\n  error: the first event of the socket was not `login` [check."))
      withExtendedLifetime(client) {}
    }
  }

  @Test(arguments: ["HTTP/1.1 200 OK\r\nX-More: a\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n"])
  func `a stop ends a response whose head has begun and has no end`(_ bytes: String) throws {
    let begun = DispatchSemaphore(value: 0)
    let server = try RawServer { client, _ in
      _ = try client.head()
      try client.send(bytes)
      begun.signal()
      return try client.rest().text
    }
    defer { server.stop() }
    let proxy = try ServedMock(["Tests/SocketSuites/chat.yaml", "--upstream", "http://127.0.0.1:\(server.port)"])
    let client = try RawClient(port: proxy.port)
    try client.get("/rooms")
    #expect(begun.wait(timeout: .now() + 20) == .success)
    let (code, printed) = proxy.end()
    #expect(printed.contains("the head of its response had no end when the mock stopped"), "\(printed)")
    #expect(code == 0)
  }
}

import Foundation
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension OverSockets {
  /// Sockets of a contract on the port of its operations, by clients of other authors.
  @Suite struct SocketServingTests {
    private static let program = "/usr/bin/curl"
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("SocketSuites").path
    /// Interpreters with python-socketio: those that a variable names, separated by colons, else python3 if it has it.
    private static let pythons: [String] = {
      let named = (ProcessInfo.processInfo.environment["UNDERSTUDY_SOCKET_PYTHONS"] ?? "").split(separator: ":")
      guard named.isEmpty, let python = PythonServer.path else { return named.map(String.init) }
      return (try? Command.run(python, ["-c", "import socketio"], input: "").code) == 0 ? [python] : []
    }()

    private func serving(_ body: (String) async throws -> Void) async throws {
      let contract = try Contract(contentsOf: Self.folder + "/chat.yaml", fixtures: nil)
      #expect(contract.diagnostics.map(\.description) == [])
      try await withMockServer(Mock(contracts: [contract])) { try await body($0.baseURL) }
    }

    private func curl(_ arguments: String...) throws -> String {
      try Command.run(Self.program, ["-q", "--noproxy", "*", "-s"] + arguments, input: "").output
    }

    /// Opens a session of the polling transport and joins the main namespace. Returns the address of the session.
    private func join(_ url: String) throws -> String {
      let open = try curl("\(url)/socket.io/?EIO=4&transport=polling")
      #expect(open.hasPrefix("0{"))
      let id = try #require(open.split(separator: "\"").dropFirst(3).first)
      let session = "\(url)/socket.io/?EIO=4&transport=polling&sid=\(id)"
      #expect(try curl(session, "-d", "40") == "ok")
      #expect(try curl(session).hasPrefix("40{\"sid\":"))
      return session
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"))
    func `a message that is sent by REST arrives at the socket of its recipient alone`() async throws {
      try await serving { url in
        let (sender, recipient) = (try join(url), try join(url))
        #expect(try curl(sender, "-d", #"42["changesocketid","u1"]"#) == "ok")
        #expect(try curl(recipient, "-d", #"42["changesocketid","u2"]"#) == "ok")
        let sent = try curl(
          "\(url)/v1/chat/u2", "-o", "/dev/null", "-w", "%{http_code}", "-H", "idtoken: u1", "-H",
          "Content-Type: application/json", "-d", #"{"chat": "안녕 😀"}"#)
        #expect(sent == "200")
        #expect(
          try curl(recipient)
            == #"42["chat",{"_id":"7","chat":"안녕 😀","to":"u2","from":"u1","createdAt":"2026-01-01T00:00:00.000Z"}]"#)
        // The sender's next packet is the answer to its own event.
        #expect(try curl(sender, "-d", #"421["message",1]"#) == "ok")
        #expect(try curl(sender) == "431[1]\u{1E}42[\"message-back\",1]")
      }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"))
    func `what sockets send and receive is in the journal as it happens, and in a HAR at the end`() async throws {
      try await serving { url in
        let session = try join("\(url)/~a")
        #expect(try curl(session, "-d", #"42["changesocketid",7]"#) == "ok")
        func messages(_ query: String) throws -> [JSON] {
          let text = try curl("\(url)/__admin/sockets/messages?\(query)")
          return try JSONParser.parse(Array(text.utf8)).root["messages"]?.array ?? []
        }
        let sent = try messages("lane=a")
        #expect(
          sent.map { "\($0["from"]?.text ?? "") \($0["title"]?.text ?? "") \($0["text"]?.text ?? "")" } == [
            "client changesocketid 7", "server connect ", "client connect ",
          ])
        #expect(sent.first?["findings"]?[0]?["rule"]?.text == "event.schema")
        #expect(try messages("lane=b").isEmpty && messages("after=2").count == 1 && messages("limit=1").count == 1)
        #expect(try curl("\(url)/__admin/streams").contains(#""reply": "socket "#))
        #expect(try curl("\(url)/__admin/metrics").contains("understudy_socket_messages_total 3\n"))
        // The verdict of its lane has what the client broke.
        #expect(try curl("\(url)/__admin/lanes/a").contains("event.schema"))
        #expect(try curl(session, "-d", "42[\"changesocketid\",\"u1\"]\u{1E}1") == "ok")
        #expect(try curl("\(url)/__admin/streams").contains(#""streams": []"#))
        let har = try curl("\(url)/__admin/requests/har")
        #expect(har.contains(#""_webSocketMessages":[{"type":"send","#), "\(har)")
        #expect(har.contains(##""data":"42[\"changesocketid\",7]""##), "\(har)")
        // The last packet before the end is noted too.
        #expect(har.contains(##""data":"42[\"changesocketid\",\"u1\"]""##), "\(har)")
        #expect(try curl("\(url)/__admin/requests/unmatched").contains(#""requests": []"#))
      }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"))
    func `a session belongs to its lane`() async throws {
      try await serving { url in
        let session = try join("\(url)/~a")
        let foreign = session.replacingOccurrences(of: "/~a/", with: "/~b/")
        #expect(try curl(foreign) == #"{"code":1,"message":"Session ID unknown"}"#)
        #expect(try curl("\(session)&understudy-lane=b", "-d", #"42["message",1]"#) == "ok")
        #expect(try curl(session) == #"42["message-back",1]"#)
      }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"))
    func `sockets of a port that a lane has to itself belong to the lane`() async throws {
      try await serving { url in
        let opened = try curl("\(url)/__admin/lanes", "-d", #"{"name": "a", "port": 0}"#)
        let port = try #require(try JSONParser.parse(Array(opened.utf8)).root["url"]?.string)
        #expect(port != url && !port.contains("~"))
        let (own, other) = (try join(port), try join(url))
        #expect(try curl(own, "-d", #"42["changesocketid","u2"]"#) == "ok")
        #expect(try curl(other, "-d", #"42["changesocketid","u2"]"#) == "ok")
        #expect(try curl("\(url)/__admin/sockets?lane=a").components(separatedBy: "\"id\"").count == 2)
        let message = ["-o", "/dev/null", "-H", "idtoken: u1", "-H", "Content-Type: application/json", "-d"]
        _ = try Command.run(Self.program, ["-s", "\(url)/~a/v1/chat/u2"] + message + [#"{"chat": "hi"}"#])
        #expect(try curl(own).hasPrefix(#"42["chat","#))
        #expect(try curl(other, "-d", #"42["message",1]"#) == "ok")
        #expect(try curl(other) == #"42["message-back",1]"#)
        // Each port has the sessions of its own lane.
        #expect(try curl(own.replacingOccurrences(of: port, with: url)).contains("Session ID unknown"))
        #expect(try curl("-X", "DELETE", "\(url)/__admin/lanes/a").contains("passed"))
        #expect(try curl(port + "/socket.io/?EIO=4&transport=polling") == "")
      }
    }

    @Test(
      .enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"),
      arguments: ["", "EIO=4", "EIO=4&transport=smoke", "EIO=5&transport=polling", "EIO=4&transport=websocket"])
    func `a handshake without its parts is refused`(query: String) async throws {
      try await serving { url in
        let status = try curl("\(url)/socket.io/?\(query)", "-o", "/dev/null", "-w", "%{http_code}")
        #expect(status == "400")
      }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"))
    func `an operation answers with a stream of events, which goes on after the last one of the client`() async throws {
      try await serving { url in
        let events = try curl("-N", "\(url)/v1/stream", "-H", "Last-Event-ID: 41")
        #expect(
          events == """
            retry: 1500

            id: 42
            data: {"word":"one"}

            event: word
            id: 43
            data: 41

            id: 44
            data: [DONE]


            """)
        let lines = try curl("-N", "\(url)/v1/lines")
        #expect(lines == "1\n{\"n\":2}\n")
      }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"))
    func `a contract without sockets has no such path`() async throws {
      let contract = try Contract("{openapi: 3.1.0, info: {title: a, version: '1'}, paths: {}}", name: "plain")
      try await withMockServer(Mock(contracts: [contract])) { server in
        let url = "\(server.baseURL)/socket.io/?EIO=4&transport=polling"
        let status = try curl(url, "-o", "/dev/null", "-w", "%{http_code}")
        #expect(status == "404")
      }
    }

    private static let upgrade =
      "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

    /// A WebSocket without Socket.IO that has got its first message, and a stream that has begun.
    private func sockets(_ port: Int, lane: String = "") throws -> (socket: RawClient, stream: RawClient) {
      let (socket, stream) = (try RawClient(port: port), try RawClient(port: port))
      try socket.get("\(lane)/ws", Self.upgrade)
      _ = try socket.text(through: "\"hello\"}")
      try stream.get("\(lane)/endless")
      _ = try stream.text(through: "data: here\n\n\r\n")
      return (socket, stream)
    }

    /// The chat with a stream that never ends by itself.
    private func serving(endless body: (MockServer) async throws -> Void) async throws {
      let text = try String(contentsOfFile: Self.folder + "/chat.yaml", encoding: .utf8)
        .replacing(
          "  /lines:\n",
          with: """
              /endless:
                servers: [{url: /}]
                get:
                  operationId: readEndless
                  responses: {"200": {description: Words, content: {text/event-stream: {schema: {type: string}}}}}
              /lines:

            """
        )
        .appending(
          "  - {transport: sse, operation: readEndless, rules: [{on: connect, do: [{emit: here, argument: here}]}]}\n")
      let contract = try Contract(text, name: "chat")
      #expect(contract.diagnostics.map(\.description) == [])
      try await withMockServer(Mock(contracts: [contract]), body)
    }

    /// The bytes of a close frame with 1001 and a reason.
    private func close(_ reason: String) -> [UInt8] {
      [0x88, UInt8(2 + reason.utf8.count), 0x03, 0xE9] + Array(reason.utf8)
    }

    @Test func `the end of a lane closes its sockets with 1001, ends its streams, and leaves sockets of other lanes`()
      async throws
    {
      try await serving(endless: { server in
        let (port, admin) = (server.port, try RawClient(port: server.port))
        let (own, other) = (try sockets(port, lane: "/~a"), try sockets(port, lane: "/~b"))
        let engine = try RawClient(port: port)
        try engine.get("/~a/socket.io/?EIO=4&transport=websocket", Self.upgrade)
        _ = try engine.text(through: "maxPayload\":1000000}")
        try admin.send("DELETE /__admin/lanes/a HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(try admin.response().status == 200)
        let frame = close("the lane is closed")
        #expect(try own.socket.data(frame.count) == frame)
        #expect(try engine.data(4) == [0x88, 0x02, 0x03, 0xE9])
        #expect(try own.stream.text(through: "0\r\n\r\n") == "0\r\n\r\n")
        // A lane of the name is another one, and its sockets stay.
        let new = try sockets(port, lane: "/~a")
        for socket in [other.socket, new.socket] {
          try socket.send([0x81, 0x84, 0, 0, 0, 0] + Array("here".utf8))
          #expect(try socket.data(6) == [0x81, 0x04] + Array("here".utf8))
        }
      })
    }

    @Test func `a request for a socket of a closed lane gets 410`() async throws {
      try await serving(endless: { server in
        let (admin, late) = (try RawClient(port: server.port), try RawClient(port: server.port))
        try admin.send(
          "POST /__admin/lanes HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 13\r\n\r\n{\"name\": \"c\"}")
        #expect(try admin.response().status == 201)
        try admin.send("DELETE /__admin/lanes/c HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        #expect(try admin.response().status == 200)
        for path in ["socket.io/?EIO=4&transport=polling", "socket.io/?EIO=4&transport=polling&sid=a", "ws"] {
          try late.get("/~c/\(path)")
          #expect(try late.response().status == 410)
        }
      })
    }

    @Test func `a stop ends streams, and closes sockets with 1001`() async throws {
      var clients: (socket: RawClient, stream: RawClient)?
      try await serving(endless: { server in clients = try sockets(server.port) })
      let (socket, stream) = try #require(clients)
      #expect(try stream.rest() == RawClient.Rest(text: "0\r\n\r\n", end: .closed))
      let frame = close("the server shuts down")
      #expect(try socket.data(frame.count) == frame)
      #expect(try socket.rest() == .closed)
    }

    @Test func `a handshake of HTTP 1_0 and one with two keys get 400`() async throws {
      try await serving { url in
        let port = try #require(URL(string: url)?.port)
        for path in ["/ws", "/socket.io/?EIO=4&transport=websocket"] {
          let (old, twice) = (try RawClient(port: port), try RawClient(port: port))
          try old.send("GET \(path) HTTP/1.0\r\nHost: a\r\n\(Self.upgrade)\r\n")
          #expect(try old.response().status == 400)
          try twice.get(path, Self.upgrade + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
          let refusal = try twice.response()
          #expect(refusal.status == 400 && refusal.body.contains("more than once"), "\(refusal)")
        }
      }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"))
    func `a WebSocket for a session of another lane is rejected like a WebSocket for no session`() async throws {
      try await serving { url in
        let session = try join("\(url)/~a")
        let id = try #require(session.components(separatedBy: "sid=").last)
        func answer(_ lane: String, _ id: String) throws -> RawClient.Response {
          let client = try RawClient(port: try #require(URL(string: url)?.port))
          try client.get("\(lane)/socket.io/?EIO=4&transport=websocket&sid=\(id)", Self.upgrade)
          return try client.response()
        }
        let (foreign, unknown) = (try answer("/~b", id), try answer("/~a", "nothing"))
        #expect(foreign.status == 400 && foreign.body == unknown.body && unknown.status == 400)
        // The session has not noticed.
        #expect(try curl(session, "-d", #"42["message",1]"#) == "ok")
        #expect(try curl(session) == #"42["message-back",1]"#)
      }
    }

    @Test(
      .enabled(if: FileManager.default.isExecutableFile(atPath: program), "skipped: no curl"),
      arguments: [
        ("9223372036854775807", 1), ("9223372036854775806", 1), ("9223372036854775808", 1), ("-1", 1),
        ("-9223372036854775808", 1), ("1e400", 1), ("NaN", 1), ("9007199254740991", 9_007_199_254_740_992),
        ("9007199254740992", 1), ("0", 1), ("7", 8),
      ])
    func `numbers of events begin at 1 after one that a mock cannot have sent`(last: String, first: Int) async throws {
      try await serving { url in
        let events = try curl("-N", "\(url)/v1/stream", "-H", "Last-Event-ID: \(last)")
        let ids = events.split(separator: "\n").filter { $0.hasPrefix("id: ") }
        #expect(ids == (0..<3).map { "id: \(first + $0)" }, "\(events)")
      }
    }

    @Test func `a client that sends no more after its handshake loses its WebSocket`() async throws {
      try await serving { url in
        let port = try #require(URL(string: url)?.port)
        let clients = try (0..<20).map { _ in try RawClient(port: port) }
        for client in clients {
          try client.get(
            "/ws",
            "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
              + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n")
          client.endOutput()
        }
        for client in clients { #expect(try client.rest().end == .closed) }
      }
    }

    @Test(
      .enabled(
        if: !pythons.isEmpty, "skipped: no python3 with python-socketio, by itself or in UNDERSTUDY_SOCKET_PYTHONS"),
      arguments: pythons)
    func `clients in Python connect, upgrade, and get every message`(python: String) async throws {
      try await serving { url in
        let module = try Command.run(python, ["-c", "import websockets"], input: "").code == 0 ? ["websockets"] : []
        let result = try Command.run(python, [Self.folder + "/peers.py", url, "python-socketio"] + module, input: "")
        #expect(result.code == 0, "\(result.output)\(result.error)")
      }
    }

    /// Whether Foundation has WebSockets: on Linux only with a libcurl that was built with them, which Debian 12 has not.
    private static func hasWebSockets() async -> Bool {
      guard let url = URL(string: "ws://127.0.0.1:1/") else { return false }
      let task = URLSession.shared.webSocketTask(with: url)
      task.resume()
      do { _ = try await task.receive() } catch { return (error as? URLError)?.code != .unsupportedURL }
      return true
    }

    @Test(.enabled("skipped: the libcurl of Foundation has no WebSockets") { await hasWebSockets() })
    func `a WebSocket task of URLSession sends and receives`() async throws {
      try await serving { url in
        let address = try #require(URL(string: url.replacing("http://", with: "ws://") + "/ws"))
        let task = URLSession.shared.webSocketTask(with: address, protocols: ["chat.v1"])
        task.resume()
        func text() async throws -> String {
          if case .string(let text) = try await task.receive() { text } else { "" }
        }
        #expect(try await text() == #"{"type":"hello"}"#)
        try await task.send(.string(#"{"type": "ping", "n": 1.50}"#))
        #expect(try await text() == #"{"type":"pong","n":1.50}"#)
        try await task.send(.string(#"{"type": "bye"}"#))
        await #expect(throws: (any Error).self) { try await task.receive() }
        #expect(task.closeCode.rawValue == 4001)
      }
    }
  }
}

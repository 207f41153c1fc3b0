import Foundation
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// Secrets of sockets in what the admin API shows.
  @Suite struct SocketSecretTests {
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
          events:
            code: {from: server, arguments: [{properties: {code: {type: string, format: password}}}]}
            text: {from: server, arguments: [{type: string}]}
          rules:
            - on: connect
              do: [{emit: code, argument: {code: Zq9-door-code}}, {emit: text, argument: Zq9-door-code}, {emit: text, argument: b}]
        - events:
            login: {from: client, arguments: [{type: string}]}
            say: {from: client, arguments: [{type: string}]}
            said: {from: server, arguments: [{type: string}]}
            enter:
              from: client
              arguments: [{properties: {code: {type: string, format: password, enum: [a]}, room: {enum: [lobby]}}}]
          rules:
            - {on: {event: enter}, remember: {door: "{{event.0.code}}"}, do: [{emit: said, argument: "{{event.0.code}}"}]}
            - {on: {event: login}, remember: {token: "{{event.0}}", room: "{{event.0}}-room", floor: attic}}

      """

    private static let remembered = "hunter2-Zq9"
    private static let key = "ghp_" + String(repeating: "a1B2", count: 9)
    private static let code = "Zq9-door-code"

    private static func get(_ target: String, from port: Int) throws -> String {
      let client = try RawClient(port: port)
      try client.send("GET /__admin/\(target) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n")
      return try client.response().body
    }

    @Test func `a value that a socket remembers as a token is hidden, and other values are shown`() async throws {
      try await withMockServer(Mock(contracts: [try Contract(Self.contract, name: "rooms")])) { server in
        let client = try SocketIOClient(port: server.port)
        try client.emit("login", "\"\(Self.remembered)\"")
        let sockets = try Self.get("sockets", from: server.port)
        #expect(sockets.contains(#""token": "[redacted"#), "\(sockets)")
        #expect(sockets.contains("attic"), "\(sockets)")
        // The token is hidden within other values too.
        #expect(!sockets.contains(Self.remembered), "\(sockets)")
        let state = try Self.get("lanes/default?state=true", from: server.port)
        #expect(!state.contains("\"\\\"\(Self.remembered)\\\"\""), "\(state)")
      }
    }

    @Test func `the message whose value a socket then remembers as a token hides it`() async throws {
      try await withMockServer(Mock(contracts: [try Contract(Self.contract, name: "rooms")])) { server in
        let client = try SocketIOClient(port: server.port)
        try client.emit("say", "\"\(Self.remembered)\"")
        let before = try Self.get("sockets/messages", from: server.port)
        #expect(before.contains(Self.remembered), "\(before)")
        try client.emit("login", "\"\(Self.remembered)\"")
        for target in ["sockets/messages", "streams", "streams/1"] {
          let text = try Self.get(target, from: server.port)
          #expect(!text.contains("\(Self.remembered)\\\""), "\(target): \(text)")
        }
      }
    }

    @Test func `a value at a marked place is hidden wherever its socket repeats it, and is sent as it is`() async throws
    {
      try await withMockServer(Mock(contracts: [try Contract(Self.contract, name: "rooms")])) { server in
        let client = try SocketIOClient(port: server.port)
        try client.emit("say", "\"\(Self.code)\"")
        try client.emit("enter", #"{"code": "\#(Self.code)"}"#)
        #expect(try client.event() == #"["said","\#(Self.code)"]"#)
        try client.emit(Self.code, "1")
        for target in [
          "sockets", "sockets/messages", "streams", "streams/1", "lanes/default", "lanes/default?state=true",
        ] {
          let text = try Self.get(target, from: server.port)
          #expect(!text.contains(Self.code), "\(target): \(text)")
        }
        #expect(try Self.get("sockets", from: server.port).contains(#""door": "\"[redacted"#))
      }
    }

    @Test func `a namespace that is a key is shown nowhere, and the client gets it back`() async throws {
      try await withMockServer(Mock(contracts: [try Contract(Self.contract, name: "rooms")])) { server in
        let client = try SocketIOClient(port: server.port)
        #expect(try client.join("/\(Self.key)") == #"44/\#(Self.key),{"message":"Invalid namespace"}"#)
        for target in ["sockets/messages", "streams", "streams/1"] {
          let text = try Self.get(target, from: server.port)
          #expect(!text.contains(Self.key) && text.contains("[redacted"), "\(target): \(text)")
        }
      }
    }

    @Test func `a stream hides the value at a marked place of an event, and its echo`() async throws {
      try await withMockServer(Mock(contracts: [try Contract(Self.contract, name: "rooms")])) { server in
        let client = try RawClient(port: server.port)
        try client.get("/feed")
        let sent = try client.text(through: "data: b\n\n")
        #expect(sent.contains(Self.code), "\(sent)")
        for target in ["streams", "streams/1"] {
          let text = try Self.get(target, from: server.port)
          #expect(!text.contains(Self.code), "\(target): \(text)")
        }
        let shown = try Self.get("streams/1", from: server.port)
        #expect(shown.contains(#""text": "{\"code\":\"[redacted"#) && shown.contains(#""text": "b""#), "\(shown)")
      }
    }

    @Test func `the name of an event that is a key, and an argument at a marked place, are shown nowhere`() async throws
    {
      try await withMockServer(Mock(contracts: [try Contract(Self.contract, name: "rooms")])) { server in
        let client = try SocketIOClient(port: server.port)
        try client.emit(Self.key, "1")
        try client.emit("enter", #"{"code": "\#(Self.code)", "room": "attic"}"#)
        for target in ["sockets/messages", "streams", "lanes/default"] {
          let text = try Self.get(target, from: server.port)
          #expect(!text.contains(Self.key) && !text.contains(Self.code), "\(target): \(text)")
        }
        let messages = try Self.get("sockets/messages", from: server.port)
        #expect(messages.contains("`enter`: the value breaks `enum`; it is a secret and not shown"), "\(messages)")
        #expect(messages.contains(#"found string \"attic\""#), "\(messages)")
      }
    }
  }
}

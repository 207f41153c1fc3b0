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
      paths: {}
      x-understudy-events:
        - events:
            login: {from: client, arguments: [{type: string}]}
            enter:
              from: client
              arguments: [{properties: {code: {type: string, format: password, enum: [a]}, room: {enum: [lobby]}}}]
          rules:
            - {on: {event: login}, remember: {token: "{{event.0}}", room: "{{event.0}}-room"}}

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
        #expect(sockets.contains("\(Self.remembered)-room"), "\(sockets)")
        let state = try Self.get("lanes/default?state=true", from: server.port)
        #expect(!state.contains("\"\\\"\(Self.remembered)\\\"\""), "\(state)")
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

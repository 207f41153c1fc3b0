import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// The bytes of a message that a rule or a fault of the mock damages, on each wire.
  @Suite struct DamagedMessageTests {
    private static let contract = """
      openapi: 3.1.0
      info: {title: Feed, version: "1"}
      paths:
        /events:
          get:
            operationId: readEvents
            responses: {"200": {description: ok, content: {text/event-stream: {schema: {type: string}}}}}
        /lines:
          get:
            operationId: readLines
            responses: {"200": {description: ok, content: {application/x-ndjson: {schema: {type: string}}}}}
      x-understudy-events:
        - {transport: sse, operation: readEvents, ids: true, rules: &rules [{on: connect, do: [
            {emit: news, argument: {n: 1}}, {cut: news, argument: {n: 23456}}]}]}
        - {transport: ndjson, operation: readLines, rules: *rules}
        - {transport: websocket, path: /ws, rules: *rules}
        - {transport: socketio, rules: *rules}
      """

    /// Serves the contract, whose events `fault` damages.
    private func serving(_ fault: String?, _ body: (RawClient) throws -> Void) async throws {
      let mock = try ContractFixture(Self.contract).mock { options in
        if let fault { options.fault("sockets", fault) }
      }
      try await withMockServer(mock) { server in
        try body(RawClient(port: try #require(Int(server.baseURL.split(separator: ":").last ?? ""))))
      }
    }

    /// The chunks after the head of a response, and the end of the connection.
    private func rest(_ client: RawClient, _ path: String) throws -> String {
      try client.get(path)
      #expect(try client.head().contains("\r\nTransfer-Encoding: chunked\r\n"))
      var bytes: [UInt8] = []
      while let piece = try client.piece() { bytes += piece }
      return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
      arguments: [
        (nil, "21\r\nevent: news\nid: 1\ndata: {\"n\":1}\n\n\r\n12\r\nevent: news\nid: 2\n\r\n"),
        ("malformed", "19\r\nevent: news\ndata: {\"n\":\n\n\r\n12\r\nevent: news\nid: 1\n\r\n"),
      ] as [(String?, String)])
    func `a stream of server-sent events ends within half of the event`(fault: String?, sent: String) async throws {
      try await serving(fault) { client in
        let rest = try rest(client, "/events")
        #expect(rest == sent)
      }
    }

    @Test(
      arguments: [
        (nil, "8\r\n{\"n\":1}\n\r\n6\r\n{\"n\":2\r\n"), ("malformed", "6\r\n{\"n\":\n\r\n6\r\n{\"n\":2\r\n"),
      ] as [(String?, String)])
    func `lines of JSON end within half of the line`(fault: String?, sent: String) async throws {
      try await serving(fault) { client in
        let rest = try rest(client, "/lines")
        #expect(rest == sent)
      }
    }

    @Test(
      arguments: [
        (nil, [0x81, 0x07] + Array("{\"n\":1}".utf8) + [0x81, 0x0B] + Array("{\"n\"".utf8)),
        ("malformed", [0x81, 0x05] + Array("{\"n\":".utf8) + [0x81, 0x0B] + Array("{\"n\"".utf8)),
      ] as [(String?, [UInt8])])
    func `a WebSocket ends within half of the frame`(fault: String?, sent: [UInt8]) async throws {
      try await serving(fault) { client in
        try client.get(
          "/ws",
          "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n")
        #expect(try client.head().hasPrefix("HTTP/1.1 101 "))
        var bytes: [UInt8] = []
        while let piece = try client.piece() { bytes += piece }
        #expect(bytes == sent)
      }
    }

    @Test(
      arguments: [
        (nil, "42[\"news\",{\"n\":1}]\u{1E}42[\"news\",{\"n\":23456}]"),
        ("malformed", "42[\"news\",{\"n\u{1E}42[\"news\",{\"n\":23456}]"),
      ] as [(String?, String)])
    func `a malformed event of Socket.IO ends within its packet`(fault: String?, sent: String) async throws {
      try await serving(fault) { client in
        let path = "/socket.io/?EIO=4&transport=polling"
        try client.get(path)
        let id = try #require(try client.response().body.split(separator: "\"").dropFirst(3).first)
        try client.send("POST \(path)&sid=\(id) HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\n40")
        #expect(try client.response().body == "ok")
        var packets: [String] = []
        while packets.count < 3 {
          try client.get("\(path)&sid=\(id)")
          packets += try client.response().body.split(separator: "\u{1E}").map(String.init)
        }
        #expect(packets.dropFirst().joined(separator: "\u{1E}") == sent)
      }
    }
  }
}

import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// Answers of unknown length: sent on at the first pause, in the framing of the upstream, and validated at their end.
  @Suite struct PassingTests {
    private static let contract = """
      openapi: 3.2.0
      info: {title: Streams, version: "1"}
      paths:
        /lines:
          get:
            operationId: lines
            responses:
              "200":
                description: d
                content:
                  application/x-ndjson: {itemSchema: {type: object, required: [id]}}
                  application/json: {schema: {type: object, required: [id]}}

      """

    private func proxying(
      _ type: String, _ pieces: AsyncStream<[UInt8]>, _ body: (RawClient, Awaited<[ServedRequest]>) throws -> Void
    ) async throws {
      let mock = try ContractFixture(Self.contract).mock { options in
        options.upstream = Upstream("http://up")
        options.onInvalid = .warn
      }
      let transport: Transport = { _, _ in
        (HTTPResponse(status: .ok, headerFields: [.contentType: type]), Body(length: nil, pieces))
      }
      let exchanges = Awaited<[ServedRequest]>([])
      try await serving(
        mock.responder, transport: transport, observer: { new in exchanges.change { $0.append(new) } }
      ) {
        port, _ in
        let client = try RawClient(port: port)
        try client.get("/lines")
        try body(client, exchanges)
      }
    }

    @Test func `a line is sent on before the next one exists, in chunks`() async throws {
      let (pieces, upstream) = AsyncStream.makeStream(of: [UInt8].self)
      upstream.yield(Array("{\"id\": 1}\n".utf8))
      try await proxying("application/x-ndjson", pieces) { client, exchanges in
        let head = try client.response(hasBody: false)
        #expect(head["transfer-encoding"] == "chunked")
        #expect(head["content-length"] == nil)
        #expect(try client.text(through: "\r\n{\"id\": 1}\n\r\n").hasPrefix("a\r\n"))
        upstream.yield(Array("{\"i\": 2}\n".utf8))
        upstream.finish()
        #expect(try client.text(through: "0\r\n\r\n").contains("{\"i\": 2}\n"))
        // The second line was sent before it was validated, so that the finding is reported, not sent.
        #expect(exchanges.waits { $0.count == 1 })
        #expect(exchanges.value[0].reply.diagnostics.map(\.rule.id) == ["resp.body.schema"])
        #expect(exchanges.value[0].reply.diagnostics.first?.location?.pointer == "/body/1")
        #expect(exchanges.value[0].reply.body == Array("{\"id\": 1}\n{\"i\": 2}\n".utf8))
      }
    }

    @Test func `the head is sent on before there is a body`() async throws {
      let (pieces, upstream) = AsyncStream.makeStream(of: [UInt8].self)
      try await proxying("application/json", pieces) { client, _ in
        let head = try client.response(hasBody: false)
        #expect(head.status == 200)
        upstream.yield(Array("{\"id\": 1}".utf8))
        upstream.finish()
        #expect(try client.text(through: "0\r\n\r\n").contains("{\"id\": 1}"))
      }
    }

    @Test func `an answer that is complete at once is validated before it is sent, and keeps its chunks`() async throws
    {
      let (pieces, upstream) = AsyncStream.makeStream(of: [UInt8].self)
      upstream.yield(Array("{\"i\"".utf8))
      upstream.yield(Array(": 1}".utf8))
      upstream.finish()
      try await proxying("application/json", pieces) { client, _ in
        let head = try client.response(hasBody: false)
        #expect(head["transfer-encoding"] == "chunked")
        #expect(head["content-length"] == nil)
        #expect(head["sl-violations"]?.contains("resp.body.schema") == true)
        #expect(try client.text(through: "0\r\n\r\n") == "8\r\n{\"i\": 1}\r\n0\r\n\r\n")
      }
    }

    @Test func `a client that leaves a stream gets no verdict about the record that broke off`() async throws {
      let (pieces, upstream) = AsyncStream.makeStream(of: [UInt8].self)
      upstream.yield(Array("{\"i\": 1}\n{\"id\"".utf8))
      try await proxying("application/x-ndjson", pieces) { client, exchanges in
        _ = try client.text(through: "{\"id\"")
        client.reset()
        upstream.yield(Array(": 2}\n".utf8))
        #expect(exchanges.waits { $0.count == 1 })
        #expect(exchanges.value[0].reply.diagnostics.map { $0.location?.pointer } == ["/body/0"])
      }
    }

    @Test func `a stream longer than the limit is sent on and not validated`() async throws {
      let (pieces, upstream) = AsyncStream.makeStream(of: [UInt8].self)
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 300_000)
      for _ in 0..<5 { upstream.yield(piece) }
      upstream.finish()
      try await proxying("application/json", pieces) { client, exchanges in
        _ = try client.text(through: "0\r\n\r\n")
        #expect(exchanges.waits { $0.count == 1 })
        #expect(
          exchanges.value[0].reply.notValidated.map(\.reason).first?.contains("longer than 1048576 bytes") == true)
      }
    }

    @Test(arguments: ["websocket", "WebSocket, h2c"])
    func `the handshake of a WebSocket is refused with a reason`(_ protocols: String) async throws {
      let mock = try ContractFixture(Self.contract).mock { $0.upstream = Upstream("http://up") }
      let transport: Transport = { _, _ in throw UpstreamFailure(.refused, "not to be reached") }
      try await serving(mock.responder, transport: transport) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/lines", "Connection: Upgrade\r\nUpgrade: \(protocols)\r\nSec-WebSocket-Version: 13\r\n")
        let response = try client.response()
        #expect(response.status == 501)
        #expect(response["connection"] == "close")
        #expect(response.body.contains("cannot forward a WebSocket: connect it to http://up"))
      }
    }

    @Test func `an upgrade that may be ignored is ignored`() async throws {
      let mock = try ContractFixture(Self.contract).mock { $0.upstream = Upstream("http://up") }
      let transport: Transport = { request, _ in
        #expect(request.headerFields[.upgrade] == nil)
        return (HTTPResponse(status: .noContent), Body())
      }
      try await serving(mock.responder, transport: transport) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/lines", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n")
        #expect(try [204, 502].contains(client.response().status))
      }
    }
  }
}

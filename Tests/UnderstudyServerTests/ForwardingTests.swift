import HTTPTypes
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// What passes through a server to an upstream and back; the upstream is a closure.
  @Suite struct ForwardingTests {
    private static let contract = """
      openapi: 3.1.0
      info: {title: Any, version: "1"}
      paths:
        /{any}:
          get: {operationId: read, responses: {default: {description: any, content: {"*/*": {}}}}}
          put:
            operationId: write
            parameters: [{name: n, in: query, schema: {type: integer}}]
            requestBody: {content: {"*/*": {}}}
            responses: {default: {description: any, content: {"*/*": {}}}}

      """

    private func proxying(
      _ transport: @escaping Transport, configure: (inout Mock.Options) -> Void = { _ in },
      observer: (@Sendable (ServedRequest) -> Void)? = nil, _ body: (Int, HTTPServer) async throws -> Void
    ) async throws {
      let mock = try ContractFixture(Self.contract).mock { options in
        options.upstream = Upstream("http://up")
        options.onInvalid = .warn
        configure(&options)
      }
      try await serving(mock.responder, transport: transport, observer: observer, body)
    }

    private static let text = HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain"])

    /// Sends back the request, in one piece.
    private static let echo: Transport = { request, body in
      var bytes = Array("\(request.method) \(request.path ?? "") ".utf8)
      for try await piece in body { bytes += piece }
      return (text, Body(bytes))
    }

    /// Sends pieces without saying how many.
    private static func pieces(_ pieces: [String]) -> Transport {
      { _, _ in
        let stream = AsyncStream<[UInt8]> { continuation in
          for piece in pieces { continuation.yield(Array(piece.utf8)) }
          continuation.finish()
        }
        return (HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]), Body(length: nil, stream))
      }
    }

    private static let long = String(repeating: "z", count: Body.bufferLimit + 100_000)

    // MARK: Requests

    @Test func `requests on one connection are passed on one after the other`() async throws {
      try await proxying(Self.echo) { port, _ in
        let client = try RawClient(port: port)
        try client.send("PUT /a HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\n\r\nhiGET /b HTTP/1.1\r\nHost: t\r\n\r\n")
        #expect(try client.response().body == "PUT /a hi")
        #expect(try client.response().body == "GET /b ")
        try client.get("/c", "Connection: close\r\n")
        #expect(try client.response()["connection"] == "close")
        #expect(try client.rest() == .closed)
      }
    }

    @Test func `a long body is passed on while it arrives`() async throws {
      try await proxying(Self.echo) { port, _ in
        let client = try RawClient(port: port)
        try client.send("PUT /a HTTP/1.1\r\nHost: t\r\nContent-Length: \(Self.long.utf8.count)\r\n\r\n\(Self.long)")
        #expect(try client.response().body == "PUT /a " + Self.long)
        try client.get("/b")
        #expect(try client.response().body == "GET /b ")
      }
    }

    @Test func `a long body in chunks, behind another request`() async throws {
      try await proxying(Self.echo) { port, _ in
        let client = try RawClient(port: port)
        let chunk = String(repeating: "c", count: 65_536)
        try client.send(
          "GET /a HTTP/1.1\r\nHost: t\r\n\r\nPUT /b HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
        for _ in 0..<20 { try client.send("10000\r\n\(chunk)\r\n") }
        try client.send("0\r\n\r\n")
        #expect(try client.response().body == "GET /a ")
        #expect(try client.response().body == "PUT /b " + String(repeating: chunk, count: 20))
        try client.get("/c")
        #expect(try client.response().body == "GET /c ")
      }
    }

    @Test func `an upstream that does not read holds the client back`() async throws {
      let gate = AsyncStream.makeStream(of: Void.self)
      let transport: Transport = { _, body in
        for await _ in gate.stream { break }
        var count = 0
        for try await piece in body { count += piece.count }
        return (Self.text, Body(Array("\(count)".utf8)))
      }
      try await proxying(transport) { port, _ in
        let client = try RawClient(port: port)
        let size = 64 * 1024 * 1024
        try client.send("PUT /a HTTP/1.1\r\nHost: t\r\nContent-Length: \(size)\r\n\r\n")
        let all = [UInt8](repeating: 0x7A, count: size)
        let sent = client.sendUntilHeld(all)
        // Much less than the whole body fits into the buffers between the client and the upstream.
        #expect(sent < size)
        gate.continuation.yield()
        gate.continuation.finish()
        try client.send(Array(all[sent...]))
        #expect(try client.response().body == "\(size)")
      }
    }

    @Test func `an answer before the end of a long body closes the connection`() async throws {
      let transport: Transport = { _, _ in (HTTPResponse(status: .contentTooLarge), Body()) }
      try await proxying(transport) { port, _ in
        let client = try RawClient(port: port)
        try client.send("PUT /a HTTP/1.1\r\nHost: t\r\nContent-Length: 99999999\r\n\r\n\(Self.long)")
        let response = try client.response()
        #expect(response.status == 413)
        #expect(response["connection"] == "close")
      }
    }

    @Test func `a long body of a refused request is not waited for`() async throws {
      try await proxying(Self.echo, configure: { $0.onInvalid = .problem }) { port, _ in
        let client = try RawClient(port: port)
        try client.send("PUT /a?n=x HTTP/1.1\r\nHost: t\r\nContent-Length: 99999999\r\n\r\n\(Self.long)")
        let response = try client.response()
        #expect(response.status == 422)
        #expect(response["connection"] == "close")
      }
    }

    @Test func `the upstream learns that the client left in the middle`() async throws {
      let failed = AsyncStream.makeStream(of: Bool.self)
      let transport: Transport = { _, body in
        do {
          for try await _ in body {}
          failed.continuation.yield(false)
        } catch {
          failed.continuation.yield(true)
        }
        return (Self.text, Body())
      }
      try await proxying(transport) { port, _ in
        try {
          let client = try RawClient(port: port)
          try client.send("PUT /a HTTP/1.1\r\nHost: t\r\nContent-Length: 99999999\r\n\r\n\(Self.long)")
        }()
        var results = failed.stream.makeAsyncIterator()
        #expect(await results.next() == true)
      }
    }

    // MARK: Answers

    @Test func `pieces of unknown number are sent in chunks`() async throws {
      try await proxying(Self.pieces(["ab", "", "c"])) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/a", "Connection: close\r\n")
        let response = try client.response()
        #expect(response["transfer-encoding"] == "chunked")
        #expect(response["content-length"] == nil)
        #expect(try client.rest().text == "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n")
      }
    }

    @Test func `an answer to HTTP/1.0 ends with the connection`() async throws {
      try await proxying(Self.pieces(["ab", "c"])) { port, _ in
        let client = try RawClient(port: port)
        try client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let response = try client.response()
        #expect(response["transfer-encoding"] == nil)
        #expect(response["connection"] == "close")
        #expect(try client.rest() == .init(text: "abc", end: .closed))
      }
    }

    @Test func `the first piece does not wait for the second`() async throws {
      let gate = AsyncStream.makeStream(of: [UInt8].self)
      let transport: Transport = { _, _ in
        (HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]), Body(length: 6, gate.stream))
      }
      try await proxying(transport) { port, _ in
        let client = try RawClient(port: port)
        gate.continuation.yield(Array("one".utf8))
        try client.get("/a")
        _ = try client.response(hasBody: false)
        #expect(try client.bytes(3) == "one")
        gate.continuation.yield(Array("two".utf8))
        gate.continuation.finish()
        #expect(try client.bytes(3) == "two")
      }
    }

    @Test func `an answer to HEAD keeps its length and has no body`() async throws {
      let transport: Transport = { request, _ in
        let isHead = request.method == .head
        return (
          HTTPResponse(status: .ok, headerFields: [.contentType: "text/plain", .contentLength: "5"]),
          isHead ? Body() : Body(Array("after".utf8))
        )
      }
      try await proxying(transport) { port, _ in
        let client = try RawClient(port: port)
        try client.send("HEAD /a HTTP/1.1\r\nHost: t\r\n\r\nGET /b HTTP/1.1\r\nHost: t\r\n\r\n")
        #expect(try client.response(hasBody: false)["content-length"] == "5")
        #expect(try client.response().body == "after")
      }
    }

    @Test func `an answer that breaks off is not taken for whole`() async throws {
      let reasons = AsyncStream.makeStream(of: String.self)
      let transport: Transport = { _, _ in
        let body = AsyncThrowingStream<[UInt8], any Error> { continuation in
          continuation.yield(Array("part".utf8))
          continuation.finish(throwing: UpstreamFailure(.closed, "it is gone"))
        }
        return (HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]), Body(length: nil, body))
      }
      try await proxying(transport, observer: { exchange in reasons.continuation.yield(exchange.reply.reason) }) {
        port, _ in
        let client = try RawClient(port: port)
        try client.get("/a")
        #expect(try client.response()["transfer-encoding"] == "chunked")
        #expect(try client.rest().text == "4\r\npart\r\n")
        var iterator = reasons.stream.makeAsyncIterator()
        #expect(await iterator.next() == "upstream, broken off: it is gone")
      }
    }

    @Test func `a client that leaves cancels its forwarded request`() async throws {
      let pending = AsyncStream.makeStream(of: Void.self)
      let cancelled = AsyncStream.makeStream(of: Void.self)
      let started = AsyncStream.makeStream(of: Void.self)
      let transport: Transport = { _, _ in
        await withTaskCancellationHandler {
          started.continuation.yield()
          // Ends only when the task is cancelled.
          for await _ in pending.stream {}
        } onCancel: {
          cancelled.continuation.yield()
        }
        return (Self.text, Body())
      }
      try await proxying(transport) { port, _ in
        var starts = started.stream.makeAsyncIterator()
        let client = try RawClient(port: port)
        try client.get("/a")
        _ = await starts.next()
        client.reset()
        var ends = cancelled.stream.makeAsyncIterator()
        #expect(await ends.next() != nil)
      }
    }

    @Test func `a shutdown cancels a request that the upstream does not answer`() async throws {
      let pending = AsyncStream.makeStream(of: Void.self)
      let transport: Transport = { _, _ in
        for await _ in pending.stream {}
        throw CancellationError()
      }
      try await proxying(transport) { port, server in
        let client = try RawClient(port: port)
        try client.get("/a")
        await server.shutdown()
        #expect(try client.rest().text == "")
      }
    }

    @Test func `a delayed reply of a forward is written`() async throws {
      let responder = Responder { _, _ in
        var reply = Reply(.made(HTTPResponse(status: .badGateway), body: []), reason: "forward")
        reply.forward = Forward(request: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")) {
          Reply(.prepared(Sample.ready), delay: .milliseconds(5), reason: "stand-in")
        }
        return reply
      }
      try await serving(responder, transport: Self.echo) { port, _ in
        let client = try RawClient(port: port)
        try client.get("/a")
        #expect(try client.response().body == "ready")
        try client.get("/b")
        #expect(try client.response().body == "ready")
      }
    }
  }
}

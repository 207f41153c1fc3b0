#if TLS
import HTTPTypes
import NIOCore
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTLS
import UnderstudyTestSupport

/// Streams of HTTP/2, frame by frame.
@Suite(.serialized) struct StreamTests {
  /// Begins HTTP/2 with the first byte of a connection.
  private final class Layer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      context.fireUserInboundEventTriggered(HTTP2Connection.begins(nil))
      context.fireChannelRead(data)
      _ = context.pipeline.syncOperations.removeHandler(context: context)
    }
  }

  private struct Frame: Equatable {
    var kind: UInt8
    var flags: UInt8 = 0
    var stream: UInt8 = 1
    var payload: [UInt8] = []

    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let settings: UInt8 = 4
    static let endsStream: UInt8 = 1
    static let endsHeaders: UInt8 = 4

    var bytes: [UInt8] {
      let length = payload.count
      return [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), kind, flags, 0, 0, 0, stream]
        + payload
    }
  }

  private static func serving(
    _ responder: Responder, idleTimeout: Duration = .seconds(60), _ body: (Int) throws -> Void
  ) async throws {
    var configuration = ServerConfiguration()
    configuration.port = 0
    configuration.idleTimeout = idleTimeout
    configuration.security = TransportSecurity(scheme: "https") { channel in
      try channel.pipeline.syncOperations.addHandler(Layer())
    }
    let server = HTTPServer(responder: responder, configuration: configuration)
    let address = try await server.start()
    let result = Result { try body(address.port) }
    await server.shutdown()
    try result.get()
  }

  /// Opens a connection with a request of literal fields (RFC 7541, 6.2.2).
  private static func request(
    _ port: Int, _ fields: [(String, String)], then body: [Frame] = []
  ) throws -> RawClient {
    var block: [UInt8] = []
    for (name, value) in fields {
      block += [0, UInt8(name.utf8.count)] + Array(name.utf8)
      block += [UInt8(value.utf8.count)] + Array(value.utf8)
    }
    let flags = Frame.endsHeaders | (body.isEmpty ? Frame.endsStream : 0)
    let head = Frame(kind: Frame.headers, flags: flags, payload: block)
    var bytes = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    for frame in [Frame(kind: Frame.settings, stream: 0), head] + body { bytes += frame.bytes }
    let client = try RawClient(port: port)
    try client.send(bytes)
    return client
  }

  /// Returns the next frame that has one of the kinds.
  private static func next(_ kinds: Set<UInt8>, from client: RawClient) throws -> Frame {
    while true {
      let head = try client.data(9)
      let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
      let payload = length == 0 ? [] : try client.data(length)
      let frame = Frame(kind: head[3], flags: head[4], stream: head[8], payload: payload)
      if frame.stream == 1, kinds.contains(frame.kind) { return frame }
    }
  }

  private static let get = [(":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "localhost")]

  @Test func `a request has the fields that the client sent, with one cookie field`() async throws {
    let responder = Responder { request, body, _ in
      let fields = request.headerFields.map { "\($0.name.rawName): \($0.value)" }
      let text = "\(request.authority ?? "none") \(request.path ?? "none") \(body?.count ?? -1) \(fields)"
      return Reply(.made(HTTPResponse(status: .ok), body: Array(text.utf8)), reason: "test")
    }
    try await Self.serving(responder) { port in
      let fields =
        [(":method", "POST")] + Self.get.dropFirst() + [("cookie", "a=1"), ("x-a", " b "), ("cookie", "c=2")]
      let body = [
        Frame(kind: Frame.data, payload: [1, 2]), Frame(kind: Frame.data, flags: Frame.endsStream, payload: [3]),
      ]
      let client = try Self.request(port, fields, then: body)
      let answer = try Self.next([Frame.data], from: client)
      #expect(String(decoding: answer.payload, as: UTF8.self) == #"localhost / 3 ["x-a: b", "cookie: a=1; c=2"]"#)
      #expect(answer.flags == Frame.endsStream)
    }
  }

  @Test func `a client that stops reading a long response gets RST_STREAM, and others are served`() async throws {
    let responder = Responder { request, _ in
      let count = request.path == "/long" ? 1_000_000 : 2
      return Reply(.made(HTTPResponse(status: .ok), body: Array(repeating: 120, count: count)), reason: "test")
    }
    try await Self.serving(responder, idleTimeout: .milliseconds(40)) { port in
      let client = try Self.request(port, Self.get.map { $0.0 == ":path" ? (":path", "/long") : $0 })
      #expect(try Self.next([Frame.reset], from: client).payload == [0, 0, 0, 8])
      let other = try Self.request(port, Self.get)
      #expect(try Self.next([Frame.data], from: other) == Frame(kind: Frame.data, flags: 1, payload: [120, 120]))
    }
  }
}
#endif

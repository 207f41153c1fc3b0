import HTTPTypes
import NIOCore
import Testing
import UnderstudyMock
import UnderstudyServer
import UnderstudyTestSupport

extension OverSockets {
  /// A layer below HTTP: a byte `*` in front of the first request stands for a handshake.
  @Suite struct TransportSecurityTests {
    /// Takes the byte, and announces the end of the handshake.
    private final class Layer: ChannelInboundHandler, RemovableChannelHandler {
      typealias InboundIn = ByteBuffer
      typealias InboundOut = ByteBuffer

      let certificate: [UInt8]?

      init(_ certificate: [UInt8]?) { self.certificate = certificate }

      func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if bytes.readableBytesView.first == UInt8(ascii: "*") {
          bytes.moveReaderIndex(forwardBy: 1)
          context.fireUserInboundEventTriggered(ConnectionSecured(scheme: "https", clientCertificate: certificate))
        }
        context.fireChannelRead(wrapInboundOut(bytes))
        _ = context.pipeline.syncOperations.removeHandler(context: context)
      }
    }

    private static func security(
      redirectsPlain: Bool = false, asksForCertificates: Bool = false, certificate: [UInt8]? = nil
    ) -> TransportSecurity {
      TransportSecurity(
        scheme: "https", redirectsPlain: redirectsPlain, asksForCertificates: asksForCertificates
      ) { try $0.pipeline.syncOperations.addHandler(Layer(certificate)) }
    }

    /// Answers with the scheme and the certificate of the request.
    private static let responder = Responder { request, _ in
      let certificate = HTTPField.Name("client-cert").flatMap { request.headerFields[$0] } ?? "none"
      return Reply(
        .made(HTTPResponse(status: .ok), body: Array("\(request.scheme ?? "none") \(certificate)".utf8)), reason: "test"
      )
    }

    private static func answer(
      _ first: String, _ security: TransportSecurity
    ) async throws -> (body: String, location: String?, status: Int) {
      var result = (body: "", location: String?.none, status: 0)
      try await serving(responder) {
        $0.security = security
      } _: { port, _ in
        let client = try RawClient(port: port)
        try client.send(
          Array("\(first)GET /a?b=1 HTTP/1.1\r\nHost: localhost:4010\r\nClient-Cert: :BBBB:\r\n\r\n".utf8))
        let response = try client.response()
        result = (response.body, response["location"], response.status)
      }
      return result
    }

    @Test func `a request has the scheme of its connection`() async throws {
      #expect(try await Self.answer("*", Self.security()).body == "https :BBBB:")
      #expect(try await Self.answer("", Self.security()).body == "none :BBBB:")
    }

    @Test(arguments: ["", "*"]) func `a client cannot claim a certificate`(first: String) async throws {
      let security = Self.security(asksForCertificates: true)
      #expect(try await Self.answer(first, security).body.hasSuffix(" none"))
    }

    @Test func `a request has the certificate of its connection`() async throws {
      let security = Self.security(asksForCertificates: true, certificate: [0, 0, 0])
      #expect(try await Self.answer("*", security).body == "https :AAAA:")
    }

    @Test func `a request without the layer is redirected`() async throws {
      let security = Self.security(redirectsPlain: true)
      let answer = try await Self.answer("", security)
      #expect(answer.status == 307 && answer.location == "https://localhost:4010/a?b=1")
      #expect(try await Self.answer("*", security).status == 200)
    }

    @Test func `the address has the scheme`() async throws {
      var configuration = ServerConfiguration()
      configuration.port = 0
      configuration.security = Self.security()
      let server = HTTPServer(responder: Self.responder, configuration: configuration)
      #expect(try await server.start().url.hasPrefix("https://127.0.0.1:"))
      await server.shutdown()
    }
  }
}

import AsyncHTTPClient
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The one client that this program has: it takes requests to the upstream of `serve`, and to the server that is verified.
struct UpstreamClient: Sendable {
  private let client: HTTPClient
  private let setting: String
  /// The longest time from a request to the end of its answer; `nil` where an answer may take its time.
  private let whole: TimeAmount?

  /// - Parameters:
  ///   - timeout: the longest silence within an exchange, and the longest time to connect.
  ///   - setting: the option that sets it, for messages.
  ///   - limitsWhole: whether the exchange as a whole may take no longer either.
  ///   - trusting: certificates beside those of the system.
  init(
    timeout: Duration, setting: String = "--upstream-timeout", limitsWhole: Bool = false,
    trusting certificates: [NIOSSLCertificate] = []
  ) {
    self.setting = setting
    let limit = TimeAmount.milliseconds(Int64(timeout / .milliseconds(1)))
    whole = limitsWhole ? limit : nil
    var configuration = HTTPClient.Configuration()
    configuration.timeout = .init(connect: min(limit, .seconds(10)), read: limit, write: limit)
    // The client follows redirects, and undoes codings, as it would without a proxy.
    configuration.redirectConfiguration = .disallow
    configuration.decompression = .disabled
    if !certificates.isEmpty {
      var tls = TLSConfiguration.makeClientConfiguration()
      tls.additionalTrustRoots = [.certificates(certificates)]
      configuration.tlsConfiguration = tls
    }
    // Who asks wants to know at once that nobody listens.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  func shutdown() async { try? await client.shutdown() }

  var transport: Transport {
    { [client, setting, whole] request, body in
      do {
        let deadline = whole.map { .now() + $0 } ?? NIODeadline.distantFuture
        var outbound = Self.outbound(request, body)
        if whole != nil, let length = body.length, case .whole(let bytes) = try await body.collected(upTo: length) {
          // Head and body in one go: a server that answers before it has read a streamed body would be taken for a failure.
          outbound.body = bytes.isEmpty ? nil : .bytes(ByteBuffer(bytes: bytes))
        }
        let response = try await Self.answer(to: outbound, from: client, until: deadline)
        return (Self.head(of: response), Self.body(of: response, setting, until: deadline))
      } catch {
        throw UpstreamFailure(error, setting)
      }
    }
  }

  /// The server may close a connection that waits for its next request at any moment, also just when that is sent (RFC 9112,
  /// 9.3.1 and 9.5). What is safe is sent again; of anything else nobody knows whether it was done.
  private static func answer(
    to request: HTTPClientRequest, from client: HTTPClient, until deadline: NIODeadline
  ) async throws -> HTTPClientResponse {
    let isSafe = request.body == nil && [.GET, .HEAD, .OPTIONS].contains(request.method)
    for _ in 0..<(isSafe ? lostConnections : 0) {
      do {
        return try await client.execute(request, deadline: deadline)
      } catch let error where isLostConnection(error) {}
    }
    return try await client.execute(request, deadline: deadline)
  }

  private static func isLostConnection(_ error: any Error) -> Bool {
    switch error {
    case let error as HTTPClientError: error == .remoteConnectionClosed
    case let error as ChannelError: error == .ioOnClosedChannel
    case let error as IOError: [EPIPE, ECONNRESET].contains(error.errnoCode)
    default: false
    }
  }

  /// Connections that may turn out to be lost, one behind the other, before it is the server that is to blame.
  private static let lostConnections = 2

  private static func outbound(_ request: HTTPRequest, _ body: Body) -> HTTPClientRequest {
    var outbound = HTTPClientRequest(
      url: "\(request.scheme ?? "http")://\(request.authority ?? "")\(request.path ?? "/")")
    outbound.method = HTTPMethod(rawValue: request.method.rawValue)
    for field in request.headerFields { outbound.headers.add(name: field.name.rawName, value: field.value) }
    if body.length != 0 {
      outbound.body = .stream(
        body.map { ByteBuffer(bytes: $0) }, length: body.length.map { .known(Int64($0)) } ?? .unknown)
    }
    return outbound
  }

  private static func head(of response: HTTPClientResponse) -> HTTPResponse {
    var fields = HTTPFields()
    for (name, value) in response.headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let status = HTTPResponse.Status(
      code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase)
    return HTTPResponse(status: status, headerFields: fields)
  }

  private static func body(of response: HTTPClientResponse, _ setting: String, until deadline: NIODeadline) -> Body {
    let length = response.headers.first(name: "content-length").flatMap { Int($0) }
    return Body(length: length, Pieces(body: response.body, setting: setting, deadline: deadline))
  }

  /// The pieces of an answer, with failures in our words.
  private struct Pieces: AsyncSequence, Sendable {
    let body: HTTPClientResponse.Body
    let setting: String
    let deadline: NIODeadline

    func makeAsyncIterator() -> Iterator {
      Iterator(base: body.makeAsyncIterator(), setting: setting, deadline: deadline)
    }

    struct Iterator: AsyncIteratorProtocol {
      var base: HTTPClientResponse.Body.AsyncIterator
      let setting: String
      let deadline: NIODeadline

      mutating func next() async throws -> [UInt8]? {
        // The client's own deadline ends with the head; a body that drips would never end.
        guard NIODeadline.now() < deadline else { throw UpstreamFailure(HTTPClientError.deadlineExceeded, setting) }
        do {
          return try await base.next().map { Array($0.readableBytesView) }
        } catch {
          throw UpstreamFailure(error, setting)
        }
      }
    }
  }
}

extension UpstreamFailure {
  /// What the client library threw, in the words of people who look for the fault.
  ///
  /// - Parameter setting: the option that sets the timeout.
  init(_ error: any Error, _ setting: String) {
    switch error {
    case let failure as UpstreamFailure: self = failure
    case let error as HTTPClientError: self.init(error, setting)
    case let error as NIOConnectionError: self.init(error)
    case is NIOSSLError, is NIOSSLExtraError, is BoringSSLError: self.init(.tls, Self.sentence(ofTLS: "\(error)"))
    case HTTPParserError.invalidEOFState: self.init(.closed, "it closed the connection in the middle of its answer")
    case let error as HTTPParserError: self.init(.malformed, "what came is no HTTP: \(error)")
    case let error as IOError where error.errnoCode == ECONNREFUSED: self.init(.refused, "connection refused")
    case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed:
      self.init(.closed, "it closed the connection without an answer")
    case is CancellationError: self.init(.unsendable, "the client left")
    default: self.init(.closed, "the connection broke: \(error)")
    }
  }

  private init(_ error: HTTPClientError, _ setting: String) {
    switch error {
    case .connectTimeout, .getConnectionFromPoolTimeout: self.init(.timeout, "no connection within the limit")
    case .readTimeout: self.init(.timeout, "it was silent for longer than \(setting)")
    case .deadlineExceeded: self.init(.timeout, "its answer took longer than \(setting)")
    case .writeTimeout: self.init(.timeout, "it did not take the request within \(setting)")
    case .tlsHandshakeTimeout: self.init(.timeout, "the TLS handshake took too long")
    case .remoteConnectionClosed: self.init(.closed, "it closed the connection without an answer")
    case .cancelled, .requestStreamCancelled: self.init(.unsendable, "the client left")
    default: self.init(.unsendable, "the request cannot be sent: \(error)")
    }
  }

  /// The library knows a code and a place in its own source; people want to know what to look at.
  private static func sentence(ofTLS text: String) -> String {
    if text.contains("CERTIFICATE_VERIFY_FAILED") {
      return "its certificate cannot be trusted: name its authority with --cacert"
    }
    if text.contains("WRONG_VERSION_NUMBER") { return "it does not speak TLS: is it http instead of https?" }
    let code = text.firstRange(of: "OPENSSL_internal:").map { text[$0.upperBound...].prefix { $0 != " " } }
    return "TLS failed: \(code.map(String.init) ?? text)"
  }

  private init(_ error: NIOConnectionError) {
    if error.connectionErrors.isEmpty {
      self.init(.unknownHost, "there is no address of `\(error.host)`")
    } else if error.connectionErrors.contains(where: { ($0.error as? IOError)?.errnoCode == ECONNREFUSED }) {
      self.init(.refused, "connection refused by \(error.host):\(error.port)")
    } else if error.connectionErrors.contains(where: { $0.error is ChannelError }) {
      self.init(.timeout, "no connection to \(error.host):\(error.port) within the limit")
    } else {
      let reasons = error.connectionErrors.map { "\($0.error)" }.joined(separator: ", ")
      self.init(.refused, "no connection to \(error.host):\(error.port): \(reasons)")
    }
  }
}

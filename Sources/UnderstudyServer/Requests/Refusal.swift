import NIOHTTP1
import UnderstudyMock

/// Why the server refuses a request without calling the responder.
package enum Refusal {
  case malformed, method, unknownMethod, target, requestLine, field, lineEnd, chunk
  case separators, ambiguousLength, missingHost, host, incomplete, headTooLarge, bodyTooLarge, headTimeout, bodyTimeout,
    slowBody
  case unknownExpectation, unknownCoding, tunnel, version, handshake
  /// A request without TLS, where the server redirects it.
  case plain

  init(_ error: HTTPParserError) {
    switch error {
    case .headerOverflow: self = .headTooLarge
    case .invalidVersion: self = .version
    case .invalidContentLength, .unexpectedContentLength: self = .ambiguousLength
    case .invalidEOFState: self = .incomplete
    case .invalidMethod: self = .method
    case .invalidURL: self = .target
    case .invalidConstant: self = .requestLine
    case .invalidHeaderToken: self = .field
    case .invalidChunkSize: self = .chunk
    // The decoder has no error of its own for a bare LF or for two kinds of length.
    case .lfExpected, .unknown: self = .lineEnd
    default: self = .malformed
    }
  }

  /// - Parameter head: Of the request, if it is known.
  func reply(_ configuration: ServerConfiguration, to head: RequestHead? = nil) -> Reply {
    let detail = detail(configuration)
    // Nothing in the detail comes from a client or needs escaping.
    let body = #"{"title":"\#(status.reasonPhrase)","status":\#(status.code),"detail":"\#(detail)"}"#
    var response = HTTPResponse(status: status, headerFields: [.contentType: "application/problem+json"])
    if case .plain = self, let request = head?.request, let security = configuration.security {
      response.headerFields[.location] =
        "\(security.scheme)://\(request.authority ?? "localhost:\(configuration.port)")\(request.path ?? "/")"
    }
    return Reply(.made(response, body: Array(body.utf8)), source: ReplySource(.unread(detail)))
  }

  private var status: HTTPResponse.Status {
    switch self {
    case .headTooLarge: .requestHeaderFieldsTooLarge
    case .bodyTooLarge: .contentTooLarge
    case .headTimeout, .bodyTimeout, .slowBody: .requestTimeout
    case .unknownExpectation: .expectationFailed
    // A method that the server does not know (RFC 9110, 9.1, 15.6.2).
    case .unknownMethod, .unknownCoding, .tunnel: .notImplemented
    case .version: .httpVersionNotSupported
    // A permanent one would be remembered by a browser, also when the port belongs to another server.
    case .plain: .temporaryRedirect
    default: .badRequest
    }
  }

  private func detail(_ configuration: ServerConfiguration) -> String {
    switch self {
    case .malformed: "the bytes received are not an HTTP/1 request"
    case .handshake:
      "this port speaks plain HTTP, and the client began a TLS handshake: use http:// instead of https://, or serve with --tls"
    case .method: "the request does not begin with a known method in capital letters, such as GET"
    case .unknownMethod:
      "this server reads only the methods of its HTTP parser, llhttp; an operation with another method cannot be served"
    case .target: "the target has a byte that must be percent-encoded, such as a blank or a letter beyond ASCII"
    case .requestLine:
      "the request line does not end in HTTP/1.1; a blank in the target has to be %20 (RFC 9112, 3)"
    case .field: "a header field has a byte that is not allowed in its name or value (RFC 9110, 5.1 and 5.5)"
    case .lineEnd:
      "a line does not end in CR LF, or Transfer-Encoding and Content-Length come together (RFC 9112, 2.2 and 6.3)"
    case .chunk: "the size of a chunk is not a hexadecimal number (RFC 9112, 7.1)"
    case .ambiguousLength:
      "Content-Length and Transfer-Encoding contradict each other or are malformed (RFC 9112, 6.3)"
    case .separators:
      "the request line has to be a method, a target and HTTP/1.1, with one blank between them (RFC 9112, 3)"
    case .host: "the Host field is not a host with or without a port (RFC 9110, 7.2)"
    case .missingHost: "an HTTP/1.1 request needs exactly one Host field (RFC 9112, 3.2)"
    case .incomplete: "the connection ended before the request did"
    case .headTooLarge:
      "the limits are \(configuration.maximumFieldBytes) bytes for the target or a field, "
        + "\(configuration.maximumHeadBytes) bytes and \(configuration.maximumFieldCount) fields for all of the head"
    case .bodyTooLarge: "the limit is \(configuration.maximumBodyBytes) bytes"
    case .headTimeout: "the head of the request took longer than \(configuration.headTimeout)"
    case .bodyTimeout: "no byte of the body arrived for \(configuration.bodyTimeout)"
    case .slowBody:
      "the body arrived more slowly than \(configuration.minimumBodyRate) bytes a second, which is allowed for no longer "
        + "than \(configuration.bodyTimeout) in all"
    case .unknownExpectation: "the only expectation this server can meet is 100-continue (RFC 9110, 10.1.1)"
    case .unknownCoding: "the only transfer coding this server understands is chunked (RFC 9112, 6.1)"
    case .tunnel: "CONNECT asks for a tunnel, and this server is not a proxy"
    case .plain: "this port serves HTTPS alone: use https:// instead of http://"
    case .version: "this server speaks HTTP/1.0 and HTTP/1.1, and CR LF has to follow the version (RFC 9112, 3)"
    }
  }
}

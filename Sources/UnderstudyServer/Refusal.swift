import NIOHTTP1
import Understudy

/// Why the server refuses a request without asking the responder.
package enum Refusal {
  case malformed, method, target, requestLine, field, lineEnd, chunk
  case ambiguousLength, missingHost, incomplete, headTooLarge, bodyTooLarge, headTimeout, bodyTimeout, slowBody
  case unknownExpectation, unknownCoding, tunnel, version

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
    // The decoder has no names of its own for a bare LF and for a second kind of length.
    case .lfExpected, .unknown: self = .lineEnd
    default: self = .malformed
    }
  }

  func reply(_ configuration: HTTPServer.Configuration) -> Reply {
    let (status, detail) = explanation(configuration)
    // Nothing in the detail comes from a client or needs escaping.
    let body = #"{"title":"\#(status.reasonPhrase)","status":\#(status.code),"detail":"\#(detail)"}"#
    let response = HTTPResponse(status: status, headerFields: [.contentType: "application/problem+json"])
    return Reply(.made(response, body: Array(body.utf8)), reason: "refused: \(detail)")
  }

  private func explanation(_ configuration: HTTPServer.Configuration) -> (HTTPResponse.Status, String) {
    switch self {
    case .malformed:
      (.badRequest, "the bytes received are not an HTTP/1 request")
    case .method:
      (.badRequest, "the request does not begin with a method of HTTP/1, such as GET, in capital letters")
    case .target:
      (.badRequest, "the target has a byte that must be percent-encoded, such as a blank or a letter beyond ASCII")
    case .requestLine:
      (.badRequest, "the request line does not end in HTTP/1.1; a blank in the target has to be %20 (RFC 9112, 3)")
    case .field:
      (.badRequest, "a header field has a byte that is not allowed in its name or value (RFC 9110, 5.1 and 5.5)")
    case .lineEnd:
      (
        .badRequest,
        "a line does not end in CR LF, or Transfer-Encoding and Content-Length come together (RFC 9112, 2.2 and 6.3)"
      )
    case .chunk:
      (.badRequest, "the size of a chunk is no hexadecimal number (RFC 9112, 7.1)")
    case .ambiguousLength:
      (.badRequest, "Content-Length and Transfer-Encoding contradict each other or are malformed (RFC 9112, 6.3)")
    case .missingHost:
      (.badRequest, "an HTTP/1.1 request needs exactly one Host field (RFC 9112, 3.2)")
    case .incomplete:
      (.badRequest, "the connection ended before the request did")
    case .headTooLarge:
      (
        .requestHeaderFieldsTooLarge,
        "the limits are \(configuration.maximumFieldBytes) bytes for the target or a field, "
          + "\(configuration.maximumHeadBytes) bytes and \(configuration.maximumFieldCount) fields for all of the head"
      )
    case .bodyTooLarge:
      (.contentTooLarge, "the limit is \(configuration.maximumBodyBytes) bytes")
    case .headTimeout:
      (.requestTimeout, "the head of the request took longer than \(configuration.headTimeout)")
    case .bodyTimeout:
      (.requestTimeout, "nothing of the body came for \(configuration.bodyTimeout)")
    case .slowBody:
      (
        .requestTimeout,
        "the body came more slowly than \(configuration.minimumBodyRate) bytes a second, which it may for no longer "
          + "than \(configuration.bodyTimeout) in all"
      )
    case .unknownExpectation:
      (.expectationFailed, "the only expectation this server can meet is 100-continue (RFC 9110, 10.1.1)")
    case .unknownCoding:
      (.notImplemented, "the only transfer coding this server understands is chunked (RFC 9112, 6.1)")
    case .tunnel:
      (.notImplemented, "CONNECT asks for a tunnel, and this server is no proxy")
    case .version:
      (
        .httpVersionNotSupported,
        "this server speaks HTTP/1.0 and HTTP/1.1, and CR LF has to follow the version (RFC 9112, 3)"
      )
    }
  }
}

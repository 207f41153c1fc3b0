import HTTPTypes
import Understudy

/// Why the server itself answers what never became a request.
enum Refusal {
  case malformed, ambiguousLength, missingHost, incomplete, headTooLarge, bodyTooLarge, headTimeout, bodyTimeout
  case unknownExpectation, unknownCoding, tunnel, version

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
    case .unknownExpectation:
      (.expectationFailed, "the only expectation this server can meet is 100-continue (RFC 9110, 10.1.1)")
    case .unknownCoding:
      (.notImplemented, "the only transfer coding this server understands is chunked (RFC 9112, 6.1)")
    case .tunnel:
      (.notImplemented, "CONNECT asks for a tunnel, and this server is no proxy")
    case .version:
      (.httpVersionNotSupported, "this server speaks HTTP/1.0 and HTTP/1.1")
    }
  }
}

import HTTPTypes
import Understudy

/// An answer of the server itself to what never became a request.
enum Refusal {
  static let malformed = reply(.badRequest, "the bytes received are not an HTTP/1 request")
  static let ambiguousLength = reply(
    .badRequest, "Content-Length and Transfer-Encoding contradict each other or are malformed (RFC 9112, 6.3)")
  static let missingHost = reply(.badRequest, "an HTTP/1.1 request needs exactly one Host field (RFC 9112, 3.2)")
  static let incomplete = reply(.badRequest, "the connection ended before the request did")
  static let headTimeout = reply(.requestTimeout, "the head of the request took too long to arrive")
  static let bodyTimeout = reply(.requestTimeout, "the body of the request stopped arriving")
  static let headTooLarge = reply(
    .requestHeaderFieldsTooLarge, "the target or the fields of the request exceed the limits of this server")
  static let unknownExpectation = reply(
    .expectationFailed, "the only expectation this server can meet is 100-continue (RFC 9110, 10.1.1)")
  static let unknownCoding = reply(
    .notImplemented, "the only transfer coding this server understands is chunked (RFC 9112, 6.1)")
  static let tunnel = reply(.notImplemented, "CONNECT asks for a tunnel, and this server is no proxy")
  static let version = reply(.httpVersionNotSupported, "this server speaks HTTP/1.0 and HTTP/1.1")

  static func bodyTooLarge(limit: Int) -> Reply {
    reply(.contentTooLarge, "the body of the request exceeds the limit of \(limit) bytes")
  }

  /// - Parameter detail: nothing that a client sent and nothing that JSON would have to escape.
  private static func reply(_ status: HTTPResponse.Status, _ detail: String) -> Reply {
    let body = #"{"title":"\#(status.reasonPhrase)","status":\#(status.code),"detail":"\#(detail)"}"#
    let response = HTTPResponse(status: status, headerFields: [.contentType: "application/problem+json"])
    return Reply(.made(response, body: Array(body.utf8)), reason: "refused: \(detail)")
  }
}

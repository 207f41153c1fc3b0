import CUnderstudyCurl
import UnderstudySystem
import UnderstudyVerification

/// The end of a transfer, as libcurl reports it.
struct CurlEnd {
  var code: CURLcode
  /// libcurl's message; may be empty.
  var message = ""
  /// Host and port.
  var server = ""
  /// `errno` of the last step on the network.
  var systemError: CInt = 0
  /// Why the server's certificate is not trusted: `X509_V_ERR_...`; 0 if it is.
  var certificateError = 0
  /// The status of a proxy's answer to CONNECT; 0 without a proxy.
  var proxyStatus = 0
  /// Whether a part of the answer arrived.
  var isAnswered = false
  /// Whether the request was sent by HTTP/2 without TLS, which a server may not speak.
  var hasPriorKnowledge = false
}

extension UpstreamFailure {
  /// The reason for the end of a transfer.
  init(_ end: CurlEnd) {
    switch end.code {
    case CURLE_COULDNT_RESOLVE_HOST: self.init(.unknownHost, "`\(end.server)` has no address")
    case CURLE_COULDNT_RESOLVE_PROXY:
      self.init(.unknownHost, "the proxy of the environment has no address")
    case CURLE_COULDNT_CONNECT: self.init(unconnected: end)
    case CURLE_OPERATION_TIMEDOUT: self.init(.timeout, "no connection within the limit")
    case CURLE_PEER_FAILED_VERIFICATION: self.init(.tls, Self.distrust(end))
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS:
      self.init(.tls, Self.handshake(end.message))
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      self.init(.malformed, "its answer is not HTTP")
    case CURLE_HTTP2 where !end.isAnswered:
      self.init(.closed, "it ended the connection by GOAWAY, or does not speak HTTP/2: see --upstream-http")
    // libcurl resets a stream whose response breaks the rules (RFC 9113, 8.1.1) with the same code and message.
    case CURLE_HTTP2_STREAM where end.message.contains("PROTOCOL_ERROR"):
      self.init(
        .malformed, "its response breaks the rules of HTTP/2, or it reset the stream: PROTOCOL_ERROR",
        isWithinAnswer: end.isAnswered)
    case CURLE_HTTP2_STREAM:
      self.init(.closed, "it reset the stream\(Self.reset(end.message))", isWithinAnswer: end.isAnswered)
    case _ where end.message.contains("tried 5 times"): self.init(.closed, "it refused the request five times")
    case CURLE_URL_MALFORMAT: self.init(.unsendable, "the request cannot be sent: `\(end.server)` is not a host")
    // libcurl's way to say that a line of the head exceeds its limit of 100 KiB.
    case CURLE_OUT_OF_MEMORY where end.isAnswered:
      self.init(.malformed, "a header of its answer is longer than 100 KiB")
    case CURLE_OUT_OF_MEMORY: self = .outOfMemory
    case CURLE_RECV_ERROR where end.message.contains("Too large response headers"):
      self.init(.malformed, "the headers of its answer are longer than 300 KiB")
    case _ where end.proxyStatus >= 300: self.init(.refused, "the proxy answered \(end.proxyStatus)")
    // libcurl has no code for this failure.
    case CURLE_RECV_ERROR where end.message.contains("chunk"):
      self.init(.malformed, "its answer is not HTTP: invalid chunk")
    case _ where end.isAnswered:
      self.init(.closed, "it closed the connection within its answer", isWithinAnswer: true)
    case _ where end.hasPriorKnowledge:
      self.init(.closed, "it closed the connection: does it speak HTTP/2 without TLS? See --upstream-http 2")
    default: self.init(.closed, "it closed the connection without an answer")
    }
  }

  static var outOfMemory: UpstreamFailure { UpstreamFailure(.unsendable, "out of memory") }

  private init(unconnected end: CurlEnd) {
    switch end.systemError {
    case ECONNREFUSED: self.init(.refused, "connection refused")
    case ETIMEDOUT: self.init(.timeout, "no connection within the limit")
    case ENOENT, ENOTDIR: self.init(.refused, "there is no socket at the path of --unix-socket")
    case EACCES: self.init(.refused, "no permission to connect")
    case EHOSTUNREACH, ENETUNREACH: self.init(.refused, "the network or host is unreachable")
    default: self.init(.refused, "no connection")
    }
  }

  /// `: CANCEL` of `HTTP/2 stream 1 was not closed cleanly: CANCEL (err 8)`.
  private static func reset(_ message: String) -> String {
    guard let code = message.firstMatch(of: /: ([A-Z_]+) \(err/)?.1 else { return "" }
    return ": \(code)"
  }

  private static func distrust(_ end: CurlEnd) -> String {
    if end.certificateError == expired { return "its certificate has expired" }
    if end.message.contains("subject name") { return "its certificate is for another host than \(end.server)" }
    return "its certificate is not trusted: name its authority with --cacert"
  }

  /// `X509_V_ERR_CERT_HAS_EXPIRED`.
  private static let expired = 10

  private static func handshake(_ message: String) -> String {
    // The TLS library's messages for an answer without TLS, by its version and the first bytes.
    let plain = ["wrong version number", "packet length too long", "http request"]
    if plain.contains(where: message.contains) { return "its answer is not TLS: is the scheme http instead of https?" }
    // `error:0A000410:SSL routines::sslv3 alert handshake failure`
    guard let routine = message.firstRange(of: "SSL routines:") else { return "the TLS handshake failed" }
    return "TLS failed: \(message[routine.upperBound...].split(separator: ":").last ?? "")"
  }
}

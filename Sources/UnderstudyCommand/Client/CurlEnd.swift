import CCurl
import Understudy

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What libcurl knows about the end of a transfer.
struct CurlEnd {
  var code: CURLcode
  /// libcurl's own words; may be empty.
  var message = ""
  /// Host and port.
  var server = ""
  /// `errno` of the last step on the network.
  var systemError: CInt = 0
  /// Why the server's certificate is not trusted: `X509_V_ERR_...`; 0 where it is.
  var certificateError = 0
  /// The status that a proxy answered CONNECT with; 0 without a proxy.
  var proxyStatus = 0
  /// Whether a part of the answer came.
  var isAnswered = false
}

extension UpstreamFailure {
  /// What libcurl ended with, in the words of people who look for the fault.
  init(_ end: CurlEnd) {
    switch end.code {
    case CURLE_COULDNT_RESOLVE_HOST: self.init(.unknownHost, "there is no address of `\(end.server)`")
    case CURLE_COULDNT_RESOLVE_PROXY:
      self.init(.unknownHost, "there is no address of the proxy that the environment names")
    case CURLE_COULDNT_CONNECT: self.init(unconnected: end)
    case CURLE_OPERATION_TIMEDOUT: self.init(.timeout, "no connection within the limit")
    case CURLE_PEER_FAILED_VERIFICATION: self.init(.tls, Self.distrust(end))
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_INVALIDCERTSTATUS:
      self.init(.tls, Self.handshake(end.message))
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      self.init(.malformed, "what came is not HTTP")
    case CURLE_URL_MALFORMAT: self.init(.unsendable, "the request cannot be sent: `\(end.server)` is not a host")
    case CURLE_OUT_OF_MEMORY: self = .outOfMemory
    case _ where end.proxyStatus >= 300: self.init(.refused, "the proxy answered \(end.proxyStatus)")
    // The one failure of this kind that libcurl has no code for.
    case CURLE_RECV_ERROR where end.message.contains("chunk"):
      self.init(.malformed, "what came is not HTTP: a bad chunk")
    case _ where end.isAnswered: self.init(.closed, "it closed the connection in the middle of its answer")
    default: self.init(.closed, "it closed the connection without an answer")
    }
  }

  static var outOfMemory: UpstreamFailure { UpstreamFailure(.unsendable, "memory is short") }

  private init(unconnected end: CurlEnd) {
    switch end.systemError {
    case ECONNREFUSED: self.init(.refused, "connection refused")
    case ETIMEDOUT: self.init(.timeout, "no connection within the limit")
    case EHOSTUNREACH, ENETUNREACH:
      self.init(.refused, "the network does not lead there")
    default: self.init(.refused, "no connection")
    }
  }

  private static func distrust(_ end: CurlEnd) -> String {
    if end.certificateError == expired { return "its certificate has expired" }
    if end.message.contains("subject name") { return "its certificate is for another host than \(end.server)" }
    return "its certificate cannot be trusted: name its authority with --cacert"
  }

  /// `X509_V_ERR_CERT_HAS_EXPIRED`.
  private static let expired = 10

  private static func handshake(_ message: String) -> String {
    // What the TLS library makes of a plain answer, depending on its version and on the first bytes.
    let plain = ["wrong version number", "packet length too long", "http request"]
    if plain.contains(where: message.contains) { return "it does not speak TLS: is it http instead of https?" }
    // `error:0A000410:SSL routines::sslv3 alert handshake failure`
    guard let routine = message.firstRange(of: "SSL routines:") else { return "the TLS handshake failed" }
    return "TLS failed: \(message[routine.upperBound...].split(separator: ":").last ?? "")"
  }
}

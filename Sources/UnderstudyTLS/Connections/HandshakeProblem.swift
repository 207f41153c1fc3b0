#if TLS
import NIOSSL
import UnderstudySystem

/// Why a handshake failed.
enum HandshakeProblem: Hashable {
  case untrusted, cut, late, version, cipher
  case clientCertificate
  case other(String)

  /// - Parameter isSecured: Whether the server had completed its part: in TLS 1.3 a client refuses it afterwards.
  init?(_ error: any Error, isSecured: Bool) {
    let text = String(describing: error)
    switch error {
    case NIOSSLError.handshakeFailed: break
    case is BoringSSLError where isSecured && text.contains("ALERT"): break
    default: return nil
    }
    func has(_ words: String...) -> Bool { words.contains { text.contains($0) } }
    self =
      if has("CERTIFICATE_VERIFY_FAILED") {
        .clientCertificate
      } else if has(
        "ALERT_UNKNOWN_CA", "ALERT_CERTIFICATE_UNKNOWN", "ALERT_BAD_CERTIFICATE", "ALERT_CERTIFICATE_EXPIRED")
      {
        .untrusted
      } else if has("EOF during", "BAD_PACKET_LENGTH") {
        // OpenSSL sends its alert without encryption, which BoringSSL does not expect.
        .cut
      } else if has("UNSUPPORTED_PROTOCOL", "PROTOCOL_VERSION", "WRONG_VERSION") {
        .version
      } else if has("NO_SHARED_CIPHER", "NO_COMMON_SIGNATURE") {
        .cipher
      } else {
        .other(Self.reason(in: text))
      }
  }

  /// `TLSV1_ALERT_INTERNAL_ERROR` of a message of BoringSSL.
  private static func reason(in text: String) -> String {
    guard let range = text.firstRange(of: "OPENSSL_internal:") else { return String(text.prefix(120)) }
    return String(text[range.upperBound...].prefix { $0 == "_" || $0.isLetter || $0.isNumber })
  }

  var line: String {
    switch self {
    case .untrusted:
      "a client does not trust the certificate: `understudy tls trust` has what it needs"
    case .cut:
      "a client ended the handshake, as one does that does not trust the certificate: `understudy tls trust`"
    case .late: "a client took longer than 10 s for the handshake"
    case .version: "a client speaks neither TLS 1.2 nor 1.3"
    case .cipher: "a client has no cipher for the key of the certificate"
    case .clientCertificate:
      "the certificate of a client is not valid, or no authority of --client-ca has signed it"
    case .other(let reason): "a handshake failed: \(reason)"
    }
  }
}

/// Reports each kind of failed handshake once: a client that does not trust the server repeats it.
final class HandshakeReports: Sendable {
  private let known = Lock<Set<HandshakeProblem>>([])
  private let write: @Sendable (String) -> Void
  /// Peers choose the others.
  private static let limit = 32

  init(_ write: @escaping @Sendable (String) -> Void) { self.write = write }

  func report(_ problem: HandshakeProblem) {
    let isNew = known.withLock { known in known.count < Self.limit && known.insert(problem).inserted }
    if isNew { write("\(problem.line) (reported once)\n") }
  }
}
#endif

/// Sends a request to another server and returns its response; the only way out of the program.
///
/// The head of the response is returned as soon as it arrives, its body comes in pieces. Redirects are not followed, and
/// content codings are not decoded. Throws `UpstreamFailure` without a response.
package typealias Transport = @Sendable (HTTPRequest, Body) async throws -> (HTTPResponse, Body)

/// Why another server sent no response, or only a part of it.
package struct UpstreamFailure: Error, Sendable {
  package enum Kind: String, Sendable {
    case refused
    case unknownHost = "unknown-host"
    case timeout
    /// The TLS handshake failed, or the certificate is not trusted.
    case tls
    case malformed
    case closed
    case unsendable
  }

  package var kind: Kind
  /// The reason, in a clause without a capital.
  package var message: String
  package var isWithinAnswer: Bool

  package init(_ kind: Kind, _ message: String, isWithinAnswer: Bool = false) {
    (self.kind, self.message, self.isWithinAnswer) = (kind, message, isWithinAnswer)
  }

  /// Whether the response is at fault: it is not HTTP, or breaks off.
  package var isDefect: Bool { kind == .malformed || (kind == .closed && isWithinAnswer) }

  /// The status of a gateway for this failure (RFC 9110, 15.6.3 and 15.6.5).
  package var status: Int { kind == .timeout ? 504 : 502 }
}

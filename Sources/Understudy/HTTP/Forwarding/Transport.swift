/// Sends a request to another server and gives back its answer; the one way out of the program.
///
/// The head of the answer is given back as soon as it is there, its body comes in pieces. Redirects are not followed and
/// codings are not undone. Throws `UpstreamFailure` where no answer comes.
package typealias Transport = @Sendable (HTTPRequest, Body) async throws -> (HTTPResponse, Body)

/// Why another server gave no answer, or not all of it.
package struct UpstreamFailure: Error, Sendable {
  package enum Kind: String, Sendable {
    /// Nobody listens at the address.
    case refused
    /// The name has no address.
    case unknownHost = "unknown-host"
    case timeout
    /// The two sides found no way to speak TLS, or the certificate cannot be trusted.
    case tls
    /// What came is no HTTP.
    case malformed
    /// The connection ended before the answer did.
    case closed
    /// The request cannot be sent as it is.
    case unsendable
  }

  package var kind: Kind
  /// What happened, in a clause without a capital.
  package var message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  /// What a gateway answers for it (RFC 9110, 15.6.3 and 15.6.5).
  package var status: Int { kind == .timeout ? 504 : 502 }
}

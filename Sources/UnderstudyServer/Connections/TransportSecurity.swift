package import NIOCore

/// The layer between a socket and HTTP, such as TLS. The server itself knows no such layer.
package struct TransportSecurity: Sendable {
  package var scheme: String
  /// Whether a request without this layer is redirected to the scheme.
  package var redirectsPlain: Bool
  /// Whether the field `Client-Cert` has the certificate of the client, and never what a client sent (RFC 9440, 2.4).
  package var asksForCertificates: Bool
  /// Adds handlers to a new connection, in front of those of HTTP.
  package var addHandlers: @Sendable (any Channel) throws -> Void

  package init(
    scheme: String, redirectsPlain: Bool = false, asksForCertificates: Bool = false,
    addHandlers: @escaping @Sendable (any Channel) throws -> Void
  ) {
    self.scheme = scheme
    self.redirectsPlain = redirectsPlain
    self.asksForCertificates = asksForCertificates
    self.addHandlers = addHandlers
  }
}

/// An inbound event: the handshake of a connection is complete. It precedes the first byte of HTTP.
package struct ConnectionSecured: Sendable {
  package let scheme: String
  /// The certificate of the client in DER, if it has sent one.
  package let clientCertificate: [UInt8]?

  package init(scheme: String, clientCertificate: [UInt8]?) {
    (self.scheme, self.clientCertificate) = (scheme, clientCertificate)
  }
}

/// An outbound event: the connection is closed abruptly, so that no layer may say goodbye.
package struct AbruptClose: Sendable { package init() {} }

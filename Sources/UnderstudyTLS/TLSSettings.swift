/// How a server serves HTTPS.
package struct TLSSettings: Sendable {
  package enum Source: Sendable {
    /// The certificate of the user's own authority.
    case local(CertificateFolder, [SubjectName])
    /// The values of `--cert` and `--key`.
    case files(certificate: String, key: String)
  }

  package var source: Source
  /// A PEM file with the authorities that sign the certificates of clients; `nil` asks for none.
  package var clientAuthorities: String?
  /// Whether a request without TLS is redirected.
  package var redirectsPlain = false
  package var fault: TLSFault?
  /// Whether HTTP/2 is served, by ALPN and by prior knowledge.
  package var servesHTTP2 = true

  package init(_ source: Source) { self.source = source }

  /// Reads the certificate, and creates the local one if it does not exist.
  ///
  /// - Parameter now: In seconds since 1970.
  func identity(now: Int) throws(TLSProblem) -> ServerIdentity {
    if let fault, let identity = try fault.identity(by: source, now: now) { return identity }
    return switch source {
    case .local(let folder, let names): try folder.identity(for: names, now: now)
    case .files(let certificate, let key): try .read(certificate: certificate, key: key, now: now)
    }
  }

  /// The files that `identity(now:)` reads.
  var files: [String] {
    switch source {
    case .local(let folder, _): [folder.authorityPath, folder.serverPath]
    case .files(let certificate, let key): [certificate, key]
    }
  }
}

import CUnderstudyCrypto

/// The content of a new certificate.
package struct CertificateProfile {
  package var commonName: String
  /// In seconds since 1970.
  package var start: Int
  package var end: Int
  var extensions: [(kind: CInt, value: String)]

  /// A certificate authority for `SubjectName.domains` and `networks` alone.
  ///
  /// The constraints are critical, so that a client that cannot check them trusts nothing that it signs (RFC 5280, 4.2.1.10).
  package static func authority(_ commonName: String, now: Int) -> Self {
    let names = SubjectName.domains.map { "permitted;DNS:\($0)" }
    let networks = SubjectName.networks.map { network, mask in "permitted;IP:\(network)/\(mask)" }
    return Self(
      commonName: commonName, start: now - skew, end: now + 3_650 * day,
      extensions: [
        (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign"),
        (NID_name_constraints, "critical," + (names + networks).joined(separator: ",")),
        (NID_subject_key_identifier, "hash"),
      ])
  }

  /// The certificate of a server.
  ///
  /// Apple's systems accept at most 398 days, also of authorities that users have added (HT211025).
  package static func server(_ names: [SubjectName], start: Int, end: Int) -> Self {
    Self(
      commonName: names.first?.description ?? "localhost", start: start, end: end,
      extensions: [
        (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "serverAuth"), (NID_subject_key_identifier, "hash"),
        (NID_authority_key_identifier, "keyid:always"),
        (NID_subject_alt_name, names.map(\.text).joined(separator: ",")),
      ])
  }

  package static let day = 86_400
  /// The most days of a server's certificate.
  package static let serverDays = 397
  /// A certificate with fewer days left is replaced.
  static let renewalDays = 30
  /// The time by which the clock of a client may be behind, in seconds.
  package static let skew = 3_600

  /// Creates and signs the certificate of a key.
  ///
  /// - Parameter issuer: `nil` for a certificate that signs itself.
  package func certificate(
    of key: PrivateKey, signedBy issuer: (certificate: Certificate, key: PrivateKey)?
  ) throws(TLSProblem) -> Certificate {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let object = LibraryObject(X509_new(), { X509_free($0) }) else { throw Self.failure }
    let certificate = object.pointer
    let signer = issuer?.certificate.object.pointer ?? certificate
    var random = SystemRandomNumberGenerator()
    // Positive, and of at most 20 bytes (RFC 5280, 4.1.2.2).
    let serial =
      [UInt8.random(in: 0x40...0x7F, using: &random)] + (0..<15).map { _ in UInt8.random(in: 0...255, using: &random) }
    let subject = X509_get_subject_name(certificate)
    guard X509_set_version(certificate, 2) == 1, crypto_set_serial(certificate, serial, CInt(serial.count)) == 1,
      crypto_set_validity(certificate, start, end) == 1, X509_set_pubkey(certificate, key.object.pointer) == 1,
      crypto_add_name(subject, "O", "Understudy") == 1, crypto_add_name(subject, "CN", commonName) == 1,
      X509_set_issuer_name(certificate, X509_get_subject_name(signer)) == 1
    else { throw Self.failure }
    for (kind, value) in extensions where crypto_add_extension(certificate, signer, kind, value) != 1 {
      throw TLSProblem("libcrypto does not accept the extension `\(value)` of a certificate")
    }
    guard X509_sign(certificate, (issuer?.key ?? key).object.pointer, EVP_sha256()) > 0 else { throw Self.failure }
    return Certificate(object)
  }

  private static var failure: TLSProblem { TLSProblem("libcrypto made no certificate") }
}

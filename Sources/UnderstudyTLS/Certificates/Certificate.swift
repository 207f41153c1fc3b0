import CUnderstudyCrypto
import UnderstudyText

/// An X.509 certificate (RFC 5280).
package struct Certificate {
  let object: LibraryObject

  init(_ object: LibraryObject) { self.object = object }

  /// All certificates of a PEM file, in their order.
  package static func read(pem: [UInt8]) -> [Certificate] {
    LibraryObject.read(pem) { file in
      LibraryObject(PEM_read_bio_X509(file, nil, LibraryObject.noPassphrase, nil)) { X509_free($0) }
        .map(Certificate.init)
    }
  }

  package var pem: [UInt8]? { LibraryObject.written { PEM_write_bio_X509($0, object.pointer) } }

  /// The encoding of a certificate without PEM (RFC 5280, 4.1).
  package var der: [UInt8]? { LibraryObject.written { i2d_X509_bio($0, object.pointer) } }

  /// In seconds since 1970.
  package var start: Int { crypto_start(object.pointer) }

  /// The last second of its validity, in seconds since 1970.
  package var end: Int { crypto_end(object.pointer) }

  /// `2027-12-30`, in UTC.
  package var startText: String { Self.date(start) }
  package var endText: String { Self.date(end) }

  static func date(_ seconds: Int) -> String {
    String(Timestamp.text(seconds: seconds, milliseconds: 0).prefix { $0 != "T" })
  }

  /// `O=Understudy, CN=localhost`
  package var subject: String {
    String(decoding: LibraryObject.written { crypto_print_subject($0, object.pointer) } ?? [], as: UTF8.self)
  }

  /// Whether it may sign certificates.
  package var isAuthority: Bool { X509_check_ca(object.pointer) == 1 }

  /// Whether a private key is that of the certificate.
  package func matches(_ key: PrivateKey) -> Bool {
    ERR_clear_error()
    defer { ERR_clear_error() }
    return X509_check_private_key(object.pointer, key.object.pointer) == 1
  }

  /// Whether another certificate has signed this one.
  package func isSigned(by issuer: Certificate) -> Bool {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard X509_check_issued(issuer.object.pointer, object.pointer) == X509_V_OK else { return false }
    return X509_verify(object.pointer, X509_get0_pubkey(issuer.object.pointer)) == 1
  }

  /// Whether it is valid for a name or an address.
  package func isValid(for name: SubjectName) -> Bool {
    switch name {
    case .name(let name): crypto_has_host(object.pointer, name) == 1
    case .address(let address): X509_check_ip_asc(object.pointer, address, 0) == 1
    }
  }

  /// The names that it lists.
  package var names: [SubjectName] {
    let bytes = LibraryObject.written { crypto_print_extension($0, object.pointer, NID_subject_alt_name) } ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: ", ").compactMap { part in
      part.split(separator: ":", maxSplits: 1).last.flatMap { SubjectName(String($0)) }
    }
  }

  /// The SHA-256 of its DER, in hexadecimal digits.
  package var fingerprint: String {
    var digest = [UInt8](repeating: 0, count: 64)
    var count: UInt32 = 0
    guard X509_digest(object.pointer, EVP_sha256(), &digest, &count) == 1 else { return "" }
    let digits = Array("0123456789abcdef")
    return String(digest.prefix(Int(count)).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}

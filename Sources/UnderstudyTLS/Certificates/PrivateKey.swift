import CUnderstudyCrypto

/// A private key.
package struct PrivateKey {
  let object: LibraryObject

  /// A new key on the curve P-256, which every client of TLS 1.2 and 1.3 accepts.
  package init() throws(TLSProblem) {
    guard let object = LibraryObject(crypto_generate_key(), { EVP_PKEY_free($0) }) else {
      throw TLSProblem("libcrypto made no key on the curve P-256")
    }
    self.object = object
  }

  /// The first key of a PEM file; `nil` if there is none without a passphrase.
  package init?(pem: [UInt8]) {
    let keys = LibraryObject.read(pem) { file in
      LibraryObject(PEM_read_bio_PrivateKey(file, nil, LibraryObject.noPassphrase, nil)) { EVP_PKEY_free($0) }
    }
    guard let first = keys.first else { return nil }
    object = first
  }

  /// PKCS #8 as PEM, without a passphrase.
  package var pem: [UInt8]? { LibraryObject.written { crypto_write_key($0, object.pointer) } }
}

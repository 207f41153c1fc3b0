import CUnderstudyCrypto

/// A public key of libcrypto. It is immutable, so any thread may use it.
final class PublicKey: @unchecked Sendable {
  private let pointer: OpaquePointer
  let algorithms: Set<SignatureAlgorithm>

  /// Takes ownership of the key. `nil` if no supported algorithm uses it, or its numbers are not valid.
  private init?(owning pointer: OpaquePointer?) {
    guard let pointer else { return nil }
    guard let algorithms = Self.algorithms(of: pointer), Self.isValid(pointer) else {
      EVP_PKEY_free(pointer)
      return nil
    }
    self.pointer = pointer
    self.algorithms = algorithms
  }

  deinit { EVP_PKEY_free(pointer) }

  /// A key as PEM (RFC 7468, section 13).
  convenience init?(pem: [UInt8]) {
    self.init(
      owning: CryptoObject.withoutErrors {
        CryptoObject.reading(pem) { PEM_read_bio_PUBKEY($0, nil, CryptoObject.noPassphrase, nil) }
      })
  }

  /// Modulus and exponent of an RSA key.
  convenience init?(modulus: [UInt8], exponent: [UInt8]) {
    self.init(
      owning: CryptoObject.withoutErrors {
        crypto_make_rsa_key(modulus.reversed(), modulus.count, exponent.reversed(), exponent.count)
      })
  }

  /// A point of a curve: `x`, and `y` if the curve needs it.
  convenience init?(curve: Curve, x: [UInt8], y: [UInt8]) {
    self.init(
      owning: CryptoObject.withoutErrors {
        guard curve != .ed25519 else { return EVP_PKEY_new_raw_public_key(NID_ED25519, nil, x, x.count) }
        guard x.count == curve.width, y.count == curve.width else { return nil }
        // 4 starts a point whose two coordinates are given in full (SEC 1, 2.3.3).
        return crypto_make_curve_key(curve.group, [4] + x + y, 1 + 2 * curve.width)
      })
  }

  // MARK: - Properties

  private static func algorithms(of key: OpaquePointer) -> Set<SignatureAlgorithm>? {
    if EVP_PKEY_is_a(key, "RSA") == 1 { return EVP_PKEY_get_bits(key) >= 2048 ? SignatureAlgorithm.rsa : nil }
    if EVP_PKEY_is_a(key, "ED25519") == 1 { return SignatureAlgorithm.edwards }
    guard EVP_PKEY_is_a(key, "EC") == 1 else { return nil }
    var name = [CChar](repeating: 0, count: 64)
    guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else { return nil }
    let group = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return Curve.allCases.first { $0.group == group }?.algorithms
  }

  private static func isValid(_ key: OpaquePointer) -> Bool {
    CryptoObject.withoutErrors {
      guard let context = CryptoObject(EVP_PKEY_CTX_new_from_pkey(nil, key, nil), EVP_PKEY_CTX_free) else {
        return false
      }
      return EVP_PKEY_public_check(context.pointer) == 1
    }
  }

  // MARK: - Signatures

  func verifies(_ signature: [UInt8], of text: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
    CryptoObject.withoutErrors {
      guard let context = CryptoObject(EVP_MD_CTX_new(), EVP_MD_CTX_free) else { return false }
      // Belongs to `context`.
      var settings: OpaquePointer?
      guard EVP_DigestVerifyInit(context.pointer, &settings, algorithm.digest, nil, pointer) == 1 else { return false }
      if algorithm.isPSS {
        guard EVP_PKEY_CTX_set_rsa_padding(settings, RSA_PKCS1_PSS_PADDING) == 1,
          EVP_PKEY_CTX_set_rsa_pss_saltlen(settings, RSA_PSS_SALTLEN_DIGEST) == 1
        else { return false }
      }
      guard let signature = Curve(of: algorithm).map({ Self.sequence(signature, $0) }) ?? signature else {
        return false
      }
      return EVP_DigestVerify(context.pointer, signature, signature.count, text, text.count) == 1
    }
  }

  /// The two numbers of an ECDSA signature, which tokens concatenate (RFC 7518, section 3.4), in the encoding of
  /// libcrypto.
  private static func sequence(_ signature: [UInt8], _ curve: Curve) -> [UInt8]? {
    guard signature.count == 2 * curve.width else { return nil }
    let numbers = [signature.prefix(curve.width), signature.suffix(curve.width)].map { number in
      var digits = Array(number.drop { $0 == 0 })
      // The first bit of a number is its sign.
      if digits.first.map({ $0 >= 0x80 }) ?? true { digits.insert(0, at: 0) }
      return [0x02, UInt8(digits.count)] + digits
    }
    let content = numbers[0] + numbers[1]
    return (content.count < 0x80 ? [0x30] : [0x30, 0x81]) + [UInt8(content.count)] + content
  }
}

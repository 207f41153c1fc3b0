import CUnderstudyCrypto

/// A key that verifies signatures of tokens.
struct SignatureKey: Sendable {
  /// `kid`, by which tokens may name their key.
  var id: String?
  /// The algorithms of the key. It never verifies by the algorithm that a token claims: if a public RSA key were used as
  /// an HMAC secret, anyone could sign (RFC 8725, section 2.1).
  private(set) var algorithms: Set<SignatureAlgorithm>
  private let material: Material

  private enum Material: Sendable {
    case secret([UInt8])
    case publicKey(PublicKey)
  }

  init(secret: [UInt8]) {
    material = .secret(secret)
    algorithms = SignatureAlgorithm.hmac
  }

  init(_ key: PublicKey) {
    material = .publicKey(key)
    algorithms = key.algorithms
  }

  /// The key for a subset of its algorithms; `nil` if it has none of them.
  func limited(to wanted: Set<SignatureAlgorithm>) -> SignatureKey? {
    var key = self
    key.algorithms.formIntersection(wanted)
    return key.algorithms.isEmpty ? nil : key
  }

  func verifies(_ signature: [UInt8], of text: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
    guard algorithms.contains(algorithm) else { return false }
    switch material {
    case .secret(let secret):
      let code = Self.code(of: text, secret, algorithm)
      // Compares in constant time.
      return signature.count == code.count && CRYPTO_memcmp(signature, code, code.count) == 0
    case .publicKey(let key): return key.verifies(signature, of: text, by: algorithm)
    }
  }

  /// The HMAC (RFC 2104).
  private static func code(of text: [UInt8], _ secret: [UInt8], _ algorithm: SignatureAlgorithm) -> [UInt8] {
    CryptoObject.withoutErrors {
      var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
      var count: CUnsignedInt = 0
      guard HMAC(algorithm.digest, secret, CInt(clamping: secret.count), text, text.count, &code, &count) != nil else {
        return []
      }
      return Array(code.prefix(Int(count)))
    }
  }
}

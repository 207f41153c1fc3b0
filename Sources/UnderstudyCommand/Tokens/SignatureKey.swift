import Crypto
import CryptoExtras

/// A key that signatures of tokens are verified with.
///
/// swift-crypto is used as it is: JWTKit keeps its verifiers behind an actor, and a request is judged without waiting.
struct SignatureKey: Sendable {
  /// `kid`: tokens may say which key they were signed with.
  var id: String?
  /// What the key may be used for. A key of one family never verifies by another, whatever a token claims: a public RSA key
  /// taken for an HMAC secret would let anyone sign (RFC 8725, section 2.1).
  private(set) var algorithms: Set<SignatureAlgorithm>
  private let material: Material

  private enum Material: Sendable {
    case secret(SymmetricKey)
    case rsa(_RSA.Signing.PublicKey)
    case p256(P256.Signing.PublicKey)
    case p384(P384.Signing.PublicKey)
    case p521(P521.Signing.PublicKey)
    case ed25519(Curve25519.Signing.PublicKey)
  }

  private init(_ material: Material) {
    self.material = material
    algorithms =
      switch material {
      case .secret: SignatureAlgorithm.hmac
      case .rsa: SignatureAlgorithm.rsa
      case .p256: [.es256]
      case .p384: [.es384]
      case .p521: [.es512]
      case .ed25519: SignatureAlgorithm.edwards
      }
  }

  init(secret: [UInt8]) { self.init(.secret(SymmetricKey(data: secret))) }

  /// A public key as PEM (RFC 7468, section 13); throws what swift-crypto has against it.
  init(pem: String, for algorithm: SignatureAlgorithm) throws {
    switch algorithm {
    case .es256: self.init(.p256(try P256.Signing.PublicKey(pemRepresentation: pem)))
    case .es384: self.init(.p384(try P384.Signing.PublicKey(pemRepresentation: pem)))
    case .es512: self.init(.p521(try P521.Signing.PublicKey(pemRepresentation: pem)))
    case .edDSA, .ed25519: self.init(.ed25519(try Curve25519.Signing.PublicKey(pemRepresentation: pem)))
    default: self.init(.rsa(try _RSA.Signing.PublicKey(pemRepresentation: pem)))
    }
  }

  /// Modulus and exponent, from 2048 bits on.
  init(modulus: [UInt8], exponent: [UInt8]) throws {
    self.init(.rsa(try _RSA.Signing.PublicKey(n: modulus, e: exponent)))
  }

  /// A point of a curve: `x`, with `y` where the curve needs one. `nil` for a curve that no algorithm here uses.
  init?(curve: String, x: [UInt8], y: [UInt8]) throws {
    switch curve {
    case "P-256": self.init(.p256(try P256.Signing.PublicKey(rawRepresentation: x + y)))
    case "P-384": self.init(.p384(try P384.Signing.PublicKey(rawRepresentation: x + y)))
    case "P-521": self.init(.p521(try P521.Signing.PublicKey(rawRepresentation: x + y)))
    case "Ed25519": self.init(.ed25519(try Curve25519.Signing.PublicKey(rawRepresentation: x)))
    default: return nil
    }
  }

  /// The key for some of its algorithms only; `nil` when it has none of them.
  func limited(to wanted: Set<SignatureAlgorithm>) -> SignatureKey? {
    var key = self
    key.algorithms.formIntersection(wanted)
    return key.algorithms.isEmpty ? nil : key
  }

  func verifies(_ signature: [UInt8], of text: [UInt8], by algorithm: SignatureAlgorithm) -> Bool {
    guard algorithms.contains(algorithm) else { return false }
    let hash: any HashFunction.Type = algorithm.hash
    return verifies(signature, of: text, by: algorithm, hash)
  }

  private func verifies<Hash: HashFunction>(
    _ signature: [UInt8], of text: [UInt8], by algorithm: SignatureAlgorithm, _ hash: Hash.Type
  ) -> Bool {
    switch material {
    case .secret(let key): return HMAC<Hash>.isValidAuthenticationCode(signature, authenticating: text, using: key)
    case .rsa(let key):
      let isPSS = [.ps256, .ps384, .ps512].contains(algorithm)
      return key.isValidSignature(
        _RSA.Signing.RSASignature(rawRepresentation: signature), for: Hash.hash(data: text),
        padding: isPSS ? .PSS : .insecurePKCS1v1_5)
    case .p256(let key):
      guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
      return key.isValidSignature(signature, for: text)
    case .p384(let key):
      guard let signature = try? P384.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
      return key.isValidSignature(signature, for: text)
    case .p521(let key):
      guard let signature = try? P521.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
      return key.isValidSignature(signature, for: text)
    case .ed25519(let key): return key.isValidSignature(signature, for: text)
    }
  }
}

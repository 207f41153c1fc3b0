import CUnderstudyCrypto
import UnderstudyVerification

/// The algorithms of signed tokens (RFC 7518, section 3.1; RFC 8037, section 3.1; RFC 9864). `none` is not among them.
enum SignatureAlgorithm: String, CaseIterable, Sendable {
  case hs256 = "HS256", hs384 = "HS384", hs512 = "HS512"
  case rs256 = "RS256", rs384 = "RS384", rs512 = "RS512"
  case ps256 = "PS256", ps384 = "PS384", ps512 = "PS512"
  case es256 = "ES256", es384 = "ES384", es512 = "ES512"
  case edDSA = "EdDSA", ed25519 = "Ed25519"

  /// A token's `alg`, which is case-sensitive.
  init?(_ name: String) {
    guard let known = Self.allCases.first(where: { $0.rawValue.utf8Equals(name) }) else { return nil }
    self = known
  }

  /// The algorithm with all its names.
  var synonyms: Set<SignatureAlgorithm> { Self.edwards.contains(self) ? Self.edwards : [self] }

  /// Every name, for messages.
  static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// Whether both sides share one secret.
  var isSymmetric: Bool { Self.hmac.contains(self) }

  static let hmac: Set<SignatureAlgorithm> = [.hs256, .hs384, .hs512]
  static let rsa: Set<SignatureAlgorithm> = [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]
  /// Two names of one algorithm: RFC 9864 added the second, because the first does not name the curve.
  static let edwards: Set<SignatureAlgorithm> = [.edDSA, .ed25519]

  /// Whether an RSA signature has a random part (RFC 8017, section 8.1).
  var isPSS: Bool { [.ps256, .ps384, .ps512].contains(self) }

  /// The hash function in libcrypto; `nil` if the algorithm hashes by itself.
  var digest: OpaquePointer? {
    switch self {
    case .hs256, .rs256, .ps256, .es256: EVP_sha256()
    case .hs384, .rs384, .ps384, .es384: EVP_sha384()
    case .hs512, .rs512, .ps512, .es512: EVP_sha512()
    case .edDSA, .ed25519: nil
    }
  }
}

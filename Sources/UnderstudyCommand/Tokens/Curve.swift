/// The curves of JSON Web Keys that algorithms here use (RFC 7518, section 6.2.1.1; RFC 8037).
enum Curve: String, CaseIterable, Sendable {
  case p256 = "P-256"
  case p384 = "P-384"
  case p521 = "P-521"
  case ed25519 = "Ed25519"

  /// The curve of an algorithm that puts two numbers side by side; `nil` for others.
  init?(of algorithm: SignatureAlgorithm) {
    switch algorithm {
    case .es256: self = .p256
    case .es384: self = .p384
    case .es512: self = .p521
    default: return nil
    }
  }

  /// What libcrypto calls it.
  var group: String {
    switch self {
    case .p256: "prime256v1"
    case .p384: "secp384r1"
    case .p521: "secp521r1"
    case .ed25519: "ED25519"
    }
  }

  /// The length of a coordinate in bytes.
  var width: Int {
    switch self {
    case .p256, .ed25519: 32
    case .p384: 48
    case .p521: 66
    }
  }

  var algorithms: Set<SignatureAlgorithm> {
    switch self {
    case .p256: [.es256]
    case .p384: [.es384]
    case .p521: [.es512]
    case .ed25519: SignatureAlgorithm.edwards
    }
  }
}

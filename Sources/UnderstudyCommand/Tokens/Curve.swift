/// The supported curves of JSON Web Keys (RFC 7518, section 6.2.1.1; RFC 8037).
enum Curve: String, CaseIterable, Sendable {
  case p256 = "P-256"
  case p384 = "P-384"
  case p521 = "P-521"
  case ed25519 = "Ed25519"

  /// The curve of an ECDSA algorithm; `nil` for others.
  init?(of algorithm: SignatureAlgorithm) {
    guard let curve = Self.allCases.first(where: { $0.algorithms == [algorithm] }) else { return nil }
    self = curve
  }

  /// The name in libcrypto, the length of a coordinate in bytes, and the algorithms.
  private var properties: (group: String, width: Int, algorithms: Set<SignatureAlgorithm>) {
    switch self {
    case .p256: ("prime256v1", 32, [.es256])
    case .p384: ("secp384r1", 48, [.es384])
    case .p521: ("secp521r1", 66, [.es512])
    case .ed25519: ("ED25519", 32, SignatureAlgorithm.edwards)
    }
  }

  var group: String { properties.group }
  var width: Int { properties.width }
  var algorithms: Set<SignatureAlgorithm> { properties.algorithms }
}

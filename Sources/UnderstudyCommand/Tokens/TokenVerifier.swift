import UnderstudyVerification

/// Verifies the signatures of JSON Web Tokens (RFC 7515, section 5.2).
///
/// Its messages are printed, so they never quote a token.
struct TokenVerifier: Sendable {
  /// Without keys, signatures are required but not verified.
  var keys: [SignatureKey]

  /// A clause on why the signature is not valid; `nil` if it is.
  func problem(of token: String) -> String? {
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64.decode(url: parts[0]).flatMap({ try? JSONParser.parse($0).root }),
      let name = header["alg"]?.string
    else { return "the token has no header" }
    if name.lowercased() == "none" || parts[2].isEmpty { return "the token is not signed" }
    guard !keys.isEmpty else { return nil }
    // An unknown extension may change the meaning of the signature (RFC 7515, section 4.1.11).
    if header["crit"] != nil { return "the token's header has `crit`, whose extensions are not supported" }
    guard let algorithm = SignatureAlgorithm(name) else { return "the token's `alg` is unknown" }
    let suitable = keys.filter { $0.algorithms.contains(algorithm) }
    guard !suitable.isEmpty else {
      let names = Set(keys.flatMap(\.algorithms)).map(\.rawValue).sorted().joined(separator: ", ")
      return "the token's `alg` is \(algorithm.rawValue), the configured keys are for \(names)"
    }
    let named = suitable.filter { key in
      guard let id = key.id, let wanted = header["kid"] else { return true }
      return wanted.isString(id)
    }
    guard !named.isEmpty else { return "no configured key has the `kid` of the token" }
    guard let signature = Self.signature(parts[2]) else { return "the token's signature is not base64url" }
    let text = Array(token.utf8[..<parts[1].endIndex])
    return named.contains { $0.verifies(signature, of: text, by: algorithm) }
      ? nil : "the token's signature does not match the configured key"
  }

  /// The bytes of a signature. Unused bits at the end must be zero, so that a signature has only one spelling (RFC
  /// 4648, section 3.5).
  private static func signature(_ part: Substring.UTF8View) -> [UInt8]? {
    guard let bytes = Base64.decode(url: part), let last = part.last else { return nil }
    let spare = part.count * 6 - bytes.count * 8
    guard spare > 0, let value = Base64.decode(url: [last, UInt8(ascii: "A")])?.first else { return bytes }
    return (value >> 2) & (1 << spare - 1) == 0 ? bytes : nil
  }
}

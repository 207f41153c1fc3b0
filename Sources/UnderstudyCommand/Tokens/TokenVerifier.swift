import JSONSchema
import Understudy

/// Validates the signatures of JSON Web Tokens (RFC 7515, section 5.2).
///
/// What it says of a token never holds a part of it, because it is printed.
struct TokenVerifier: Sendable {
  /// Without any, signatures are not validated, but a token must have one.
  var keys: [SignatureKey]

  /// Why the signature is no good, as a clause; `nil` when it is.
  func problem(of token: String) -> String? {
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Base64.decode(url: parts[0]).flatMap({ try? JSONParser.parse($0).root }),
      let name = header["alg"]?.string
    else { return "the token has no header" }
    if name.lowercased() == "none" || parts[2].isEmpty { return "the token is not signed" }
    guard !keys.isEmpty else { return nil }
    // An extension that nobody here knows may change what the signature means (RFC 7515, section 4.1.11).
    if header["crit"] != nil { return "the token's header has `crit`, and none of its extensions is known here" }
    guard let algorithm = SignatureAlgorithm(name) else { return "the token's `alg` is not known" }
    let able = keys.filter { $0.algorithms.contains(algorithm) }
    guard !able.isEmpty else {
      let names = Set(keys.flatMap(\.algorithms)).map(\.rawValue).sorted().joined(separator: ", ")
      return "the token's `alg` is \(algorithm.rawValue), the configured keys are for \(names)"
    }
    let named = able.filter { key in
      guard let id = key.id, let wanted = header["kid"] else { return true }
      return wanted.isString(id)
    }
    guard !named.isEmpty else { return "no configured key has the `kid` of the token" }
    guard let signature = Self.signature(parts[2]) else { return "the token's signature is no base64url" }
    let text = Array(token.utf8[..<parts[1].endIndex])
    return named.contains { $0.verifies(signature, of: text, by: algorithm) }
      ? nil : "the token's signature is not by the configured key"
  }

  /// The bytes, of the one text that stands for them: bits that are left over at the end must be zero, or one signature
  /// would have several spellings (RFC 4648, section 3.5).
  private static func signature(_ part: Substring.UTF8View) -> [UInt8]? {
    guard let bytes = Base64.decode(url: part), let last = part.last else { return nil }
    let spare = part.count * 6 - bytes.count * 8
    guard spare > 0, let value = Base64.decode(url: [last, UInt8(ascii: "A")])?.first else { return bytes }
    return (value >> 2) & (1 << spare - 1) == 0 ? bytes : nil
  }
}

import CUnderstudyCrypto
import Foundation

/// Signs tokens with its own key, and writes the setting `tokens` for the other half of the key.
struct TokenSigner: CustomStringConvertible {
  let algorithm: String
  /// What stands behind `key:`.
  let key: String
  /// The files that `key` names.
  let files: [String: String]
  let sign: (_ text: Data) throws -> Data

  var description: String { algorithm }

  static func hs256(_ secret: String = UUID().uuidString) -> TokenSigner {
    TokenSigner(algorithm: "HS256", key: "{algorithm: HS256, secret: \"\(secret)\"}", files: [:]) { text in
      var code = [UInt8](repeating: 0, count: 32)
      HMAC(EVP_sha256(), secret, CInt(secret.utf8.count), Array(text), text.count, &code, nil)
      return Data(code)
    }
  }

  static func rs256(_ key: SigningKey) -> TokenSigner {
    TokenSigner(
      algorithm: "RS256", key: "{algorithm: RS256, pem: keys/public.pem}", files: ["keys/public.pem": key.publicPEM]
    ) { try key.signature(of: $0, EVP_sha256()) }
  }

  static func es256(_ key: SigningKey) -> TokenSigner {
    TokenSigner(
      algorithm: "ES256", key: "{algorithm: ES256, pem: keys/public.pem}", files: ["keys/public.pem": key.publicPEM]
    ) { try key.numbers(of: $0) }
  }

  /// One signer of an algorithm with a new key.
  static func new(_ algorithm: String) throws -> TokenSigner {
    switch algorithm {
    case "RS256": rs256(try .rsa())
    case "ES256": es256(try .p256())
    default: hs256()
    }
  }

  /// A token with these claims, and more members in its header.
  func token(_ claims: String, header: String = "") throws -> String {
    try token(claims, wholeHeader: "{\"alg\":\"\(algorithm)\"\(header)}")
  }

  func token(_ claims: String, wholeHeader: String) throws -> String {
    let text = Self.base64(Data(wholeHeader.utf8)) + "." + Self.base64(Data(claims.utf8))
    return text + "." + Self.base64(try sign(Data(text.utf8)))
  }

  /// base64url without padding.
  static func base64(_ data: Data) -> String {
    data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// Seconds since 1970, some minutes from now.
  static func time(inMinutes minutes: Int) -> Int { Int(Date().timeIntervalSince1970) + minutes * 60 }
}

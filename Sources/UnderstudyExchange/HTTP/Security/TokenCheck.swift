/// Checks JSON Web Tokens (RFC 7519): their form, `exp` and `nbf`, and by `verify` the signature.
package struct TokenCheck: Sendable {
  /// Seconds since 1970.
  package var now: @Sendable () -> Int
  /// Seconds by which two clocks may differ.
  package var leeway: Int
  /// The security schemes whose credentials must be such tokens, beside those with `bearerFormat: JWT`.
  package var schemes: [Scheme]
  /// Why the signature of a token is invalid, as a clause; `nil` if it is valid. Without it signatures are not validated.
  package var verify: (@Sendable (_ token: String) -> String?)?

  package init(
    now: @escaping @Sendable () -> Int, leeway: Int = 60, schemes: [Scheme] = [],
    verify: (@Sendable (_ token: String) -> String?)? = nil
  ) {
    (self.now, self.leeway, self.schemes, self.verify) = (now, leeway, schemes, verify)
  }

  /// A security scheme with its place in the configuration, to report an unknown name.
  package struct Scheme: Sendable {
    package var name: String
    package var location: Location?

    package init(_ name: String, at location: Location? = nil) { (self.name, self.location) = (name, location) }
  }

  package enum Outcome: Sendable, Equatable {
    case good
    /// Not a JSON Web Token: opaque tokens are legal.
    case opaque
    case bad(String)
  }

  /// Bytes of the longest token that is checked.
  package static let sizeLimit = 65_536

  package func check(_ token: String) -> Outcome {
    // Text that starts with `{"` in base64url is meant as a JSON Web Token, even if it is damaged.
    let isMeant = token.utf8.starts(with: "eyJ".utf8)
    guard token.utf8.count <= Self.sizeLimit else {
      return isMeant ? .bad("the token is longer than \(Self.sizeLimit) bytes") : .opaque
    }
    let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      // Five parts are an encrypted token (RFC 7516, section 7.1), which only its recipient can read.
      return isMeant && parts.count != 5 ? .bad("the token has \(parts.count.counted("part")), expected 3") : .opaque
    }
    guard let header = Self.object(parts[0]) else {
      return isMeant ? .bad("the token's first part is not a JSON object in base64url") : .opaque
    }
    guard header["alg"]?.isString == true else {
      return isMeant ? .bad("the token's first part has no `alg`") : .opaque
    }
    guard let claims = Self.object(parts[1]) else {
      return .bad("the token's second part is not a JSON object in base64url")
    }
    let time = now()
    let slack = min(max(leeway, 0), 86_400)
    if let expiry = claims["exp"] {
      guard let seconds = Self.seconds(expiry) else { return .bad("the token's `exp` is not a number") }
      if seconds + slack < time {
        return .bad("the token expired at \(Timestamp.text(seconds: seconds, milliseconds: 0))")
      }
    }
    if let start = claims["nbf"] {
      guard let seconds = Self.seconds(start) else { return .bad("the token's `nbf` is not a number") }
      if seconds - slack > time {
        return .bad("the token is not valid before \(Timestamp.text(seconds: seconds, milliseconds: 0))")
      }
    }
    return verify?(token).map { .bad($0) } ?? .good
  }

  /// A NumericDate without fractions; `nil` outside the range of a calendar.
  private static func seconds(_ value: JSON) -> Int? {
    guard value.kind == .number else { return nil }
    let text = value.text
    let whole = value.int ?? Int(text.prefix { $0 != "." })
    return whole.flatMap { abs($0 / 2) < 1 << 40 ? $0 : nil }
  }

  private static func object(_ part: some Sequence<UInt8>) -> JSON? {
    guard let bytes = Base64.decode(url: part), let root = try? JSONParser.parse(bytes).root, root.isObject else {
      return nil
    }
    return root
  }
}

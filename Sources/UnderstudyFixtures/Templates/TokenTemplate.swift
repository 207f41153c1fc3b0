/// An unsecured JSON Web Token (RFC 7519, 6) without a signature: a mock has no key that a client could trust.
struct TokenTemplate: Sendable {
  /// In the order of the tag.
  let claims: [(name: String, value: Claim)]

  enum Claim: Sendable {
    /// Microseconds from now, sent as whole seconds since 1970 (NumericDate).
    case time(offset: Int)
    /// JSON text: a string, a number or a boolean.
    case literal(String)
  }

  /// The claims whose values are times, in RFC 7519 and OpenID Connect Core.
  static let times = ["exp", "nbf", "iat", "auth_time"]

  /// - Parameter now: Microseconds since 1970.
  func text(now: Int) -> String {
    var members = claims.map { claim in
      let value =
        switch claim.value {
        case .time(let offset): TimeFormat.epoch.text(now &+ offset)
        case .literal(let text): text
        }
      return JSONWriter.text(.string(claim.name)) + ":" + value
    }
    if !claims.contains(where: { $0.name.utf8Equals("iat") }) {
      members.insert("\"iat\":" + TimeFormat.epoch.text(now), at: 0)
    }
    let parts = [#"{"alg":"none","typ":"JWT"}"#, "{\(members.joined(separator: ","))}"]
    return parts.map { Base64.encode(url: $0.utf8) + "." }.joined()
  }
}

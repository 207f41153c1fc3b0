/// A JSON Web Token (RFC 7519), signed by HS256 (RFC 7518, section 3.2) or unsecured, with an empty signature.
struct TokenTemplate: Sendable {
  /// In the order of the tag.
  let claims: [(name: String, value: Claim)]
  /// The secret of its signature; `nil` for an unsecured token.
  var secret: TemplateExpression?

  enum Claim: Sendable {
    /// Microseconds from now, sent as whole seconds since 1970 (NumericDate).
    case time(offset: Int)
    /// JSON text: a string, a number or a boolean.
    case literal(String)
    /// A value of the request; without one the token lacks the claim.
    case expression(TemplateExpression)
  }

  /// The claims whose values are times, in RFC 7519 and OpenID Connect Core.
  static let times = ["exp", "nbf", "iat", "auth_time"]

  var expressions: [TemplateExpression] {
    [secret].compactMap(\.self)
      + claims.compactMap { if case .expression(let expression) = $0.value { expression } else { nil } }
  }

  /// - Parameter now: Microseconds since 1970.
  func text<Problem: Error>(
    now: Int, _ value: (TemplateExpression) throws(Problem) -> TemplateValue?
  ) throws(Problem) -> String {
    var members: [String] = []
    for claim in claims {
      let json: String
      switch claim.value {
      case .time(let offset): json = TimeFormat.epoch.text(now &+ offset)
      case .literal(let text): json = text
      case .expression(let expression):
        guard let found = try value(expression) else { continue }
        json = JSONWriter.text(found.json)
      }
      members.append(JSONWriter.text(.string(claim.name)) + ":" + json)
    }
    if !claims.contains(where: { $0.name.utf8Equals("iat") }) {
      members.insert("\"iat\":" + TimeFormat.epoch.text(now), at: 0)
    }
    let key = try secret.map { secret throws(Problem) in try value(secret)?.text ?? "" }
    let header = key == nil ? #"{"alg":"none","typ":"JWT"}"# : #"{"alg":"HS256","typ":"JWT"}"#
    let parts = [header, "{\(members.joined(separator: ","))}"].map { Base64.encode(url: $0.utf8) }
    let signed = parts.joined(separator: ".")
    guard let key else { return signed + "." }
    return signed + "." + Base64.encode(url: SHA256.code(of: Array(signed.utf8), key: Array(key.utf8)))
  }
}

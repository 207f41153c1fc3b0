/// Names of credentials, whether or not a contract documents them.
///
/// Case, `-`, `_` and `.` make no difference: `X-Api-Key`, `apiKey`, `api_key`.
package enum CredentialNames {
  /// Whether a header is a credential.
  package static func hasField(_ name: String) -> Bool { fields.contains(plain(name)) }

  /// Whether the field begins with the name of a scheme (RFC 9110, 11.4), which is not a secret.
  package static func hasScheme(_ name: String) -> Bool {
    ["authorization", "proxyauthorization"].contains(plain(name))
  }

  /// Whether a query parameter is a key, a token or a signature.
  package static func hasQuery(_ name: String) -> Bool { queries.contains(plain(name)) }

  /// Whether a cookie is a session or a token.
  package static func hasCookie(_ name: String) -> Bool {
    let plain = plain(name)
    return cookies.contains(plain) || (plain != "key" && queries.contains(plain))
  }

  /// Whether a field of a body is a password.
  static func hasBodyField(_ name: String) -> Bool { bodyFields.contains(plain(name)) }

  /// Whether a query parameter of this name is often not a credential but the key of an entry.
  static func isAmbiguous(_ name: String) -> Bool { plain(name) == "key" }

  private static let fields: Set<String> = [
    "authorization", "proxyauthorization", "cookie", "setcookie", "apikey", "xapikey", "apitoken", "xapitoken",
    "authtoken", "xauthtoken", "xauthkey", "accesstoken", "xaccesstoken", "idtoken", "xidtoken", "xtoken",
    "xsessiontoken", "privatetoken", "xcsrftoken", "xxsrftoken", "xamzsecuritytoken", "xgoogapikey", "xvaulttoken",
    "xfunctionskey", "ocpapimsubscriptionkey",
  ]

  private static let queries: Set<String> = [
    "accesstoken", "apikey", "authtoken", "token", "idtoken", "refreshtoken", "sessiontoken", "jwt", "key", "authkey",
    "subscriptionkey", "sig", "signature", "secret", "clientsecret", "password", "passwd", "pwd", "xamzsignature",
    "xamzsecuritytoken", "xgoogsignature",
  ]

  private static let cookies: Set<String> = [
    "session", "sessionid", "sid", "connectsid", "jsessionid", "phpsessid", "aspnetsessionid",
  ]

  private static let bodyFields: Set<String> = ["password", "passwd", "pwd", "clientsecret"]

  private static func plain(_ name: String) -> String {
    FieldSyntax.lowercased(name.utf8.filter { !"-_.".utf8.contains($0) })
  }
}
